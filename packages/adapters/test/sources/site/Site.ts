/** The test site: media, pages and hostile answers on a loopback port. */
import { createReadStream, readFileSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { constants, deflateRawSync } from "node:zlib";
import * as Effect from "effect/Effect";
import { siteMedia } from "./MediaBroker.ts";
import { EVIL_PAGES, html, PAGES, pictured } from "./pages.ts";
import { archive, BOOK_FILES, SLIDE_FILES, WORD_FILES } from "@winnow/pages/test/documents/archives";
import { pdf } from "@winnow/pages/test/pdfs";
import { grayPicture, pngPicture, type Scan, scannedPdf, textAt } from "@winnow/pages/test/scans";

export interface Site {
  readonly url: string;
  /** Folder of the media. */
  readonly folder: string;
  /** Requested paths, oldest first. */
  readonly hits: Array<string>;
  /** Cookies and user agents that came with requests. */
  readonly secrets: Set<string>;
}

const send = (response: ServerResponse, type: string, bytes: Uint8Array): void =>
  void response.writeHead(200, { "content-type": type }).end(bytes);

const TYPES: Readonly<Record<string, string>> = {
  ".mp4": "video/mp4",
  ".webm": "video/webm",
  ".m4a": "audio/mp4",
  ".m4s": "video/iso.segment",
  ".ts": "video/mp2t",
  ".m3u8": "application/vnd.apple.mpegurl",
  ".mpd": "application/dash+xml",
  ".vtt": "text/vtt",
  ".jpg": "image/jpeg",
  ".png": "image/png",
  ".gif": "image/gif",
  ".avif": "image/avif",
  ".heic": "image/heic",
  ".webp": "image/webp"
};

type Handler = (request: IncomingMessage, response: ServerResponse, url: URL, folder: string) => void;

const m3u8 = (response: ServerResponse, lines: string, ended = true): void => {
  response.setHeader("content-type", TYPES[".m3u8"] ?? "");
  response.end(`#EXTM3U\n#EXT-X-TARGETDURATION:2\n${lines}\n${ended ? "#EXT-X-ENDLIST\n" : ""}`);
};

/** Parts of a master playlist: a video and its captions. */
const streamWith = (captions: string): string =>
  `#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="sub",NAME="English",LANGUAGE="en",URI="${captions}"\n` +
  '#EXT-X-STREAM-INF:BANDWIDTH=200000,RESOLUTION=160x120,CODECS="avc1.42c00b",SUBTITLES="sub"\n' +
  "/media/hls/video.m3u8";

/** Clients that requested the header of `/flaky.mp4`: ffprobe; and what was asked for of `/documents/scan.pdf`. */
const flaky = new Set<string>();

/** The start of a stream of blanks, in gzip, zlib or raw: by default 1 GiB, more than a program may have. */
const bomb = (head: string, blocks = 64, fill = " "): Buffer => {
  const block = deflateRawSync(Buffer.alloc(2 ** 24, fill), { finishFlush: constants.Z_FULL_FLUSH });
  return Buffer.concat([Buffer.from(head, "hex"), ...Array.from({ length: blocks }, () => block)]);
};

const endless = (response: ServerResponse): void => {
  const chunk = Buffer.alloc(2 ** 16);
  const pump = (): void => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on("drain", pump);
  pump();
};

const drip = (response: ServerResponse): void => {
  const timer = setInterval(() => response.write(" "), 1_000);
  response.on("close", () => clearInterval(timer));
};

const HANDLERS: Readonly<Record<string, Handler>> = {
  "/redirect": (_, response, url) =>
    void response.writeHead(302, { location: url.searchParams.get("to") ?? "/" }).end(),
  /** An article with the picture at `of`. */
  "/article/pictured": (_, response, url) =>
    void response
      .writeHead(200, { "content-type": "text/html" })
      .end(pictured(new URL(url.searchParams.get("of") ?? "", url).href)),
  "/loop": (_, response) => void response.writeHead(302, { location: "/loop" }).end(),
  "/slow": (_, response) => {
    response.writeHead(200, { "content-type": "text/html" }).write("<html>");
    drip(response);
  },
  "/slow.mp4": (request, response, _, folder) => {
    response.writeHead(200, { "content-type": "video/mp4" });
    const file = createReadStream(join(folder, "talk.mp4"), { end: 20_000 });
    file.on("end", () => drip(response)).pipe(response, { end: false });
    request.on("close", () => file.destroy());
  },
  "/bomb/gzip": (_, response) =>
    void response
      .writeHead(200, { "content-type": "text/html", "content-encoding": "gzip" })
      .end(bomb("1f8b0800000000000003")),
  "/bomb/deflate": (_, response) =>
    void response
      .writeHead(200, { "content-type": "text/html", "content-encoding": "deflate" })
      .end(bomb("789c")),
  /** Half as large, which a program may have, and of letters. */
  "/bomb/raw-deflate": (_, response) =>
    void response
      .writeHead(200, { "content-type": "text/html", "content-encoding": "deflate" })
      .end(bomb("", 30, "a")),
  "/endless.html": (_, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    endless(response);
  },
  /** A real video whose body never ends. */
  "/endless.mp4": (_, response, __, folder) => {
    response.writeHead(200, { "content-type": "video/mp4" });
    const file = createReadStream(join(folder, "talk.mp4"));
    file.on("end", () => endless(response)).pipe(response, { end: false });
  },
  "/challenge": (_, response) =>
    void response
      .writeHead(403, { "content-type": "text/html" })
      .end(html("Just a moment", "", '<script src="/cdn-cgi/challenge-platform/x.js"></script>')),
  /** The first request for its header is refused. */
  "/flaky.mp4": (request, response, url, folder) => {
    const program = /^Lavf/u.exec(request.headers["user-agent"] ?? "")?.[0];
    if (program !== undefined && request.headers.range !== undefined && !flaky.has(program)) {
      flaky.add(program);
      return void response.writeHead(503).end();
    }
    return sendFile(request, response, new URL("/media/talk.mp4", url), folder);
  },
  /** Minified: yt-dlp's reader of any page takes what follows the unquoted encoding for its name, and crashes. */
  "/minified": (_, response) => {
    const words = `<p>${"Was grob ist, bleibt oben liegen, und was fein ist, fällt hindurch. ".repeat(8)}`;
    response.writeHead(200, { "content-type": "text/html" });
    response.end(
      `<!doctype html><meta charset=utf-8><title>Größe und Gewicht</title><article><h1>Größe und Gewicht</h1>${words.repeat(6)}</article>`
    );
  },
  "/watch/cookies": (_, response) => {
    const expires = "expires=Fri, 01 Jan 2100 00:00:00 GMT";
    response.setHeader("set-cookie", [`one=1; path=/; ${expires}`, "two=2; path=/"]);
    response.setHeader("content-type", "text/html");
    response.end(html("For visitors", "", '<video src="/media/hls/video.m3u8"></video>'));
  },
  "/drop": (request) => void request.socket.destroy(),
  /** Media and text with wrong content types. */
  "/mistyped/talk": (request, response, _, folder) => {
    response.setHeader("content-type", "application/octet-stream");
    createReadStream(join(folder, "talk.mp4")).pipe(response);
    request.on("close", () => response.destroy());
  },
  "/mistyped/article": (_, response, url) =>
    void response
      .writeHead(200, { "content-type": "application/octet-stream" })
      .end(PAGES["/article"]?.(url.origin)),
  "/mistyped/picture": (_, response, url, folder) =>
    send(
      response,
      url.searchParams.get("type") ?? "application/octet-stream",
      readFileSync(join(folder, "slide1.jpg"))
    ),
  "/mistyped/paper": (_, response) => send(response, "image/png", pdf(["A claim.", "Another one."])),
  "/picture.tiff": (_, response) => send(response, "image/tiff", Buffer.from("II*\0\u0008\0\0\0\0\0")),
  "/documents/drawing.pdf": (_, response) =>
    send(response, "application/pdf", scannedPdf([{ pictures: [], drawn: "10 10 60 90 re f" }])),
  "/documents/paper.pdf": (_, response) =>
    send(response, "application/pdf", pdf(["A claim.", "Another one."])),
  /** A page of text, one of a picture with words, which is turned on a third one, and further pictures. */
  "/documents/scan.pdf": (_, response, url, folder) => {
    if (url.searchParams.has("once") && flaky.has(url.search)) return void response.writeHead(404).end();
    const again = `${url.search} again`;
    if (url.searchParams.has("busy") && flaky.has(url.search) && !flaky.has(again)) {
      flaky.add(again);
      return void response.writeHead(503).end();
    }
    flaky.add(url.search);
    const picture = pngPicture(readFileSync(join(folder, "words.png")));
    const aside = "0 480 -300 0 300 0";
    const small = { pictures: [{ picture: grayPicture(8, 8, () => 0) }] };
    const pages: Array<Scan> = [
      { pictures: [], drawn: textAt("A claim that is typed.") },
      { pictures: [{ picture }], size: [480, 300] },
      { pictures: [{ picture, matrix: aside }], size: [300, 480], entries: "/Rotate 90" },
      { pictures: [{ picture, matrix: aside }], size: [300, 480] }
    ];
    const first = Number(url.searchParams.get("first") ?? 1) - 1;
    const [width, height] = [3_000, 3_100];
    const unpacked = {
      width,
      height,
      entries: "/ColorSpace /DeviceGray /BitsPerComponent 8",
      data: Buffer.alloc(width * height)
    };
    if (url.searchParams.has("large")) pages.push({ pictures: [{ picture: unpacked }] });
    const more = Array.from({ length: Number(url.searchParams.get("more") ?? 0) }, () => small);
    send(response, "application/pdf", scannedPdf([...pages.slice(first), ...more]));
  },
  "/documents/signed.pdf": (_, response) =>
    void response.writeHead(302, { location: `/documents/scan.pdf?once&first=2&key=${flaky.size}` }).end(),
  "/documents/recipe.docx": (_, response) => send(response, "application/octet-stream", archive(WORD_FILES)),
  "/documents/talk.pptx": (_, response) =>
    send(
      response,
      "application/vnd.openxmlformats-officedocument.presentationml.presentation",
      archive(SLIDE_FILES)
    ),
  "/documents/book.epub": (_, response) => send(response, "application/epub+zip", archive(BOOK_FILES)),
  "/documents/locked.epub": (_, response) =>
    send(response, "application/epub+zip", archive(BOOK_FILES, { flags: 1 })),
  "/words.txt": (_, response) =>
    void response.writeHead(200, { "content-type": "text/plain" }).end("Words and words. ".repeat(60)),
  /** Claims 50 GiB, and sends no media but zeros. */
  "/huge.mp4": (_, response) => {
    response.writeHead(200, { "content-type": "video/mp4", "content-length": String(50 * 2 ** 30) });
    endless(response);
  },
  "/json": (_, response) => void response.writeHead(200, { "content-type": "application/json" }).end("{}"),
  "/live.m3u8": (_, response) => m3u8(response, "#EXTINF:2,\n/media/hls/video_0.ts", false),
  "/evil/file-segments.m3u8": (_, response) => m3u8(response, "#EXTINF:2,\nfile:///etc/passwd"),
  "/evil/file-concat.m3u8": (_, response) => m3u8(response, "#EXTINF:2,\nconcat:file:///etc/passwd"),
  "/hang": () => {},
  "/evil/file-key.m3u8": (_, response) =>
    m3u8(response, '#EXT-X-KEY:METHOD=AES-128,URI="file:///etc/hostname"\n#EXTINF:2,\n/media/hls/video_0.ts'),
  "/evil/segments.m3u8": (_, response, url) => m3u8(response, `#EXTINF:2,\n${url.searchParams.get("to")}`),
  "/evil/key.m3u8": (_, response, url) =>
    m3u8(
      response,
      `#EXT-X-KEY:METHOD=AES-128,URI="${url.searchParams.get("to")}"\n#EXTINF:2,\n/media/hls/video_0.ts`
    ),
  "/ranged.m3u8": (_, response) => m3u8(response, streamWith("/ranged-captions.m3u8"), false),
  /** Captions whose segments are all byte ranges of one file. */
  "/ranged-captions.m3u8": (_, response) =>
    m3u8(response, "#EXTINF:2,\n#EXT-X-BYTERANGE:10@0\n/media/talk.en.vtt\n".repeat(50)),
  /** Captions in a thousand segments, each as large as those of a whole day. */
  "/evil/flooded.m3u8": (_, response) => m3u8(response, streamWith("/evil/flood.m3u8"), false),
  "/evil/flood.m3u8": (_, response) =>
    m3u8(
      response,
      Array.from({ length: 1_000 }, (_each, piece) => `#EXTINF:2,\n/evil/flood?${piece}`).join("\n")
    ),
  "/evil/flood": (_, response) =>
    void response
      .writeHead(200, { "content-type": "text/vtt" })
      .end(`WEBVTT\n\n00:00.000 --> 00:01.000\n${"words ".repeat(2 ** 19)}\n`),
  "/evil/missing.m3u8": (_, response) =>
    m3u8(response, "#EXTINF:2,\n/media/hls/video_0.ts\n#EXTINF:2,\n/status/404/x.ts")
};

const sendFile: Handler = (request, response, url, folder) => {
  const file = join(folder, normalize(url.pathname.slice("/media/".length)));
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const range = /^bytes=(\d+)-(\d*)$/u.exec(request.headers.range ?? "");
  const start = Number(range?.[1] ?? 0);
  const end = range?.[2] ? Math.min(Number(range[2]), size - 1) : size - 1;
  if (size === 0) return void response.writeHead(404).end();
  if (start >= size) return void response.writeHead(416).end();
  response.writeHead(range === null ? 200 : 206, {
    "content-type": TYPES[extname(file)] ?? "application/octet-stream",
    "accept-ranges": "bytes",
    "content-length": end - start + 1,
    ...(range === null ? {} : { "content-range": `bytes ${start}-${end}/${size}` })
  });
  createReadStream(file, { start, end }).pipe(response);
};

const answer =
  (site: {
    folder: string;
    hits: Array<string>;
    secrets: Set<string>;
  }): ((request: IncomingMessage, response: ServerResponse) => void) =>
  (request, response) => {
    const url = new URL(request.url ?? "/", `http://${request.headers.host}`);
    site.hits.push(url.pathname);
    for (const name of ["cookie", "user-agent"] as const) site.secrets.add(request.headers[name] ?? "");
    const status = /^\/status\/(\d{3})/u.exec(url.pathname)?.[1];
    if (status !== undefined) {
      return void response
        .writeHead(Number(status), { "content-type": "text/html" })
        .end(html(`Status ${status}`, "", ""));
    }
    if (url.pathname.startsWith("/media/")) return sendFile(request, response, url, site.folder);
    const handler = HANDLERS[url.pathname];
    if (handler !== undefined) return handler(request, response, url, site.folder);
    const page = PAGES[url.pathname] ?? EVIL_PAGES[url.pathname];
    const type = url.pathname.startsWith("/fx/")
      ? "application/json"
      : url.pathname.endsWith(".xml")
        ? "application/rss+xml"
        : "text/html; charset=utf-8";
    if (page === undefined) return void response.writeHead(404, { "content-type": type }).end("not found");
    response.writeHead(200, { "content-type": type }).end(page(url.origin));
  };

/** Closed with the scope. */
export const startSite = Effect.acquireRelease(
  Effect.promise(async () => {
    const { folder, stop } = await siteMedia();
    const hits: Array<string> = [];
    const secrets = new Set<string>();
    const server = createServer(answer({ folder, hits, secrets }));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const site: Site = { url, folder, hits, secrets };
    return { site, server, stop };
  }),
  ({ server, stop }) =>
    Effect.promise(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await stop();
    })
).pipe(Effect.map(({ site }) => site));
