/**
 * Text as people see it: without controls, bidirectional overrides, and characters that show nothing but
 * reach a model or a file name.
 */
import { decodeHTML } from "entities";

/** C0 and C1 controls except tab and newline. */
const CONTROLS = /[^\P{Cc}\t\n]/gu;

/** Soft hyphen, zero width, bidirectional, tags, fillers; without joiners and variation selectors. */
const INVISIBLE =
  /[\p{Default_Ignorable_Code_Point}--[\u200c\u200d\p{Variation_Selector}]]|[\ufff9-\ufffb]/gv;

/** Variation selectors pick a glyph for a character; a run of them carries hidden bytes. */
const SELECTOR_RUNS = /(?<=\p{Variation_Selector})\p{Variation_Selector}+/gu;

/** Joiners are spelling in many scripts and in emoji, and hide words beside ASCII. */
const STRAY_JOINERS = /(?<!\P{ASCII})[\u200c\u200d]+|[\u200c\u200d]+(?![\P{ASCII}--[\u200c\u200d]])/gv;

const LINE_ENDS = /\r\n?|[\v\f\u0085\u2028\u2029]/g;

const SUSPECT = /[^\n\t\u0020-\u007e\u00a1-\u00ac\u00ae-\u02ff]/;

/** Whitespace and newlines stay as they are, newlines as `\n`. */
export const visible = (text: string): string =>
  SUSPECT.test(text)
    ? text
        .replace(LINE_ENDS, "\n")
        .replace(CONTROLS, "")
        .replace(INVISIBLE, "")
        .replace(SELECTOR_RUNS, "")
        .replace(STRAY_JOINERS, "")
        .toWellFormed()
    : text;

/** At most `charsMax` characters, cut between code points. */
export const cut = (text: string, charsMax: number): string =>
  text.length <= charsMax
    ? text
    : text
        .slice(0, charsMax)
        .toWellFormed()
        .replace(/\ufffd$/, "")
        .trimEnd();

/** One line, or null when nothing visible is left. */
export const oneLine = (text: string, charsMax: number): string | null => {
  const line = cut(visible(text).replace(/\s+/g, " ").trim(), charsMax);
  return line === "" ? null : line;
};

/** How many characters of it are not white space. */
export const charsOf = (text: string): number => text.length - (text.match(/\s+/g)?.join("").length ?? 0);

/** Lines without outer or repeated spaces and without empty lines. */
export const tidyLines = (text: string): string =>
  text
    .replace(/[^\S\n]{2,}|[^\S\n ]/g, " ")
    .replace(/ ?\n[ \n]*/g, "\n")
    .trim();

/** Entities that a value still holds after the parser took its own, as JSON-LD and feeds often do. */
export const decoded = (text: string): string => (text.includes("&") ? decodeHTML(text) : text);

/** Letters and digits only, for comparing names and lines. */
export const folded = (text: string): string =>
  text
    .toLowerCase()
    .normalize("NFKC")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
