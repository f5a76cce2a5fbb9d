/**
 * What a page is about and offers, and whether it is a video, a photo post or a page to read.
 *
 * video: the page declares itself one (og:type, a VideoObject without an article, an og:video outside an
 * article), or it contains a video element, a media URL or a frame of a known player and has little text. An
 * article with an embedded video is a webpage. photos: a declared image gallery, or at least two og:images, with
 * little text. Everything else is a webpage. Tests: Media.test.ts.
 */
import { isForced } from "@winnow/core/domain/text/LanguageTag";
import { hasType, type JsonLdGraph, type JsonLdNode, stringsOf, typeSet } from "../parse/JsonLd.ts";
import { type Resolve, resolveAll } from "../parse/Address.ts";
import { languageTag } from "./Language.ts";
import {
  ARTICLE_TEXT_CHARS_MIN,
  IMAGES_MAX,
  LOGIN_WALL_TEXT_CHARS_MAX,
  SLIDES_TEXT_CHARS_MAX,
  SUBTITLES_MAX,
  VIDEOS_MAX
} from "../PageLimits.ts";
import type { PageKind, PageMedia, PageSubtitle, SubtitleLabel } from "./PageReading.ts";
import type { FactScan } from "./FactScan.ts";
import { ARTICLE_TYPES } from "./ThingTypes.ts";

const VIDEOS = [typeSet("VideoObject")];
const GALLERIES = [typeSet("ImageGallery MediaGallery")];
const POSTS = [typeSet("SocialMediaPosting")];
/** In order: an article may state products, reviews and questions that are sections of it, even before itself. */
const ARTICLES = [
  typeSet(ARTICLE_TYPES),
  typeSet(
    "APIReference DiscussionForumPosting QAPage Recipe HowTo Course Event JobPosting Book Product Review Question"
  )
];
const PAGES = [
  typeSet("WebPage AboutPage ItemPage CollectionPage ProfilePage MedicalWebPage CreativeWork"),
  typeSet("FAQPage")
];
const QUESTIONS = typeSet("Question");
const QUESTION_LISTS = typeSet("FAQPage");

const hasQuestionList = (entities: ReadonlyArray<JsonLdNode>): boolean =>
  entities.some((entity) => hasType(entity, QUESTION_LISTS));

/** The entities that a page is about, by type, according to its structured data. */
export interface PageEntities {
  readonly video: JsonLdNode | null;
  readonly gallery: JsonLdNode | null;
  readonly post: JsonLdNode | null;
  readonly article: JsonLdNode | null;
  readonly page: JsonLdNode | null;
}

type Choose = (ofKind: ReadonlyArray<JsonLdNode>) => JsonLdNode | undefined;

/** Without the questions of a list, which are sections of a page. */
const entitiesBy = (all: ReadonlyArray<JsonLdNode>, choose: Choose): PageEntities => {
  const entities = hasQuestionList(all) ? all.filter((entity) => !hasType(entity, QUESTIONS)) : all;
  const first = (kinds: ReadonlyArray<ReadonlySet<string>>): JsonLdNode | null => {
    const each = kinds.map((types) => entities.filter((entity) => hasType(entity, types)));
    return choose(each.find((ofKind) => ofKind.length > 0) ?? []) ?? null;
  };
  return {
    video: first(VIDEOS),
    gallery: first(GALLERIES),
    post: first(POSTS),
    article: first(ARTICLES),
    page: first(PAGES)
  };
};

export const pageEntities = ({ entities }: JsonLdGraph): PageEntities =>
  entitiesBy(entities, ([entity]) => entity);

/**
 * From microdata, which marks cards of other pages like the page itself: an entity counts only if there is no
 * other of its kind.
 */
export const markedEntities = ({ entities }: JsonLdGraph): PageEntities =>
  entitiesBy(entities, ([only, another]) => (another === undefined ? only : undefined));

const metaOf = (scan: FactScan, keys: ReadonlyArray<string>): ReadonlyArray<string> =>
  keys.flatMap((key) => scan.meta.get(key) ?? []);

/** `og:video` is often the URL of a player page. */
const sharedVideos = (scan: FactScan): ReadonlyArray<string> => {
  const isPage = metaOf(scan, ["og:video:type"]).some((type) => /html|flash/i.test(type));
  const urls = metaOf(scan, ["og:video:secure_url", "og:video:url", "og:video", "twitter:player:stream"]);
  return isPage ? urls.filter((url) => MEDIA_PATH.test(url)) : urls;
};

const MEDIA_PATH = /\.(mp4|m4v|webm|mov|mkv|m3u8|mpd)(?=$|[?#])/i;

/** Media URLs in the set-up of a JW player, which is code rather than JSON: `file: "/talk.mp4"`. */
const playerVideos = (scan: FactScan): ReadonlyArray<string> =>
  scan.playerScripts
    .flatMap((script) => [...script.matchAll(/["']?\bfile["']?\s*:\s*(["'])([^"'\s]{1,4096})\1/g)])
    .map((match) => (match[2] ?? "").replaceAll("\\/", "/"))
    .filter((url) => MEDIA_PATH.test(url));

/** Decorative videos come last: if a page has another video, that is the one it is about. */
export const videoUrls = (
  scan: FactScan,
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

export const subtitles = (
  scan: FactScan,
  resolve: Resolve
): Pick<PageMedia, "subtitles" | "subtitleLabels"> => {
  const found = new Map<string, PageSubtitle>();
  const labels: Array<SubtitleLabel> = [];
  for (const { label, language, src } of scan.videos.flatMap((video) => video.tracks)) {
    const url = resolve(src);
    if (url === null) continue;
    labels.push({ url, label: `${language ?? ""} ${label}`.trim() });
    if (!isForced(labels.at(-1)?.label ?? "") && !found.has(url))
      found.set(url, { language: languageTag(language) ?? "und", url });
    if (labels.length === SUBTITLES_MAX) break;
  }
  return { subtitles: [...found.values()], subtitleLabels: labels };
};

export interface PageImages {
  /** Images of a gallery that the page declares. */
  readonly gallery: ReadonlyArray<string>;
  /** Images that the page offers for sharing. */
  readonly shared: ReadonlyArray<string>;
  readonly figures: ReadonlyArray<string>;
}

export const pageImages = (scan: FactScan, { gallery, post }: PageEntities, resolve: Resolve): PageImages => {
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

export interface KindInput {
  readonly scan: FactScan;
  readonly entities: PageEntities;
  readonly images: PageImages;
  readonly videoUrls: ReadonlyArray<string>;
  readonly text: string;
}

/** Of frames: `https://player.vimeo.com/video/76979871`, `//www.youtube-nocookie.com/embed/ID`. */
const KNOWN_PLAYERS =
  /^(?:https?:)?\/\/(?:www\.)?(?:youtube(?:-nocookie)?\.com\/embed|player\.vimeo\.com\/video|(?:geo\.)?dailymotion\.com\/(?:embed|player)|fast\.wistia\.(?:net|com)\/embed|player\.twitch\.tv|players\.brightcove\.net|cdn\.jwplayer\.com\/players|(?:www\.)?tiktok\.com\/(?:embed|player)|iframe\.mediadelivery\.net\/embed)/i;

const SLIDES_MIN = 2;

const isArticle = ({ entities, scan }: KindInput): boolean =>
  entities.article !== null ||
  hasQuestionList(scan.jsonLd.entities) ||
  scan.meta.get("og:type")?.[0]?.toLowerCase() === "article";

const declaresVideo = (input: KindInput): boolean => {
  const { entities, scan } = input;
  if (/^video/i.test(scan.meta.get("og:type")?.[0] ?? "")) return true;
  if (isArticle(input)) return false;
  return entities.video !== null || scan.meta.has("og:video") || scan.meta.has("og:video:url");
};

const holdsVideo = ({ entities, scan, videoUrls }: KindInput): boolean =>
  videoUrls.length > 0 ||
  entities.video !== null ||
  scan.videos.some(({ decorative }) => !decorative) ||
  scan.frameUrls.some((url) => KNOWN_PLAYERS.test(url.trim()));

const isPhotoPost = (input: KindInput): boolean => {
  const { entities, images, scan, text } = input;
  if (entities.gallery !== null && images.gallery.length > 0) return text.length < ARTICLE_TEXT_CHARS_MIN;
  const isGoods = /^(product|website|profile)/i.test(scan.meta.get("og:type")?.[0] ?? "");
  const slides = Math.max(images.shared.length, entities.post === null ? 0 : images.gallery.length);
  return slides >= SLIDES_MIN && text.length < SLIDES_TEXT_CHARS_MAX && !isGoods;
};

export const pageKind = (input: KindInput): PageKind => {
  if (declaresVideo(input)) return "video";
  if (holdsVideo(input) && input.text.length < ARTICLE_TEXT_CHARS_MIN) return "video";
  return isPhotoPost(input) ? "photos" : "webpage";
};

/** The page has a password field and shows almost nothing else. */
export const isLoginWall = ({ images, scan, text, videoUrls }: KindInput): boolean =>
  scan.passwordFieldCount > 0 &&
  text.length < LOGIN_WALL_TEXT_CHARS_MAX &&
  videoUrls.length === 0 &&
  images.gallery.length === 0;
