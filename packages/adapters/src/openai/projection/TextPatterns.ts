/** What a schema says of a text, as the one pattern that providers enforce. Patterns are never run here. */
import type { JsonObject } from "./Shape.ts";

/** Look-around, flags, references back, properties of characters and boundaries are refused by providers. */
const NOT_ENFORCED = /\(\?|\\[pPbBkK1-9]|\[\^?\]/u;

/** Escapes that stand for themselves and that strict parsers refuse: all but those of the syntax. */
const NEEDLESS_ESCAPE = /\\([_%"'@&~:;=,#!<>` ])|(\\.)/gsu;

const withoutNeedless = (part: string): string =>
  part.replaceAll(
    NEEDLESS_ESCAPE,
    (_, plain: string | undefined, kept: string | undefined) => plain ?? kept ?? ""
  );

/** A set of characters, an escape, or the beginning of a group that captures nothing. */
const PART = /(\[(?:[^\]\\]|\\.)*\])|\\-|(\\.)|\(\?:/gsu;

/** A pattern as providers take it; null where they do not. Groups are the same for them with and without `?:`. */
export const providersPattern = (pattern: string): string | null => {
  const plain = pattern.replaceAll(PART, (part, set: string | undefined, escape: string | undefined) => {
    if (set !== undefined || escape !== undefined) return withoutNeedless(part);
    return part === "(?:" ? "(" : "-";
  });
  return NOT_ENFORCED.test(plain) ? null : plain;
};

/** Longer repetitions make the automata of providers too large. */
const REPEATS_MAX = 128;

/** A set of characters, or a class, repeated, perhaps from the beginning of the text or to its end. */
const ONE_SET = /^(\^?)\(?(\[(?:[^\]\\]|\\.)+\]|\\[dw])([+*]|\{(\d+)(?:,\d*)?\})\)?(\$?)$/su;

const times = (minChars: number, maxChars: number | null): string => {
  const most = maxChars === null || maxChars > REPEATS_MAX ? "" : String(maxChars);
  return minChars === maxChars ? `{${minChars}}` : `{${minChars},${most}}`;
};

const isCounted = (minChars: number, maxChars: number | null): boolean =>
  minChars <= REPEATS_MAX && (minChars > 0 || (maxChars ?? Number.POSITIVE_INFINITY) <= REPEATS_MAX);

/** Of any characters, line ends among them. */
export const lengthPattern = (minChars: number, maxChars: number | null): string | null =>
  isCounted(minChars, maxChars) ? `^(.|\\n|\\r)${times(minChars, maxChars)}$` : null;

/** A pattern that holds a text to its length as well, where that can be written. */
export const patternOfLength = (pattern: string, minChars: number, maxChars: number | null): string => {
  const [, start, set, repeated, count, end] = ONE_SET.exec(pattern) ?? [];
  if (set === undefined || repeated === undefined) return pattern;
  // No room is left around what matches; of a repeated set within a text of one length the whole is meant.
  if (count !== undefined) return maxChars === Number(count) ? `^${set}{${count}}$` : pattern;
  const isWhole = (start !== "" && end !== "") || minChars === maxChars;
  const least = Math.max(minChars, repeated === "+" ? 1 : 0);
  return isWhole && isCounted(least, maxChars) ? `^${set}${times(least, maxChars)}$` : pattern;
};

/** Parts of an address (RFC 3986, appendix A): a name of a host, what stands in a path, and behind it. */
const HOST = "[A-Za-z0-9._~!$&'()*+,;=-]";
const STEP = "([A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})";
const REST = "([A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})";
const QUERY = `(\\?${REST}*)?(#${REST}*)?`;
const AUTHORITY = `//([A-Za-z0-9._~!$&'()*+,;=:-]*@)?${HOST}*(:[0-9]{1,5})?`;

const URI = `[A-Za-z][A-Za-z0-9+.-]*:(${AUTHORITY}(/${STEP}*)*|/?${STEP}+(/${STEP}*)*)${QUERY}`;

/** Without a colon in its first step, which would be a scheme. */
const RELATIVE = `/?(([A-Za-z0-9._~!$&'()*+,;=@-]|%[0-9A-Fa-f]{2})+(/${STEP}*)*)?${QUERY}`;

/** Formats that providers do not know. */
const OF_FORMAT: ReadonlyMap<string, string> = new Map([
  ["uri", `^${URI}$`],
  ["uri-reference", `^(${URI}|${RELATIVE})$`],
  ["url", `^(https?|ftp)://([A-Za-z0-9]+(-[A-Za-z0-9]+)*\\.)+[A-Za-z]{2,}(:[0-9]{2,5})?(/[^\\s]*)?$`],
  ["byte", "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"]
]);

export const formatPattern = (format: string): string | null => OF_FORMAT.get(format) ?? null;

/** One pattern for texts that fit any of several. */
export const anyPattern = (patterns: ReadonlyArray<string>): string | null => {
  const plain = patterns.map(providersPattern);
  const [only] = plain;
  if (only === undefined || plain.includes(null)) return null;
  return plain.length === 1 ? only : plain.map((each) => `(${each})`).join("|");
};

/** Keywords of one pattern; none where there is nothing to enforce. */
export const patternKeyword = (pattern: string | null): JsonObject => (pattern === null ? {} : { pattern });
