/**
 * The notation of the tables in this folder, which classify the URLs of platforms.
 *
 * A pattern is matched against the path, without its trailing slash, and the query. {@link parameter} matches
 * parameters in any order; of several with one name, the first counts, as on the platforms. Tests: Platform.test.ts.
 */

/**
 * Pages that list works instead of showing one. `channel` is a profile page, `search` any feed or topic, `live` the
 * page of a channel's current broadcast.
 */
export type ListingKind = "channel" | "playlist" | "search" | "live";

/**
 * The meaning of a URL: a {@link ListingKind}; `item`, one work whose URL is kept; `parameter NAME`, a redirect to the
 * URL in that parameter; `leads to URL`, a redirect to a URL contained in this one; or the canonical URL of the work.
 *
 * In a URL, `$1` is the pattern's first group; a part in square brackets is omitted if a group in it did not match.
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
  /** The part of a fragment that is treated as part of the path, and its form there. */
  readonly fragment?: readonly [pattern: RegExp, written: string];
  readonly routes: ReadonlyArray<Route>;
}

/** Exactly one of these hosts; dots are literal, as in `(www|m).x.com`. */
export const host = (pattern: string): RegExp => new RegExp(`^(?:${pattern.replaceAll(".", "\\.")})$`, "u");

/** Source of a group: the first value of the parameter; no match if it is absent or of another form. */
export const parameter = (name: string, value = "[^&]+"): string =>
  `(?:(?=[^?]*\\?(?:(?!${name}=)[^&]*&)*${name}=(${value})(?:&|$))|)`;

/** The same for a required parameter. */
export const needs = (name: string, value = "[^&]+"): string =>
  `(?=[^?]*\\?(?:(?!${name}=)[^&]*&)*${name}=(${value})(?:&|$))`;

/** A path that matches `source` entirely, with any query. */
export const path = (source: string): RegExp => new RegExp(`^${source}(?:\\?|$)`, "u");

/** A path that begins with `source`, followed by a slash, the query or nothing. */
export const under = (source: string): RegExp => new RegExp(`^${source}(?:[/?]|$)`, "u");

/** The start page and paths that begin with one of `words` (separated by "|") are feeds. */
export const feeds = (words: string): Route => [
  new RegExp(`^/(?:$|\\?|(?:${words})(?:[/?]|$))`, "u"),
  "search"
];

/** `/name` and `/name/tab` are a profile page, unless `name` is one of the platform's `own` words. */
export const profiles = (own: string, tabs: string): Route => [
  new RegExp(`^/(?!(?:${own})(?:[/?]|$))[\\w.%-]+(?:/(?:${tabs}))?(?:\\?|$)`, "u"),
  "channel"
];
