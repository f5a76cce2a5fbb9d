/**
 * Cleans all untrusted text where it enters: titles, names, captions, comments, responses of webhook receivers,
 * model output.
 *
 * Removes control characters (including C1), bidirectional overrides and invisible characters that could affect a
 * model, a terminal or a file name. What a model reads, and quotes and texts before they are compared (FoldedText), are
 * only stripped of such characters ({@link visibleText}).
 */

/** Separates the pages in the text of a document, as other PDF readers do. */
export const PAGE_END = "\f";

/** Precedes a page in the Markdown of a document. */
export const pageMark = (page: number): string => `<!-- page ${page} -->`;

/** Maximum characters of a heading that says where a text stands; a longer one is a paragraph. */
export const HEADING_CHARS_MAX = 200;

/** C0 and C1 controls except tab and newline. */
const CONTROLS = /[^\P{Cc}\t\n]/gu;

/** Soft hyphens, zero-width, bidirectional, tag and filler characters; not joiners and variation selectors. */
const INVISIBLE =
  /[\p{Default_Ignorable_Code_Point}--[\u200c\u200d\p{Variation_Selector}]]|[\ufff9-\ufffb]/gv;

/** These and controls, but for tabs and line feeds. Emoji and several scripts are spelt with joiners, which stay. */
export const UNSEEN = new RegExp(`${INVISIBLE.source}|[\\p{Cc}--[\\t\\n\\r\\u0085]]`, "gv");

/** Variation selectors choose a glyph; a sequence of them can smuggle hidden bytes. */
const SELECTOR_RUNS = /(?<=\p{Variation_Selector})\p{Variation_Selector}+/gu;

/** Joiners are needed in many scripts and in emoji, but can hide text next to ASCII. */
const STRAY_JOINERS = /(?<!\P{ASCII})[\u200c\u200d]+|[\u200c\u200d]+(?![\P{ASCII}--[\u200c\u200d]])/gv;

const LINE_ENDS = /\r\n?|[\v\f\u0085\u2028\u2029]/g;

const SUSPECT = /[^\n\t\u0020-\u007e\u00a1-\u00ac\u00ae-\u02ff]/;

/**
 * The text as readers see it. Keeps white space, normalises line endings to `\n`, replaces invalid Unicode with
 * U+FFFD.
 */
export const cleanText = (text: string): string =>
  SUSPECT.test(text)
    ? text
        .replace(LINE_ENDS, "\n")
        .replace(CONTROLS, "")
        .replace(INVISIBLE, "")
        .replace(SELECTOR_RUNS, "")
        .replace(STRAY_JOINERS, "")
        .toWellFormed()
    : text;

/** The same on one line; null if nothing is left. */
export const cleanLine = (text: string): string | null => {
  const line = cleanText(text).replace(/\s+/g, " ").trim();
  return line === "" ? null : line;
};

/** Everything {@link cleanText} removes, except unpaired surrogates. JSON itself escapes only C0 controls. */
const INVISIBLE_IN_JSON = new RegExp(`[\\u007f-\\u009f\\u2028\\u2029]|${INVISIBLE.source}`, "gv");

const escaped = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, "0")}`
  ).join("");

/** The same JSON with invisible characters escaped, so that a terminal can show it without loss. */
export const escapeInvisible = (json: string): string => json.replace(INVISIBLE_IN_JSON, escaped);

/**
 * Invisible characters, and characters that change the display order, can hide instructions for a model from people who
 * read the same page. Lengths and offsets change.
 */
export const visibleText = (text: string): string => text.replace(UNSEEN, "");

/** A visible text, with the original position of each code unit. */
interface VisibleUnits {
  readonly text: string;
  /** Null if nothing was removed, so that positions are unchanged. */
  readonly places: Uint32Array | null;
}

export const visibleUnits = (original: string): VisibleUnits => unitsWithout(original, UNSEEN);

/** Removes all matches of a pattern, which must have the global flag. */
export const unitsWithout = (original: string, unseen: RegExp): VisibleUnits => {
  const text = original.replace(unseen, "");
  if (text.length === original.length) return { text, places: null };
  const places = new Uint32Array(text.length);
  let unit = 0;
  let from = 0;
  const copyUntil = (until: number): void => {
    for (let at = from; at < until; at++) places[unit++] = at;
  };
  for (const { 0: found, index } of original.matchAll(unseen)) {
    copyUntil(index);
    from = index + found.length;
  }
  copyUntil(original.length);
  return { text, places };
};
