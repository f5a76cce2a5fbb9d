/**
 * The URL of a submit: parsed, rejected where the text alone suffices, and normalised, so that one page has one
 * cache key (specification, "Errors"; contract 4).
 *
 * The egress guard, which resolves the host, decides whether it is public.
 */
import * as Result from "effect/Result";
import { classifyUrl, type ListingKind, withFragmentInPath } from "./Platform.ts";
import { InvalidUrl, UnsupportedUrl } from "./Refusal.ts";

export interface SourceUrl {
  /** As submitted. */
  readonly submitted: string;
  /** Absolute http or https URL without credentials; normalisation is idempotent. */
  readonly normalized: string;
}

/** Maximum length of the URL as written and as normalised, in characters: the limit of servers and downloaders. */
export const URL_CHARS_MAX = 2_048;

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

const parse = (input: string): Result.Result<URL, InvalidUrl | UnsupportedUrl> => {
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

/** Tracking parameters: they tell who shared or advertised a link, not what it shows. */
const TRACKING = new RegExp(
  `^(?:${[
    String.raw`utm_\w+|mtm_\w+|pk_(?:campaign|kwd|source|medium|content|cid)|hsa_\w+|itm_\w+|wt[._]z?mc\w*|xtor`,
    String.raw`at_(?:medium|campaign(?:_type)?|format|link_\w+|ptr_name|bbc_team|recipient_\w+)|s_cid|spm|_openstat`,
    String.raw`mc_[ce]id|_g[al]|_hsenc|_hsmi|__hs(?:tc|sc|fp)|hsctatracking|mkt_tok|vero_id|oly_(?:anon|enc)_id`,
    String.raw`igsh(?:id)?|fb_(?:ref|source|action_\w+)|mibextid|sfnsn|__twitter_impression|_branch_\w+|guccounter`,
    String.raw`guce_referrer(?:_\w+)?|ml_subscriber(?:_hash)?|srsltid|gad_(?:source|campaignid)|elqtrack(?:id)?`,
    "fbclid|gclid|gclsrc|gbraid|wbraid|dclid|msclkid|yclid|ysclid|twclid|ttclid|li_fat_id|rdt_cid|sccid|irclickid"
  ].join("|")})(?:=|$)`,
  "iu"
);

/** The same for names that mean something else on other hosts. */
const HOST_TRACKING: ReadonlyArray<readonly [host: RegExp, parameter: RegExp]> = [
  [/(?:^|\.)(?:youtube\.com|youtu\.be|spotify\.com|soundcloud\.com)$/u, /^(?:si|feature|pp)(?:=|$)/u],
  [/(?:^|\.)tiktok\.com$/u, /^(?:is_from_webapp|sender_device|_r|_t)(?:=|$)/u]
];

/** Without tracking parameters; the others keep their order and spelling. */
const query = (url: URL): string => {
  const own = HOST_TRACKING.filter(([host]) => host.test(url.hostname)).map(([, parameter]) => parameter);
  const parameters = url.search
    .slice(1)
    .split("&")
    .filter((parameter) => parameter !== "" && ![TRACKING, ...own].some((tracks) => tracks.test(parameter)));
  return parameters.length === 0 ? "" : `?${parameters.join("&")}`;
};

/** The same URL without tracking parameters; unchanged if there are none. */
export const withoutTracking = (url: URL): URL => {
  const search = query(url);
  if (search === url.search || (search === "" && url.search === "")) return url;
  const plain = new URL(url);
  plain.search = search;
  return plain;
};

/** Anchors that any page may have: a position, a time or a text. */
const ANCHOR =
  /^#(?:$|:~:|(?:t|at|start|time|time_continue|xtor|utm_\w+|sp|del|autoplay|ref|share)=|(?:section|chapter|heading|part|page|note|fn|footnote|cite|ref|comments?|issuecomment|reply|respond|post|toc|table-of-contents|ath|p|l|h)[-_.:]?\d*(?:[-_]\d+)*$|(?:top|bottom|main|content|menu|footer|header|player|video|info|share|download|details)$)/iu;

/** A route of a single-page application, `name=value`, or an identifier. */
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

/** Redirecting pages may lead to further ones; this bounds their number. */
const LEADS_MAX = 3;

const normalize = (input: string, leads: number): Result.Result<string, InvalidUrl | UnsupportedUrl> => {
  const parsed = parse(input);
  if (Result.isFailure(parsed)) return Result.fail(parsed.failure);
  const url = withFragmentInPath(withoutTracking(parsed.success));
  url.search = query(url);
  if (!namesContent(url)) url.hash = "";
  const place = classifyUrl(url);
  if (place._tag === "listing") return listing(place.kind);
  if (place._tag === "elsewhere" && leads < LEADS_MAX) {
    const target = normalize(place.url, leads + 1);
    if (Result.isSuccess(target) || Object.hasOwn(LISTINGS, String(target.failure.details["reason"]))) {
      return target;
    }
  }
  const normalized = place._tag === "work" ? place.url : url.href;
  return normalized.length > URL_CHARS_MAX ? tooLong : Result.succeed(normalized);
};

/**
 * @fails InvalidUrl not an absolute URL, or too long
 * @fails UnsupportedUrl {reason: "scheme" | "credentials" | "channel" | "playlist" | "search" | "live"}
 */
export const parseSourceUrl = (input: string): Result.Result<SourceUrl, InvalidUrl | UnsupportedUrl> =>
  Result.map(normalize(input, 0), (normalized) => ({ submitted: input, normalized }));
