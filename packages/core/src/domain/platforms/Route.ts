/**
 * The language in which the tables beside this file say what the addresses of a platform mean.
 *
 * A pattern sees the path, without its last slash, and the query. Values of parameters are read in any
 * order by {@link parameter}; of several with one name the first counts, as it does for the platforms.
 */

/**
 * Pages that list works where one is asked for. `channel` is anybody's page, `search` any feed or topic,
 * `live` the page of whatever a channel is broadcasting.
 */
export type ListingKind = "channel" | "playlist" | "search" | "live";

/**
 * What an address is: a {@link ListingKind}; `item`, one work whose address stays as it is written;
 * `parameter NAME`, the page only leads to the address in that parameter, `leads to URL` to one that its own
 * address holds; or the one URL of the work.
 *
 * In a URL `$1` is the pattern's first group and `$<name>` a named group of the pattern or the host; a part
 * in square brackets is left out when a group in it matched nothing.
 */
export type Meaning =
  | ListingKind
  | "item"
  | `parameter ${string}`
  | `leads to http${"s" | ""}://${string}`
  | `https://${string}`;

/** First match wins. */
export type Route = readonly [pattern: RegExp, meaning: Meaning];

export interface Platform {
  /** Exact hosts: `help.instagram.com` has articles, not people. */
  readonly host: RegExp;
  /** What of a fragment belongs to the path, seen behind the path, and how it is written there. */
  readonly fragment?: readonly [pattern: RegExp, written: string];
  readonly routes: ReadonlyArray<Route>;
}

/** One of these hosts, with nothing before or after; dots stand for themselves. `(www|m).x.com` reads as written. */
export const host = (pattern: string): RegExp => new RegExp(`^(?:${pattern.replaceAll(".", "\\.")})$`, "u");

/** Source of a group: the first value of the parameter, or nothing when it is absent or of another form. */
export const parameter = (name: string, value = "[^&]+"): string =>
  `(?:(?=[^?]*\\?(?:(?!${name}=)[^&]*&)*${name}=(${value})(?:&|$))|)`;

/** The same where the address means nothing without it. */
export const needs = (name: string, value = "[^&]+"): string =>
  `(?=[^?]*\\?(?:(?!${name}=)[^&]*&)*${name}=(${value})(?:&|$))`;

/** A whole path of `source`, whatever the query. */
export const path = (source: string): RegExp => new RegExp(`^${source}(?:\\?|$)`, "u");

/** A path that begins with `source`, ended by a slash, the query or nothing. */
export const under = (source: string): RegExp => new RegExp(`^${source}(?:[/?]|$)`, "u");

/** The start page and these first words of a path are feeds. `words` are parted by "|". */
export const feeds = (words: string): Route => [
  new RegExp(`^/(?:$|\\?|(?:${words})(?:[/?]|$))`, "u"),
  "search"
];

/** `/name` and `/name/tab` are somebody's page, except where `name` is one of the platform's `own` words. */
export const profiles = (own: string, tabs: string): Route => [
  new RegExp(`^/(?!(?:${own})(?:[/?]|$))[\\w.%-]+(?:/(?:${tabs}))?(?:\\?|$)`, "u"),
  "channel"
];
