/** Videos, subtitles and images that a page offers. */
import { type Resolve, resolveAll } from "../tree/Address.ts";
import { stringsOf } from "../tree/JsonLd.ts";
import { languageTag } from "./Language.ts";
import type { PageEntities } from "./PageEntities.ts";
import { IMAGES_MAX, SUBTITLES_MAX, VIDEOS_MAX } from "../PageLimits.ts";
import type { PageSubtitle } from "./PageReading.ts";
import type { PageScan } from "../tree/PageScan.ts";

const metaOf = (scan: PageScan, keys: ReadonlyArray<string>): ReadonlyArray<string> =>
  keys.flatMap((key) => scan.meta.get(key) ?? []);

/** `og:video` is often the URL of a player page. */
const sharedVideos = (scan: PageScan): ReadonlyArray<string> => {
  const isPage = metaOf(scan, ["og:video:type"]).some((type) => /html|flash/i.test(type));
  const urls = metaOf(scan, ["og:video:secure_url", "og:video:url", "og:video", "twitter:player:stream"]);
  return isPage ? urls.filter((url) => MEDIA_PATH.test(url)) : urls;
};

const MEDIA_PATH = /\.(mp4|m4v|webm|mov|mkv|m3u8|mpd)(?=$|[?#])/i;

/** Media URLs in the set-up of a JW player, which is code rather than JSON. */
const playerVideos = (scan: PageScan): ReadonlyArray<string> =>
  scan.playerScripts
    .flatMap((script) => [...script.matchAll(/["']?\bfile["']?\s*:\s*(["'])([^"'\s]{1,4096})\1/g)])
    .map((match) => (match[2] ?? "").replaceAll("\\/", "/"))
    .filter((url) => MEDIA_PATH.test(url));

/** Decorative videos come last: if a page has another video, that is the one it is about. */
export const videoUrls = (
  scan: PageScan,
  { video }: PageEntities,
  resolve: Resolve
): ReadonlyArray<string> => {
  const sourcesOf = (decorative: boolean): ReadonlyArray<string> =>
    scan.videos.filter((element) => element.decorative === decorative).flatMap((element) => element.sources);
  const declared = video === null ? [] : stringsOf(scan.jsonLd, video, "contentUrl", ["url"]);
  const references = [
    ...declared,
    ...sourcesOf(false),
    ...playerVideos(scan),
    ...sharedVideos(scan),
    ...sourcesOf(true)
  ];
  return resolveAll(resolve, references, VIDEOS_MAX);
};

export const subtitles = (scan: PageScan, resolve: Resolve): ReadonlyArray<PageSubtitle> => {
  const found = new Map<string, PageSubtitle>();
  for (const { language, src } of scan.videos.flatMap((video) => video.tracks)) {
    const url = resolve(src);
    if (url !== null && !found.has(url)) found.set(url, { language: languageTag(language) ?? "und", url });
    if (found.size >= SUBTITLES_MAX) break;
  }
  return [...found.values()];
};

export interface PageImages {
  /** Images of a gallery that the page declares. */
  readonly gallery: ReadonlyArray<string>;
  /** Images that the page offers for sharing. */
  readonly shared: ReadonlyArray<string>;
  readonly figures: ReadonlyArray<string>;
}

export const pageImages = (scan: PageScan, { gallery, post }: PageEntities, resolve: Resolve): PageImages => {
  const declared = ["image", "associatedMedia", "hasPart"].map((key) => {
    const entity = gallery ?? post;
    const references =
      entity === null ? [] : stringsOf(scan.jsonLd, entity, key, ["contentUrl", "url", "@id"]);
    return resolveAll(resolve, references, IMAGES_MAX);
  });
  return {
    gallery: declared.find((images) => images.length > 0) ?? [],
    shared: resolveAll(resolve, metaOf(scan, ["og:image", "og:image:url"]), IMAGES_MAX),
    figures: resolveAll(resolve, scan.figureImages, IMAGES_MAX)
  };
};
