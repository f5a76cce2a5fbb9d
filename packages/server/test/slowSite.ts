/** A page with a real video on loopback, whose bytes can be slowed to a trickle. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as Effect from "effect/Effect";

const PAGE = `<!doctype html><html lang="en"><head><title>A slow talk</title>
<meta property="og:title" content="A slow talk"><meta property="og:type" content="video.other">
<meta name="description" content="About patience.">
</head><body><h1>A slow talk</h1><video src="/talk.mp4" controls></video>
<p>About patience.</p></body></html>`;

/** Bytes per tick while the site is slow: the video takes longer than any test waits. */
const TRICKLE_BYTES = 512;
const TRICKLE_EVERY_MS = 100;

/** Six seconds of video with sound. */
const makeVideo = (): Buffer => {
  const folder = mkdtempSync(join(tmpdir(), "winnow-slow-site-"));
  const file = join(folder, "talk.mp4");
  const sources = ["-f", "lavfi", "-i", "testsrc2=s=640x360:d=6", "-f", "lavfi", "-i", "sine=d=6"];
  const options = ["-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac", "-movflags", "+faststart", "-y"];
  execFileSync("ffmpeg", ["-v", "error", ...sources, ...options, file]);
  const bytes = readFileSync(file);
  rmSync(folder, { recursive: true });
  return bytes;
};

const trickle = (response: ServerResponse, bytes: Buffer): void => {
  let sent = 0;
  const timer = setInterval(() => {
    response.write(bytes.subarray(sent, sent + TRICKLE_BYTES));
    sent += TRICKLE_BYTES;
    if (sent >= bytes.length) response.end();
  }, TRICKLE_EVERY_MS);
  response.on("close", () => clearInterval(timer));
};

export interface SlowSite {
  readonly host: string;
  readonly pageUrl: string;
  /** Number of responses with the video that are still being sent. */
  readonly openAnswers: () => number;
  readonly setSlow: (slow: boolean) => void;
}

/** Shared by all sites of a process: encoding takes a third of a second of CPU time. */
let made: Buffer | null = null;

const start = async () => {
  const video = (made ??= makeVideo());
  let slow = true;
  let openAnswers = 0;
  const server = createServer((request, response) => {
    if (request.url !== "/talk.mp4") {
      response.writeHead(request.url === "/talk" ? 200 : 404, { "content-type": "text/html; charset=utf-8" });
      return void response.end(request.url === "/talk" ? PAGE : "");
    }
    const [, from = "0"] = /bytes=(\d+)-/u.exec(request.headers.range ?? "") ?? [];
    const body = video.subarray(Number(from));
    const headers = { "content-type": "video/mp4", "content-length": body.length, "accept-ranges": "bytes" };
    const range = { ...headers, "content-range": `bytes ${from}-${video.length - 1}/${video.length}` };
    if (request.headers.range === undefined) response.writeHead(200, headers);
    else response.writeHead(206, range);
    if (request.method === "HEAD") return void response.end();
    openAnswers++;
    response.once("close", () => openAnswers--);
    if (slow) trickle(response, body);
    else response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const site: SlowSite = {
    host,
    pageUrl: `http://${host}/talk`,
    openAnswers: () => openAnswers,
    setSlow: (value) => (slow = value)
  };
  return { site, server };
};

/** Runs until the scope closes. */
export const slowSite = Effect.map(
  Effect.acquireRelease(Effect.promise(start), ({ server }) =>
    Effect.promise(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    })
  ),
  ({ site }) => site
);
