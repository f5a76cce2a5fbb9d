/**
 * A site with a ten-minute talk whose quotable sentences are minutes apart, with a hostile page, whose title and text
 * contain markup, and with a recipe whose ingredients are in its structured data only.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";

const exec = promisify(execFile);

export const TALK_SECONDS = 600;
const LINE_SECONDS = 5;

/** By the second at which they are said. The stand-in for a model searches for labels such as `Speaker:`. */
export const SAID: Readonly<Record<number, string>> = {
  65: "Speaker: Ada Korn, who mills her own flour.",
  245: "The topic: how the wind sorts grain from chaff",
  250: "and why nobody has found a better way since.",
  485: "Price: 12 euros for a kilo of what is left."
};

const FILLERS = [
  "You loosen everything first, and give it a little height.",
  "Then one indifferent force acts on all of it at once.",
  "Grain is heavy and falls where it stood.",
  "Chaff is light and drifts a few steps further.",
  "Nobody picks the chaff out with their fingers.",
  "The sorting happens because the parts differ.",
  "Nothing about the method is clever."
];

const stamp = (seconds: number): string => new Date(seconds * 1_000).toISOString().slice(11, 23);

export const webVtt = (): string => {
  const lines = Array.from({ length: TALK_SECONDS / LINE_SECONDS }, (_, index) => {
    const start = index * LINE_SECONDS;
    const text = SAID[start] ?? FILLERS[index % FILLERS.length] ?? "";
    return `${stamp(start)} --> ${stamp(start + LINE_SECONDS)}\n${text}\n`;
  });
  return `WEBVTT\n\n${lines.join("\n")}`;
};

const ffmpeg = (...args: ReadonlyArray<string>) =>
  exec(process.env["WINNOW_FFMPEG"] ?? "ffmpeg", ["-nostdin", "-loglevel", "error", "-y", ...args]);

/** Created under another name first, so that a concurrent process finds a complete file or none. */
const makeWhole = async (file: string, make: (part: string) => Promise<unknown>): Promise<void> => {
  if (existsSync(file)) return;
  const part = path.join(path.dirname(file), `${process.pid}.${path.basename(file)}`);
  await make(part);
  await rename(part, file);
};

/** What is encoded and then repeated: encoding ten minutes of picture and sound takes as many seconds of CPU time. */
const PIECE_SECONDS = 20;

/** Whatever begins before it is copied, to its end: a frame of sound lasts an eighth of a second. */
const COPIED_SECONDS = TALK_SECONDS - 0.2;

const lavfi = (source: string): ReadonlyArray<string> => ["-f", "lavfi", "-i", source];

const endlessly = (piece: string): ReadonlyArray<string> => ["-stream_loop", "-1", "-i", piece];

/** The frame rate is low to keep the file small; there is sound so that the audio can be extracted. */
const makeTalk = async (file: string): Promise<void> => {
  const [picture, sound] = [`${file}.picture.mp4`, `${file}.sound.m4a`];
  const gradients = `gradients=s=640x360:rate=2:c0=0x1d6446:c1=0xf0c069:c2=0x7fd1a8:n=3:speed=0.02:duration=${PIECE_SECONDS}`;
  const codec = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", "10"];
  await ffmpeg(...lavfi(gradients), ...codec, picture);
  const sine = `sine=frequency=220:sample_rate=8000:duration=${PIECE_SECONDS}`;
  await ffmpeg(...lavfi(sine), "-c:a", "aac", "-aac_coder", "fast", "-b:a", "32k", sound);
  const copied = ["-t", String(COPIED_SECONDS), "-c", "copy", "-movflags", "+faststart"];
  await ffmpeg(...endlessly(picture), ...endlessly(sound), ...copied, file);
  await Promise.all([rm(picture), rm(sound)]);
};

const makePoster = (talk: string, file: string) => ffmpeg("-ss", "60", "-i", talk, "-frames:v", "1", file);

const HOSTILE_TITLE = `<img src=x onerror="document.title='owned'"> "quoted" & שלום`;

const escape = (text: string): string =>
  text.replaceAll(/[&<>"]/gu, (character) => `&#${character.codePointAt(0)};`);

const talkPage = (title: string): string => `<!doctype html><html lang="en"><head><meta charset="utf-8">
<title>${escape(title)}</title><meta property="og:title" content="${escape(title)}">
<meta property="og:image" content="/poster.jpg"><meta property="og:type" content="video.other">
<script type="application/ld+json">${JSON.stringify({
  "@context": "https://schema.org",
  "@type": "VideoObject",
  name: title.replaceAll("<", "\u2039"),
  description: "Ten minutes on threshing floors, wind, and why it still works.",
  thumbnailUrl: "/poster.jpg",
  uploadDate: "2026-03-14T19:30:00+01:00",
  duration: `PT${TALK_SECONDS}S`,
  contentUrl: "/talk.mp4",
  author: { "@type": "Person", name: "Ada Korn" }
})}</script></head>
<body><main><h1>${escape(title)}</h1><video controls poster="/poster.jpg"><source src="/talk.mp4" type="video/mp4">
<track kind="subtitles" srclang="en" label="English" src="/talk.en.vtt" default></video></main></body></html>`;

const hostilePage = `<!doctype html><html lang="he"><head><meta charset="utf-8"><title>${escape(HOSTILE_TITLE)}</title>
<meta property="og:title" content="${escape(HOSTILE_TITLE)}"><meta property="og:type" content="article"></head>
<body><article><h1>${escape(HOSTILE_TITLE)}</h1>
${Array.from({ length: 12 }, (_, index) => `<p>Paragraph ${index} says &lt;script&gt;alert(1)&lt;/script&gt; and [a link](javascript:alert(1)), and goes on long enough to be an article that somebody sat down to write, with commas, and with full stops.</p>`).join("\n")}
</article></body></html>`;

/** The keywords make the stand-in for a model quote the values before them, which are shown in other words. */
const RECIPE = {
  "@context": "https://schema.org",
  "@type": "Recipe",
  name: "Soda bread for a windy day",
  datePublished: "2026-04-09",
  totalTime: "PT50M",
  recipeIngredient: ["Soda: a teaspoon", "Flour: 500 g of spelt, sieved twice"],
  keywords: ["Baked: 2026-04-09", "Duration: 3000", "Kind: Recipe"]
};

const recipePage = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Soda bread for a windy day</title>
<script type="application/ld+json">${JSON.stringify(RECIPE)}</script></head>
<body><article><h1>Soda bread for a windy day</h1>
${Array.from({ length: 24 }, () => `<p>${FILLERS.join(" ")}</p>`).join("\n")}
</article></body></html>`;

const PAGES: Readonly<Record<string, string>> = {
  "/long-talk": talkPage("What the wind knows: ten minutes on winnowing"),
  "/hostile": hostilePage,
  "/recipe": recipePage
};

export interface TalkSite extends AsyncDisposable {
  readonly url: string;
  readonly host: string;
  /** If set, the next responses with the video are slow, and pause near their end until the promise resolves. */
  hold: Promise<void> | null;
}

/** Shares of the bytes of a slow response: before the pause, and of each piece until then. */
const HELD_AT = 0.9;
const PIECE = 0.15;

/** Interval of the pieces: yt-dlp reports its progress at most twice a second. */
const PIECE_EVERY_MS = 250;

const sendSlowly = async (response: ServerResponse, bytes: Buffer, hold: Promise<void>): Promise<void> => {
  const released = hold.then(() => true);
  const [heldAt, piece] = [HELD_AT, PIECE].map((share) => Math.floor(bytes.length * share)) as [
    number,
    number
  ];
  let sent = 0;
  for (let isReleased = false; !isReleased && !response.destroyed && sent < heldAt; sent += piece) {
    response.write(bytes.subarray(sent, Math.min(sent + piece, heldAt)));
    isReleased = await Promise.race([released, wait(PIECE_EVERY_MS, false)]);
  }
  await released;
  response.end(bytes.subarray(Math.min(sent, heldAt)));
};

const send = (
  response: ServerResponse,
  bytes: Buffer,
  contentType: string,
  range: string | undefined,
  hold: Promise<void> | null = null
): void => {
  const asked = /^bytes=(\d+)-(\d*)$/u.exec(range ?? "");
  const start = Number(asked?.[1] ?? 0);
  const end = Math.min(asked?.[2] ? Number(asked[2]) : bytes.length - 1, bytes.length - 1);
  response.writeHead(asked === null ? 200 : 206, {
    "content-type": contentType,
    "accept-ranges": "bytes",
    "content-length": end - start + 1,
    ...(asked === null ? {} : { "content-range": `bytes ${start}-${end}/${bytes.length}` })
  });
  const content = bytes.subarray(start, end + 1);
  if (hold === null) response.end(content);
  else void sendSlowly(response, content, hold);
};

export const startTalkSite = async (folder: string): Promise<TalkSite> => {
  await mkdir(folder, { recursive: true });
  const talk = path.join(folder, "long-talk.mp4");
  const poster = path.join(folder, "poster.jpg");
  await makeWhole(talk, makeTalk);
  await makeWhole(poster, (part) => makePoster(talk, part));
  const media = { "/talk.mp4": await readFile(talk), "/poster.jpg": await readFile(poster) };
  const held: Pick<TalkSite, "hold"> = { hold: null };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://site");
    const page = PAGES[pathname];
    if (page !== undefined) {
      const text = page
        .replaceAll('content="/', `content="http://${request.headers.host}/`)
        .replaceAll(/(Url":")\//gu, `$1http://${request.headers.host}/`);
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(text);
    } else if (pathname === "/talk.mp4") {
      send(response, media["/talk.mp4"], "video/mp4", request.headers.range, held.hold);
    } else if (pathname === "/poster.jpg") send(response, media["/poster.jpg"], "image/jpeg", undefined);
    else if (pathname === "/talk.en.vtt") send(response, Buffer.from(webVtt()), "text/vtt", undefined);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(held, {
    host,
    url: `http://${host}`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      })
  });
};
