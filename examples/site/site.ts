/**
 * A small local website with every kind of content that Winnow reads.
 *
 *   node examples/site/site.ts [PORT]
 */
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { makeMedia } from "./media.ts";
import { PAGES } from "./pages.ts";

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  ".mp4": "video/mp4",
  ".ts": "video/mp2t",
  ".m3u8": "application/vnd.apple.mpegurl",
  ".vtt": "text/vtt",
  ".jpg": "image/jpeg"
};

const notFound = (response: ServerResponse): void => {
  response.writeHead(404, { "content-type": "text/plain" }).end("Not found\n");
};

const sendFile = async (request: IncomingMessage, response: ServerResponse, file: string): Promise<void> => {
  const info = await stat(file).catch(() => null);
  if (info === null || !info.isFile()) return notFound(response);
  const range = /^bytes=(\d+)-(\d*)$/u.exec(request.headers.range ?? "");
  const start = Number(range?.[1] ?? 0);
  const end = Math.min(range?.[2] ? Number(range[2]) : info.size - 1, info.size - 1);
  response.writeHead(range === null ? 200 : 206, {
    "content-type": CONTENT_TYPES[path.extname(file)] ?? "application/octet-stream",
    "content-length": end - start + 1,
    "accept-ranges": "bytes",
    ...(range === null ? {} : { "content-range": `bytes ${start}-${end}/${info.size}` })
  });
  if (request.method === "HEAD") response.end();
  else createReadStream(file, { start, end }).pipe(response);
};

export interface Site extends AsyncDisposable {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** `127.0.0.1:PORT`, for WINNOW_EGRESS_ALLOW. */
  readonly host: string;
}

/** Creates the media in `mediaFolder` if needed and serves on loopback; port 0 uses a free one. */
export const startSite = async (mediaFolder: string, port = 0): Promise<Site> => {
  await makeMedia(mediaFolder);
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://site");
    const page = Object.hasOwn(PAGES, pathname) ? PAGES[pathname] : undefined;
    if (page !== undefined) {
      response.setHeader("content-type", "text/html; charset=utf-8");
      response.end(page(`http://${request.headers.host}`));
    } else if (pathname.startsWith("/media/")) {
      void sendFile(
        request,
        response,
        path.join(mediaFolder, path.normalize(pathname.slice("/media".length)))
      );
    } else {
      notFound(response);
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: `http://${host}`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      })
  };
};

if (import.meta.main) {
  const folder = path.resolve(process.env.WINNOW_DATA_DIR ?? ".winnow", "demo/media");
  const { url } = await startSite(folder, Number(process.argv[2] ?? 8_799));
  console.log(`Sample site on ${url}: ${Object.keys(PAGES).join(" ")}`);
}
