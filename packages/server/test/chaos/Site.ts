/**
 * The site that the runs of chaos and soak fetch, on loopback: articles that take a moment, occasionally a
 * short video, and missing pages.
 */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** One in this many sources is missing. */
const GONE_EVERY = 25;
/** One in this many sources is a video. */
const VIDEO_EVERY = 12;

const makeVideo = (): Buffer => {
  const folder = mkdtempSync(join(tmpdir(), "winnow-chaos-site-"));
  const file = join(folder, "talk.mp4");
  const sources = ["-f", "lavfi", "-i", "testsrc2=s=160x90:d=2", "-f", "lavfi", "-i", "sine=d=2"];
  const options = ["-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac", "-movflags", "+faststart", "-y"];
  execFileSync("ffmpeg", ["-v", "error", ...sources, ...options, file]);
  const bytes = readFileSync(file);
  rmSync(folder, { recursive: true });
  return bytes;
};

const head = (number: number): string =>
  `<!doctype html><html lang="en"><head><title>Talk ${number}</title><meta name="description" content="About ${number}.">`;

const article = (number: number): string =>
  `${head(number)}</head><body><article><h1>Article ${number}</h1>${`<p>It happened in the year ${number}, and people wrote about it at length.</p>`.repeat(30)}</article></body></html>`;

const videoPage = (number: number): string =>
  `${head(number)}<meta property="og:type" content="video.other"></head><body><h1>Talk ${number}</h1><video src="/talk.mp4" controls></video></body></html>`;

export interface ChaosSite {
  readonly host: string;
  readonly urlOf: (number: number) => string;
  readonly stop: () => Promise<void>;
}

/** @param delayMsMax maximum delay of a page, which depends on its number */
export const startSite = async (delayMsMax: number): Promise<ChaosSite> => {
  const video = makeVideo();
  const server = createServer((request, response) => {
    if (request.url === "/talk.mp4") {
      const [, from = "0"] = /bytes=(\d+)-/u.exec(request.headers.range ?? "") ?? [];
      const body = video.subarray(Number(from));
      const headers = {
        "content-type": "video/mp4",
        "content-length": body.length,
        "accept-ranges": "bytes",
        "content-range": `bytes ${from}-${video.length - 1}/${video.length}`
      };
      response.writeHead(request.headers.range === undefined ? 200 : 206, headers);
      return void response.end(request.method === "HEAD" ? undefined : body);
    }
    const number = Number(/^\/(\d+)$/u.exec(request.url ?? "")?.[1] ?? Number.NaN);
    if (Number.isNaN(number) || number % GONE_EVERY === 1) return void response.writeHead(404).end();
    const page = number % VIDEO_EVERY === 0 ? videoPage(number) : article(number);
    const delayMs = ((number * 7_919) % 1_000) * (delayMsMax / 1_000);
    setTimeout(() => {
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page);
    }, delayMs);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    urlOf: (number) => `http://${host}/${number}`,
    stop: async () => {
      server.closeAllConnections();
      await once(server.close(), "close");
    }
  };
};
