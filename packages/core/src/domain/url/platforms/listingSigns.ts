/**
 * Recognises listings on sites without a table by words with the same meaning everywhere: `/playlist/ID`,
 * `/channel/NAME/videos`. Only if nothing else in the URL may name a single work, and, for words that shops, forums
 * and manuals use too, if the host or path shows that it is about media.
 */
import type { ListingKind } from "./Route.ts";

/** Where a word means a listing: on any site, or only with a word for media or music. */
type Where = "anywhere" | "media" | "music";

interface Word {
  readonly kind: ListingKind;
  readonly where: Where;
}

const words = (kind: ListingKind, where: Where, names: string): ReadonlyArray<readonly [string, Word]> =>
  names.split("|").map((name) => [name, { kind, where }]);

/** Words before the name of a listing. `show`, `program`, `podcast` and `topic` often name single works. */
const LISTING_WORDS: ReadonlyMap<string, Word> = new Map([
  ...words("playlist", "anywhere", "playlist|playlists|plst"),
  ...words("playlist", "media", "series|serie|toplist"),
  // An album of images is one post.
  ...words("playlist", "music", "album|albums"),
  ...words("channel", "anywhere", "channel|channels"),
  ...words(
    "channel",
    "media",
    "user|users|u|profile|profiles|artist|artists|creator|creators|singer|members"
  ),
  ...words("search", "media", "tag|tags|hashtag|genre")
]);

/** Sites whose `/channel/…` and `/user/…` list media, by their host or by a path such as `/videos/`. */
const MEDIA_HOST =
  /video|tube|tv|vod|stream|clip|musi[ck]|song|audio|radio|sound|podcast|anime|watch|film|movie|mp3|gif/u;
const MUSIC_HOST = /musi[ck]|song|audio|radio|sound|podcast|mp3/u;
const MEDIA_PATH = /\/(?:videos?|clips?|tracks|songs|playlists?|uploads?|vod|music|season)(?:[/:_-]|$)/iu;
const MUSIC_PATH = /\/(?:tracks|songs|music|playlists?)(?:[/:_-]|$)/iu;

/** What may follow the name of a listing: a tab, a page, a season. */
const TAB =
  /^(?:videos?|shorts|clips?|streams|about|featured|community|albums?|tracks|songs|playlists?|episodes|all|feed|popular|latest|newest|home|archive|uploads?|music|movies|favou?rites?|\w+_videos|page|seasons?|season[-:_]?\d+|vod|replay|duration|time|rating|views?)$/u;

/** Before a listing's word, these name the work shown beside it, or an endpoint of the site. */
const WORK =
  /^(?:episodes?|videos?|watch|v|play|player|posts?|clips?|tracks?|songs?|story|stories|articles?|news|read|reader|embed|live|api|docs?|help|support|forums?|wiki|latest)$/u;

/** Parameters that sort or page a listing; any other may name a work. */
const ORDER =
  /^(?:page|p|sort|order|orderby|order_by|view|type|tab|season|lang|hl|locale|filter|period|tag|min_\w+|max_\w+|res|src|ref)$/u;

/** Parameters with search terms. */
const QUERY = /^(?:q|query|k|key|keyword|keywords|s|search|search_query|term|text|w|tags)$/u;

const HAS_LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

const afterName = (rest: ReadonlyArray<string>): ReadonlyArray<string> | null => {
  const [name = "", second = ""] = rest;
  if (!HAS_LETTER_OR_DIGIT.test(name) || /\.\w{2,5}$/u.test(name)) return null;
  // A number followed by words is one name.
  return /^\d+$/u.test(name) && second !== "" && !TAB.test(second) && !WORK.test(second)
    ? rest.slice(2)
    : rest.slice(1);
};

const isSearch = ({ pathname, searchParams }: URL): boolean =>
  /\/search\/?$/u.test(pathname) && [...searchParams.keys()].some((name) => QUERY.test(name));

/** The kind of listing that a URL without a table shows; null if unclear. A fragment names a work. */
export const listingSign = (url: URL): ListingKind | null => {
  if (url.hash !== "") return null;
  const isMedia = MEDIA_HOST.test(url.hostname) || MEDIA_PATH.test(url.pathname);
  const isWhere: Readonly<Record<Where, boolean>> = {
    anywhere: true,
    media: isMedia,
    music: isMedia && (MUSIC_HOST.test(url.hostname) || MUSIC_PATH.test(url.pathname))
  };
  if (isMedia && isSearch(url)) return "search";
  if (![...url.searchParams.keys()].every((name) => ORDER.test(name))) return null;
  const path = url.pathname.toLowerCase().replace(/\/(page|seasons?)\/\d+/gu, "/$1");
  const parts = path.split("/").filter(Boolean);
  const [first = "", ...tabs] = parts;
  if (MEDIA_PATH.test(url.pathname) && /^@[^@]+$/u.test(first) && tabs.every((tab) => TAB.test(tab)))
    return "channel";
  for (const [at, part] of parts.entries()) {
    const word = LISTING_WORDS.get(part);
    if (word === undefined) {
      if (WORK.test(part)) return null;
      continue;
    }
    if (!isWhere[word.where]) return null;
    const following = afterName(parts.slice(at + 1));
    return following?.every((tab) => TAB.test(tab)) === true ? word.kind : null;
  }
  return null;
};
