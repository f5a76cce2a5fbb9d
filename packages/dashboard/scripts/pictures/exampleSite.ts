/**
 * The sites in the pictures, over TLS under names below `example`: a talk of ten minutes, a recipe, a shop, an essay and
 * a photo post. Their media are drawn by Chromium; only the talk's film is put together by ffmpeg.
 */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { SLIDES } from "../../../../examples/site/media.ts";
import { PAGES } from "../../../../examples/site/pages.ts";
import { testAuthority } from "@winnow/isolation/test/network/TestAuthority";
import { TALK_SECONDS, webVtt } from "../../test/TalkSite.ts";
import { loaf, paperBag, sieve, threshingFloor, type Size } from "./drawnScenes.ts";

const WIDE: Size = { width: 960, height: 540 };
const TALL: Size = { width: 800, height: 1_000 };

/** Scenes of the film, each shown equally long. */
const SCENES = 12;

const PRODUCTS = [
  { path: "/spelt-flour", label: "Spelt flour", price: "4.20" },
  { path: "/rye-flour", label: "Rye flour", price: "3.60" },
  { path: "/oat-flakes", label: "Oat flakes", price: "2.95" }
] as const;

type Media = ReadonlyMap<string, Buffer>;

const draw = async (page: Page, svg: string, size: Size): Promise<Buffer> => {
  await page.setViewportSize(size);
  await page.setContent(`<body style="margin:0">${svg}</body>`);
  return page.screenshot({ type: "jpeg", quality: 88 });
};

/** Few frames a second and a hum: enough to be played, sought and measured. */
const film = async (scenes: ReadonlyArray<Buffer>): Promise<Buffer> => {
  const folder = await mkdtemp(path.join(tmpdir(), "winnow-film-"));
  await Promise.all(scenes.map((scene, index) => writeFile(path.join(folder, `${index}.jpg`), scene)));
  const file = path.join(folder, "talk.mp4");
  const input = ["-framerate", `${scenes.length}/${TALK_SECONDS}`, "-i", path.join(folder, "%d.jpg")];
  const sound = ["-f", "lavfi", "-i", `sine=frequency=220:sample_rate=8000:duration=${TALK_SECONDS}`];
  const picture = "-c:v libx264 -preset ultrafast -tune stillimage -pix_fmt yuv420p -r 2 -g 10".split(" ");
  const rest = "-c:a aac -aac_coder fast -b:a 32k -movflags +faststart".split(" ");
  const program = process.env["WINNOW_FFMPEG"] ?? "ffmpeg";
  await promisify(execFile)(program, [
    "-nostdin",
    "-loglevel",
    "error",
    ...input,
    ...sound,
    ...picture,
    ...rest,
    file
  ]);
  const bytes = await readFile(file);
  await rm(folder, { recursive: true });
  return bytes;
};

/** By host and path. */
const mediaOf = async (page: Page): Promise<Media> => {
  const media = new Map<string, Buffer>();
  const scenes: Array<Buffer> = [];
  for (let seed = 0; seed < SCENES; seed++) scenes.push(await draw(page, threshingFloor(WIDE, seed), WIDE));
  media.set("talks.example/media/poster.jpg", scenes[1] ?? Buffer.alloc(0));
  media.set("talks.example/media/talk.mp4", await film(scenes));
  media.set("talks.example/media/talk.en.vtt", Buffer.from(webVtt()));
  media.set("kitchen.example/media/poster.jpg", await draw(page, loaf(WIDE), WIDE));
  for (const { path: name, label } of PRODUCTS)
    media.set(`shop.example/media${name}.jpg`, await draw(page, paperBag(WIDE, label), WIDE));
  media.set("essays.example/media/poster.jpg", scenes[2] ?? Buffer.alloc(0));
  for (let slide = 1; slide <= SLIDES; slide++)
    media.set(`photos.example/media/slide${slide}.jpg`, await draw(page, sieve(TALL, slide ** 2 + 4), TALL));
  return media;
};

const jsonLd = (value: object): string =>
  `<script type="application/ld+json">${JSON.stringify({ "@context": "https://schema.org", ...value })}</script>`;

const TALK = "What the wind knows: ten minutes on winnowing";

const talkPage = (base: string): string => `<!doctype html><html lang="en"><head><meta charset="utf-8">
<title>${TALK}</title><meta property="og:type" content="video.other">
<meta property="og:image" content="${base}/media/poster.jpg">
${jsonLd({
  "@type": "VideoObject",
  name: TALK,
  description: "Ten minutes on threshing floors, wind, and why it still works.",
  thumbnailUrl: `${base}/media/poster.jpg`,
  uploadDate: "2026-03-14T19:30:00+01:00",
  duration: `PT${TALK_SECONDS}S`,
  contentUrl: `${base}/media/talk.mp4`,
  author: { "@type": "Person", name: "Ada Korn" }
})}</head><body><main><h1>${TALK}</h1><video controls poster="/media/poster.jpg">
<source src="/media/talk.mp4" type="video/mp4">
<track kind="subtitles" srclang="en" label="English" src="/media/talk.en.vtt" default></video></main></body></html>`;

const shopPage =
  ({ path: name, label, price }: (typeof PRODUCTS)[number]) =>
  (base: string): string =>
    `<!doctype html><html lang="en"><head><meta charset="utf-8">
<title>${label}, stone-ground</title><meta property="og:type" content="article">
<meta property="og:image" content="${base}/media${name}.jpg"></head><body><main><article>
<h1>${label}, stone-ground</h1>
<p>Product: ${label}, stone-ground. Brand: Korn and Daughters. Price: ${price} euros. Weight: 1 kg.</p>
<p>Milled slowly between two stones from the Jura, so that it never gets warm, and sieved only once, by hand: what is
coarse goes to the hens next door, and what is fine goes into the bag. It keeps for six months in a dry cupboard.</p>
<p>Delivered on Tuesdays and Fridays. Whoever brings the bag back gets thirty cents for it, and a new one.</p>
</article></main></body></html>`;

const SITES: Readonly<Record<string, Readonly<Record<string, ((base: string) => string) | undefined>>>> = {
  "talks.example": { "/what-the-wind-knows": talkPage },
  "kitchen.example": { "/soda-bread": PAGES["/recipe"] },
  "shop.example": Object.fromEntries(PRODUCTS.map((product) => [product.path, shopPage(product)])),
  "essays.example": { "/what-is-heavy": PAGES["/article"] },
  "photos.example": { "/four-sieves": PAGES["/carousel"] }
};

export const HOSTS = Object.keys(SITES);

const TYPES: Readonly<Record<string, string>> = {
  ".mp4": "video/mp4",
  ".vtt": "text/vtt",
  ".jpg": "image/jpeg"
};

export interface ExampleSite extends AsyncDisposable {
  readonly port: number;
  /** PEM of the authority that vouches for its names. */
  readonly authority: string;
}

/** Draws with `page`, and serves on a free port of loopback. */
export const startExampleSite = async (page: Page): Promise<ExampleSite> => {
  const media = await mediaOf(page);
  const authority = await testAuthority();
  const server = createServer(await authority.issue(HOSTS), (request, response) => {
    const { hostname, pathname } = new URL(request.url ?? "/", `https://${request.headers.host}`);
    // Webhooks are received too.
    if (request.method === "POST") return void response.writeHead(204).end();
    const make = SITES[hostname]?.[pathname];
    const bytes =
      make === undefined ? media.get(hostname + pathname) : Buffer.from(make(`https://${hostname}`));
    if (bytes === undefined) return void response.writeHead(404).end();
    const [, from = "0", to = ""] = /^bytes=(\d+)-(\d*)$/u.exec(request.headers.range ?? "") ?? [];
    const [start, end] = [
      Number(from),
      to === "" ? bytes.length - 1 : Math.min(Number(to), bytes.length - 1)
    ];
    response.writeHead(request.headers.range === undefined ? 200 : 206, {
      "content-type": TYPES[path.extname(pathname)] ?? "text/html; charset=utf-8",
      "content-length": end - start + 1,
      "accept-ranges": "bytes",
      ...(request.headers.range === undefined
        ? {}
        : { "content-range": `bytes ${start}-${end}/${bytes.length}` })
    });
    response.end(request.method === "HEAD" ? undefined : bytes.subarray(start, end + 1));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    authority: authority.cert,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      })
  };
};
