/**
 * The URL of a submit: parsed, refused where the text alone says so, and normalised, so that one place
 * has one address in the cache (specification, "Errors"; contract 4).
 *
 * Whether the host is public is not decided here but by the egress guard, which resolves it.
 */
import * as Result from "effect/Result";
import { placeOf, type ListingKind } from "./Platform.ts";
import { InvalidUrl, UnsupportedUrl } from "./Refusal.ts";

export interface SourceUrl {
  /** As the caller wrote it. */
  readonly submitted: string;
  /** Absolute http or https, no credentials; normalising it again changes nothing. */
  readonly normalized: string;
}

/** Longest URL, as written and as normalised, in characters: what servers and downloaders take. */
export const URL_CHARS_MAX = 2_048;

const invalid = (reason: string, message: string): Result.Result<never, InvalidUrl> =>
  Result.fail(new InvalidUrl({ message, details: { param: "url", reason } }));

const tooLong = invalid(
  "too_long",
  `\`url\` is longer than ${URL_CHARS_MAX} characters: leave out the parameters that the page does not need.`
);

/** What is wrong with the text before any parser has mended it; the first match is told. */
const FLAWS: ReadonlyArray<readonly [pattern: RegExp, reason: string, message: string]> = [
  [
    // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
    /[\u0000-\u001f\u007f-\u009f\ud800-\udfff]/u,
    "control_character",
    "`url` contains a control character such as a line break: give one address on one line."
  ],
  [/\\/u, "backslash", "`url` contains a backslash: write / between the parts, or %5C where it is meant."],
  [
    /^(?!https?:)[a-z][a-z0-9+.-]*:(?!\d)/iu,
    "scheme",
    "`url` must begin with http:// or https://: other schemes are not fetched."
  ],
  [
    /^(?!https?:\/\/[^/?#])/iu,
    "not_absolute",
    "`url` must be a whole address that begins with https://, such as https://example.com/article."
  ]
];

const unparseable = invalid(
  "unparseable",
  "`url` is not an address that can be parsed: copy it from the address bar of a browser."
);

const parse = (input: string): Result.Result<URL, InvalidUrl> => {
  if (input.length > URL_CHARS_MAX) return tooLong;
  const text = input.replace(/^ +| +$/gu, "");
  const flaw = FLAWS.find(([pattern]) => pattern.test(text));
  if (flaw !== undefined) return invalid(flaw[1], flaw[2]);
  const url = URL.parse(text);
  if (url === null) return unparseable;
  if (url.username !== "" || url.password !== "" || /^[^/]*\/\/[^/?#]*@/u.test(text)) {
    return invalid(
      "credentials",
      "`url` contains a user name or password: only public pages are fetched, so leave out the part before @."
    );
  }
  url.hostname = url.hostname.replace(/\.$/u, "");
  return /^\.|\.\.|\.$|^$/u.test(url.hostname) ? unparseable : Result.succeed(url);
};

/** Parameters that say who shared or advertised a link, never what it shows. */
const TRACKING = new RegExp(
  `^(?:${[
    String.raw`utm_\w+|mc_[ce]id|_g[al]|_hsenc|_hsmi|mkt_tok|vero_id|igsh(?:id)?`,
    "fbclid|gclid|gclsrc|gbraid|wbraid|dclid|msclkid|yclid|twclid|ttclid|li_fat_id"
  ].join("|")})(?:=|$)`,
  "iu"
);

/** The same, where the name means something else on other hosts. */
const HOST_TRACKING: ReadonlyArray<readonly [host: RegExp, parameter: RegExp]> = [
  [/(?:^|\.)(?:youtube\.com|youtu\.be|spotify\.com|soundcloud\.com)$/u, /^(?:si|feature|pp)(?:=|$)/u],
  [/(?:^|\.)tiktok\.com$/u, /^(?:is_from_webapp|sender_device|_r|_t)(?:=|$)/u]
];

/** Without tracking; what stays keeps its order and spelling. */
const query = (url: URL): string => {
  const own = HOST_TRACKING.filter(([host]) => host.test(url.hostname)).map(([, parameter]) => parameter);
  const kept = url.search
    .slice(1)
    .split("&")
    .filter((parameter) => parameter !== "" && ![TRACKING, ...own].some((tracks) => tracks.test(parameter)));
  return kept.length === 0 ? "" : `?${kept.join("&")}`;
};

/** Of a fragment only the route of a single-page application names another place. */
const isRoute = (fragment: string): boolean => fragment.startsWith("#!") || fragment.startsWith("#/");

const LISTINGS: Readonly<Record<ListingKind, string>> = {
  channel: "the page of a channel or person",
  playlist: "a playlist or album",
  search: "a search, feed or start page"
};

const listing = (kind: ListingKind): Result.Result<never, UnsupportedUrl> =>
  Result.fail(
    new UnsupportedUrl({
      message: `\`url\` is ${LISTINGS[kind]}: submit the address of one video, post or article on it.`,
      details: { param: "url", reason: kind }
    })
  );

/**
 * @fails InvalidUrl not an absolute http or https URL without credentials
 * @fails UnsupportedUrl {reason: "channel" | "playlist" | "search"}
 */
export const parseSourceUrl = (input: string): Result.Result<SourceUrl, InvalidUrl | UnsupportedUrl> => {
  const parsed = parse(input);
  if (Result.isFailure(parsed)) return Result.fail(parsed.failure);
  const url = parsed.success;
  url.search = query(url);
  if (!isRoute(url.hash)) url.hash = "";
  const place = placeOf(url);
  if (place._tag === "listing") return listing(place.kind);
  const normalized = place._tag === "work" ? place.url : url.href;
  return normalized.length > URL_CHARS_MAX ? tooLong : Result.succeed({ submitted: input, normalized });
};
