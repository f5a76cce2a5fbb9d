/** JSON as one line for every reader: some split at line breaks that JSON allows in strings. */

/** U+2028, U+2029 and, for Python's `splitlines`, U+0085. */
const BREAKS = /[\u2028\u2029\u0085]/gu;

/** The same JSON without them. */
export const withoutBreaks = (json: string): string =>
  json.replace(BREAKS, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Without the line break at its end. */
export const jsonLine = (value: unknown): string => withoutBreaks(JSON.stringify(value));
