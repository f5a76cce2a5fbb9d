/**
 * Text as people see it: without controls, bidirectional overrides, and characters that show nothing but
 * reach a model or a file name.
 */
import { decodeHTML } from "entities";

/** C0 and C1 controls except tab and newline. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Soft hyphen, zero width, bidirectional, invisible operators, tags, interlinear marks, fillers. */
const INVISIBLE =
  /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e007f}]/gu;

/** Variation selectors pick a glyph for a character; a run of them carries hidden bytes. */
const SELECTORS = /(?<=[\ufe00-\ufe0f\u{e0100}-\u{e01ef}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]+/gu;

/** Joiners are spelling in many scripts and in emoji, and hide words beside ASCII. */
const STRAY_JOINERS =
  /(?<![^\u0000-\u007f])[\u200c\u200d]+|[\u200c\u200d]+(?![^\u0000-\u007f\u200c\u200d])/gu;

const LINE_ENDS = /\r\n?|[\u000b\u000c\u0085\u2028\u2029]/g;

const SUSPECT = /[^\n\t\u0020-\u007e\u00a1-\u00ac\u00ae-\u02ff]/;

/** Whitespace and newlines stay as they are, newlines as `\n`. */
export const visible = (text: string): string =>
  SUSPECT.test(text)
    ? text
        .replace(LINE_ENDS, "\n")
        .replace(CONTROLS, "")
        .replace(INVISIBLE, "")
        .replace(SELECTORS, "")
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
