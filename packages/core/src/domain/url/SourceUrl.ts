/**
 * The URL of a submit: parsed, rejected where the text alone suffices, and normalised, so that one page has one
 * cache key.
 *
 * The egress guard, which resolves the host, decides whether it is public.
 */
import * as Result from "effect/Result";
import { classifyUrl, type ListingKind, withFragmentInPath } from "./Platform.ts";
import { InvalidUrl, UnsupportedUrl, type UrlRefused } from "../request/Refusal.ts";
import { queryWithoutTracking, withoutTracking } from "./Tracking.ts";
import { URL_CHARS_MAX } from "./UrlLength.ts";

export interface SourceUrl {
  /** As submitted. */
  readonly submitted: string;
  /** Absolute http or https URL without credentials; normalisation is idempotent. */
  readonly normalized: string;
}

const invalid = (reason: string, message: string): Result.Result<never, InvalidUrl> =>
  Result.fail(new InvalidUrl({ message, details: { param: "url", reason } }));

const tooLong = invalid(
  "too_long",
  `\`url\` is longer than ${URL_CHARS_MAX} characters: leave out the parameters that the page does not need.`
);

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const CONTROL_CHARACTER = /[\u0000-\u001f\u007f-\u009f\ud800-\udfff]/u;

/** Faults in the text before a parser repairs it; the first match is reported. */
const PROBLEMS: ReadonlyArray<readonly [pattern: RegExp, reason: string, message: string]> = [
  [
    CONTROL_CHARACTER,
    "control_character",
    "`url` contains a control character such as a line break: pass one URL on one line."
  ],
  [/\\/u, "backslash", "`url` contains a backslash: use / as separator, or %5C for a literal backslash."],
  [
    /^(?!https?:\/\/[^/?#])/iu,
    "not_absolute",
    "`url` must be a whole address that begins with https://, such as https://example.com/article."
  ]
];

/** Schemes other than http and https. Text before a port is a host: `localhost:3000/a`. */
const OTHER_SCHEME = /^(?!https?:)[a-z][a-z0-9+.-]*:(?!\d{1,5}(?:[/?#]|$))/iu;

const unsupported = (reason: string, message: string): Result.Result<never, UnsupportedUrl> =>
  Result.fail(new UnsupportedUrl({ message, details: { param: "url", reason } }));

const unparseable = invalid(
  "unparseable",
  "`url` cannot be parsed: copy it from the address bar of a browser."
);

const parse = (input: string): Result.Result<URL, UrlRefused> => {
  if (input.length > URL_CHARS_MAX) return tooLong;
  const text = input.replace(/^ +| +$/gu, "");
  if (OTHER_SCHEME.test(text) && !CONTROL_CHARACTER.test(text) && URL.canParse(text)) {
    return unsupported(
      "scheme",
      "`url` must begin with http:// or https://: other schemes are not supported."
    );
  }
  const problem = PROBLEMS.find(([pattern]) => pattern.test(text));
  if (problem !== undefined) return invalid(problem[1], problem[2]);
  const url = URL.parse(text);
  if (url === null) return unparseable;
  if (url.username !== "" || url.password !== "" || /^[^/]*\/\/[^/?#]*@/u.test(text)) {
    return unsupported(
      "credentials",
      "`url` contains a user name or password: only public pages are fetched, so remove the part before @."
    );
  }
  url.hostname = url.hostname.replace(/\.$/u, "");
  return /^\.|\.\.|\.$|^$/u.test(url.hostname) ? unparseable : Result.succeed(url);
};

/** Any page may have these: `#section-2`, `#comment-12345`, `#top`, a time `#t=90`, a text `#:~:text=a`, `#utm_id=a`. */
const ANCHOR =
  /^#(?:$|:~:|(?:t|at|start|time|time_continue|xtor|utm_\w+|sp|del|autoplay|ref|share)=|(?:section|chapter|heading|part|page|note|fn|footnote|cite|ref|comments?|issuecomment|reply|respond|post|toc|table-of-contents|ath|p|l|h)[-_.:]?\d*(?:[-_]\d+)*$|(?:top|bottom|main|content|menu|footer|header|player|video|info|share|download|details)$)/iu;

/** A route (`#!/talk/1`), `#name=value`, or an identifier: `#clip`, `#video-12`, `#12345`, `#dQw4w9WgXcQ`. */
const NAMES =
  /^#(?:[!/]|clipe?$)|[/=]|\d{5}|^#(?:video|clip|episode|track|song|photo|film)[-_:]?\d+$|(?=[\w.-]*\d)(?=[\w.-]*[a-z])[\w.]{8,}/iu;

/** A last path segment that never names a work: `/tv/`, `/video`, `/player.html`. */
const NAMELESS_PATH = /(?:^|\/)(?:[a-z]*|[\w-]+\.(?:html?|php|aspx?|jsp|xsp))\/?$/iu;

/**
 * Whether the fragment may identify what the page shows. On a page whose path identifies nothing, a fragment of
 * several words does. In doubt it is kept: two keys for one page cost a second inspection, but one key for two
 * pages would return the wrong one.
 */
const namesContent = ({ hash, pathname }: URL): boolean =>
  !ANCHOR.test(hash) && (NAMES.test(hash) || (NAMELESS_PATH.test(pathname) && /\w[-_]\w/u.test(hash)));

const LISTINGS: Readonly<Record<ListingKind, string>> = {
  channel: "the page of a channel or person",
  playlist: "a playlist or album",
  search: "a search, feed or start page",
  live: "a live page, which shows whatever is currently broadcast"
};

const listing = (kind: ListingKind): Result.Result<never, UnsupportedUrl> =>
  unsupported(kind, `\`url\` is ${LISTINGS[kind]}: submit the address of one video, post or article on it.`);

/** A URL may wrap another one, such as a redirecting page; this bounds how many are unwrapped. */
const WRAPPED_URLS_MAX = 3;

const normalize = (input: string, unwrapped: number): Result.Result<string, UrlRefused> => {
  const parsed = parse(input);
  if (Result.isFailure(parsed)) return Result.fail(parsed.failure);
  const url = withFragmentInPath(withoutTracking(parsed.success));
  url.search = queryWithoutTracking(url);
  if (!namesContent(url)) url.hash = "";
  const place = classifyUrl(url);
  if (place._tag === "listing") return listing(place.kind);
  if (place._tag === "elsewhere" && unwrapped < WRAPPED_URLS_MAX) {
    const target = normalize(place.url, unwrapped + 1);
    if (Result.isSuccess(target) || Object.hasOwn(LISTINGS, target.failure.details.reason)) {
      return target;
    }
  }
  const normalized = place._tag === "work" ? place.url : url.href;
  return normalized.length > URL_CHARS_MAX ? tooLong : Result.succeed(normalized);
};

/** The same error about the address of a listing. */
const aboutListing = (refused: UrlRefused): UrlRefused =>
  new (refused._tag === "InvalidUrl" ? InvalidUrl : UnsupportedUrl)({
    message: refused.message.replaceAll("`url`", "`listingUrl`"),
    details: { ...refused.details, param: "listingUrl" }
  });

/**
 * The address of a channel or playlist, which is kept as it is: what it lists is seen when it is read.
 *
 * @fails UrlRefused {param: "listingUrl", reason: "scheme" | "credentials"}
 */
export const parseListingUrl = (input: string): Result.Result<string, UrlRefused> =>
  Result.mapBoth(parse(input), { onSuccess: ({ href }) => href, onFailure: aboutListing });

/**
 * @fails InvalidUrl not an absolute URL, or too long
 * @fails UnsupportedUrl {reason: "scheme" | "credentials" | "channel" | "playlist" | "search" | "live"}
 */
export const parseSourceUrl = (input: string): Result.Result<SourceUrl, UrlRefused> =>
  Result.map(normalize(input, 0), (normalized) => ({ submitted: input, normalized }));
