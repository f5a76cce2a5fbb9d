/**
 * Regular expressions of a schema: those that providers enforce, and which names they match.
 */
import type { JsonObject } from "./Shape.ts";
import { makePatternEngine } from "../../schema-check/Patterns.ts";

/** Providers reject look-around, flags, back-references, character properties and boundaries. */
const NOT_ENFORCED = /\(\?|\\[pPbBkK1-9]|\[\^?\]/u;

/** Escapes of ordinary characters, which strict parsers reject. */
const NEEDLESS_ESCAPE = /\\([_%"'@&~:;=,#!<>` ])|(\\.)/gsu;

const withoutNeedless = (part: string): string =>
  part.replaceAll(
    NEEDLESS_ESCAPE,
    (_, plain: string | undefined, kept: string | undefined) => plain ?? kept ?? ""
  );

/** A character set, an escape, or the start of a non-capturing group. */
const PART = /(\[(?:[^\]\\]|\\.)*\])|\\-|(\\.)|\(\?:/gsu;

/**
 * A pattern in the providers' syntax; null if it cannot be expressed. Groups are equivalent with and without `?:`.
 */
export const providersPattern = (pattern: string): string | null => {
  const plain = pattern.replaceAll(PART, (part, set: string | undefined, escape: string | undefined) => {
    if (set !== undefined || escape !== undefined) return withoutNeedless(part);
    return part === "(?:" ? "(" : "-";
  });
  return NOT_ENFORCED.test(plain) ? null : plain;
};

/** Maximum repetitions; longer ones make the providers' automata too large. */
const REPEATS_MAX = 128;

/** A repeated character set or class, optionally anchored at either end. */
const ONE_SET = /^(\^?)\(?(\[(?:[^\]\\]|\\.)+\]|\\[dw])([+*]|\{(\d+)(?:,\d*)?\})\)?(\$?)$/su;

const times = (minChars: number, maxChars: number | null): string => {
  const most = maxChars === null || maxChars > REPEATS_MAX ? "" : String(maxChars);
  return minChars === maxChars ? `{${minChars}}` : `{${minChars},${most}}`;
};

const isCounted = (minChars: number, maxChars: number | null): boolean =>
  minChars <= REPEATS_MAX && (minChars > 0 || (maxChars ?? Number.POSITIVE_INFINITY) <= REPEATS_MAX);

/** Any characters, including line ends. */
export const lengthPattern = (minChars: number, maxChars: number | null): string | null =>
  isCounted(minChars, maxChars) ? `^(.|\\n|\\r)${times(minChars, maxChars)}$` : null;

/** Adds length limits to a pattern where that is possible. */
export const patternOfLength = (pattern: string, minChars: number, maxChars: number | null): string => {
  const [, start, set, repeated, count, end] = ONE_SET.exec(pattern) ?? [];
  if (set === undefined || repeated === undefined) return pattern;
  // A match of the maximum length leaves no space for other text. In a text of fixed length, a repeated set is taken
  // to mean the whole text.
  if (count !== undefined) return maxChars === Number(count) ? `^${set}{${count}}$` : pattern;
  const isWhole = (start !== "" && end !== "") || minChars === maxChars;
  const least = Math.max(minChars, repeated === "+" ? 1 : 0);
  return isWhole && isCounted(least, maxChars) ? `^${set}${times(least, maxChars)}$` : pattern;
};

/** Parts of a URI (RFC 3986, appendix A): host name, path, query and fragment. */
const HOST = "[A-Za-z0-9._~!$&'()*+,;=-]";
const STEP = "([A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})";
const REST = "([A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})";
const QUERY = `(\\?${REST}*)?(#${REST}*)?`;
const AUTHORITY = `//([A-Za-z0-9._~!$&'()*+,;=:-]*@)?${HOST}*(:[0-9]{1,5})?`;

const URI = `[A-Za-z][A-Za-z0-9+.-]*:(${AUTHORITY}(/${STEP}*)*|/?${STEP}+(/${STEP}*)*)${QUERY}`;

/** Without a colon in its first segment, which would be a scheme. */
const RELATIVE = `/?(([A-Za-z0-9._~!$&'()*+,;=@-]|%[0-9A-Fa-f]{2})+(/${STEP}*)*)?${QUERY}`;

/** Patterns for formats that providers do not know. */
const OF_FORMAT: ReadonlyMap<string, string> = new Map([
  ["uri", `^${URI}$`],
  ["uri-reference", `^(${URI}|${RELATIVE})$`],
  ["url", `^(https?|ftp)://([A-Za-z0-9]+(-[A-Za-z0-9]+)*\\.)+[A-Za-z]{2,}(:[0-9]{2,5})?(/[^\\s]*)?$`],
  ["byte", "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"]
]);

export const formatPattern = (format: string): string | null => OF_FORMAT.get(format) ?? null;

/** A pattern for texts that match any of several. */
export const anyPattern = (patterns: ReadonlyArray<string>): string | null => {
  const plain = patterns.map(providersPattern);
  const [only] = plain;
  if (only === undefined || plain.includes(null)) return null;
  return plain.length === 1 ? only : plain.map((each) => `(${each})`).join("|");
};

/** Keywords of one pattern; none if there is nothing to enforce. */
export const patternKeyword = (pattern: string | null): JsonObject => (pattern === null ? {} : { pattern });

export type Matches = (pattern: string, name: string) => boolean;

/** Must be used within `withTimeLimit`. What is not a pattern matches no name. */
export const makeMatches = (): Matches => {
  const compiled = makePatternEngine();
  return (pattern, name) => {
    try {
      return compiled(pattern, "u").test(name);
    } catch {
      return false;
    }
  };
};
