/** Videos, subtitles and images that a page offers. */
import { resolveAll } from "./Address.js";
import { stringsOf } from "./JsonLd.js";
import { languageTag } from "./Language.js";
import { IMAGES_MAX, SUBTITLES_MAX, VIDEOS_MAX } from "./PageLimits.js";
const metaOf = (scan, keys) => keys.flatMap((key) => scan.meta.get(key) ?? []);
/** `og:video` is often the address of a player page. */
const sharedVideos = (scan) => {
    const isPage = metaOf(scan, ["og:video:type"]).some((type) => /html|flash/i.test(type));
    const urls = metaOf(scan, ["og:video:secure_url", "og:video:url", "og:video", "twitter:player:stream"]);
    return isPage ? urls.filter((url) => MEDIA_PATH.test(url)) : urls;
};
const MEDIA_PATH = /\.(mp4|m4v|webm|mov|mkv|m3u8|mpd)(?=$|[?#])/i;
/** Addresses of media in the set-up of a JW player, which is code and not JSON. */
const playerVideos = (scan) => scan.playerScripts
    .flatMap((script) => [...script.matchAll(/["']?\bfile["']?\s*:\s*(["'])([^"'\s]{1,4096})\1/g)])
    .map((match) => (match[2] ?? "").replaceAll("\\/", "/"))
    .filter((url) => MEDIA_PATH.test(url));
/** Decorative videos come last: a page with another one means that. */
export const videoUrls = (scan, { video }, resolve) => {
    const sourcesOf = (decorative) => scan.videos.filter((element) => element.decorative === decorative).flatMap((element) => element.sources);
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
export const subtitles = (scan, resolve) => {
    const found = new Map();
    for (const { language, src } of scan.videos.flatMap((video) => video.tracks)) {
        const url = resolve(src);
        if (url !== null && !found.has(url))
            found.set(url, { language: languageTag(language) ?? "und", url });
        if (found.size >= SUBTITLES_MAX)
            break;
    }
    return [...found.values()];
};
export const pageImages = (scan, { gallery, post }, resolve) => {
    const declared = ["image", "associatedMedia", "hasPart"].map((key) => {
        const entity = gallery ?? post;
        const references = entity === null ? [] : stringsOf(scan.jsonLd, entity, key, ["contentUrl", "url", "@id"]);
        return resolveAll(resolve, references, IMAGES_MAX);
    });
    return {
        gallery: declared.find((images) => images.length > 0) ?? [],
        shared: resolveAll(resolve, metaOf(scan, ["og:image", "og:image:url"]), IMAGES_MAX),
        figures: resolveAll(resolve, scan.figureImages, IMAGES_MAX)
    };
};
