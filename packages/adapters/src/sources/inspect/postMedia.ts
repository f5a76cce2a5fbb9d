/**
 * What is special about platforms: posts with several media, which extractors return one, and which entries are videos and
 * photos; players that show what pages hide.
 */
import { isDownloadable, isFetchable, isImage } from "./formats.ts";
import type { PageMetadata } from "@winnow/pages/facts/PageReading";
import type { FailureClass } from "../failures/classify.ts";
import type { Info } from "../yt-dlp/InfoDict.ts";

/** yt-dlp extractors whose lists are single posts; all other lists contain unrelated works. */
const POST_EXTRACTOR =
  /^(?:Twitter|Bluesky|Instagram|InstagramStory|Facebook|Reddit|Threads|Tumblr|Weibo|VKWallPost|LinkedIn|Patreon|Truth|TruthSocial|Gettr|TelegramEmbed|SnapchatSpotlight)$/u;

export const isPost = ({ extractor }: Info): boolean => POST_EXTRACTOR.test(extractor);

/** Extractor names of profiles and lists, which are never a post, however short. */
const LISTING_EXTRACTOR = new RegExp(
  `(?:${[
    "Tab|User(?:s|Videos|Tracks|Permalink)?|Profile|Member|Person|Account|Artist|Singer|Channel|Campaign",
    "(?:Search|Tag)(?:URL|Date)?|Tags|Hashtag|Category|Topic|Section|Hub|Related|Sound|Effect|Station|Chart",
    "Playlists?|(?:[a-z]L|TopL|l)ist|Mylist|Watchlater|History|Favou?rites?|Likes?|Folder|Feed|Catalog|Compilation",
    "Albums?|Tracks|Sets?|Series|Serie|Season|Shows?|Program(?:me)?|Episodes|Podcast|Audition|Course|Collections?",
    "Group|Videos(?:Clips|Upload|Collections)?|Lives|Vods|Stack"
  ].join("|")})$`,
  "u"
);

/** Applied only to lists, because some of these words are also company names. */
export const isListing = ({ extractor }: Info): boolean => LISTING_EXTRACTOR.test(extractor);

/** Platforms whose posts can mix photos and videos; yt-dlp reports only the videos. */
const MIXED = /(?:^|\.)(?:x\.com|twitter\.com|instagram\.com|tumblr\.com|threads\.(?:net|com)|weibo\.com)$/u;

export const mayHaveExtraPhotos = (url: string): boolean => MIXED.test(URL.parse(url)?.hostname ?? "");

export const isImageEntry = (entry: Info): boolean =>
  entry.formats.length > 0 &&
  entry.formats.every((format) => isImage({ ...format, ext: format.ext ?? entry.ext }));

export const isVideoEntry = (entry: Info): boolean =>
  !isImageEntry(entry) && entry.formats.some((format) => isFetchable(format) && isDownloadable(format));

// Finds a platform's embeddable player, which is often public when the page itself requires an account: newer Vimeo
// extractors use an API that requires a log-in, and owners may hide videos from Vimeo's own pages only. Pure.

/** `https://vimeo.com/123/abcdef01`: an unlisted video has a hash. */
const VIMEO = /^https:\/\/vimeo\.com\/(\d+)(?:\/([0-9a-f]{8,}))?$/u;

/** The URL of a work's player; null if none is known. `url` must be normalised. */
export const embeddedPlayerOf = (url: string): string | null => {
  const [, id, hash] = VIMEO.exec(url) ?? [];
  if (id === undefined) return null;
  return `https://player.vimeo.com/video/${id}${hash === undefined ? "" : `?h=${hash}`}`;
};

/** Verdicts of a page that do not rule out its embeddable player. */
export const MAY_BE_EMBEDDED: ReadonlySet<FailureClass> = new Set(["login_required", "private", "removed"]);

/** Verdicts of a player about its work or this server; others may mean that there is no player. */
export const VERDICTS_OF_PLAYERS: ReadonlySet<FailureClass> = new Set([
  "live",
  "private",
  "rate_limited",
  "bot_blocked",
  "geo_restricted",
  "age_restricted"
]);

/** What a player does not tell of its work, from the work's own page. */
export const withCountsOf = (info: Info, page: PageMetadata): Info => ({
  ...info,
  description: info.description ?? page.description,
  uploadDate: info.uploadDate ?? page.uploadDate,
  viewCount: info.viewCount ?? page.viewCount,
  likeCount: info.likeCount ?? page.likeCount,
  commentCount: info.commentCount ?? page.commentCount
});
