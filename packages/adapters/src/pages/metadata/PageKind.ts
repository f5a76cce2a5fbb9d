/**
 * Whether a page is a video, a photo post or a page to read.
 *
 * video: the page declares itself one (og:type, a VideoObject without an article, an og:video outside an
 * article), or it contains a video element, a media URL or a frame of a known player and has little text. An
 * article with an embedded video is a webpage. photos: a declared image gallery, or at least two og:images, with
 * little text. Everything else is a webpage.
 */
import type { PageImages } from "./Media.ts";
import { hasQuestionList, type PageEntities } from "./PageEntities.ts";
import { ARTICLE_TEXT_CHARS_MIN, LOGIN_WALL_TEXT_CHARS_MAX, SLIDES_TEXT_CHARS_MAX } from "../PageLimits.ts";
import type { PageKind } from "./PageReading.ts";
import type { PageScan } from "../tree/PageScan.ts";

export interface KindInput {
  readonly scan: PageScan;
  readonly entities: PageEntities;
  readonly images: PageImages;
  readonly videoUrls: ReadonlyArray<string>;
  readonly text: string;
}

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
