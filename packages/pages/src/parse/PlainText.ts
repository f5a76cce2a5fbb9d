/** The text of a page: its lines, cleaned, truncated and compared, and the kinds of its characters. Retrain: train/train-page-text.ts. */
import { cleanText } from "@winnow/core/domain/text/CleanText";
import { decodeHTML } from "entities";
import { BLOCKS, NO_TEXT } from "./NoiseRules.ts";
import type { PageElement } from "./PageTree.ts";

// Unicode categories of characters, as a table that is filled on demand: faster than a regular expression.

export const LETTER_UPPER = 1;
const LETTER_OTHER = 2;
export const NUMBER = 3;
export const WHITE_SPACE = 4;
/** Everything else. */
export const SIGN = 5;

const kindOf = (code: number): number => {
  const character = String.fromCodePoint(code);
  if (/\p{Lu}/u.test(character)) return LETTER_UPPER;
  if (/\p{L}/u.test(character)) return LETTER_OTHER;
  if (/\p{N}/u.test(character)) return NUMBER;
  return /\s/.test(character) ? WHITE_SPACE : SIGN;
};

const UNITS = 0x10000;

/** The kind of each UTF-16 unit, except surrogates; 0 if not looked up yet. */
const kinds = new Uint8Array(UNITS);

/** The kind of the character at a position; a surrogate has the kind of its pair. */
export const kindAt = (text: string, at: number): number => {
  const unit = text.charCodeAt(at);
  const known = kinds[unit] as number;
  if (known > 0) return known;
  if ((unit & 0xf800) !== 0xd800) return (kinds[unit] = kindOf(unit));
  const isSecond = at > 0 && (text.codePointAt(at - 1) as number) >= UNITS;
  return kindOf(text.codePointAt(isSecond ? at - 1 : at) as number);
};

/** Whether a position is the second half of a surrogate pair. */
export const isSecondHalf = (text: string, at: number): boolean =>
  (text.charCodeAt(at) & 0xfc00) === 0xdc00 && at > 0 && (text.codePointAt(at - 1) as number) >= UNITS;

export const isWordKind = (kind: number): boolean => kind <= NUMBER;

/** At most `charsMax` characters, cut between code points. */
export const cut = (text: string, charsMax: number): string =>
  text.length <= charsMax
    ? text
    : text
        .slice(0, charsMax)
        .toWellFormed()
        .replace(/\ufffd$/, "")
        .trimEnd();

/** One line, or null if nothing visible remains. */
export const oneLine = (text: string, charsMax: number): string | null => {
  const line = cut(cleanText(text).replace(/\s+/g, " ").trim(), charsMax);
  return line === "" ? null : line;
};

/** The number of characters that are not white space. */
export const charsOf = (text: string): number => {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) if (kindAt(text, at) !== WHITE_SPACE) count += 1;
  return count;
};

/** Lines without outer or repeated spaces and without empty lines. */
export const tidyLines = (text: string): string =>
  text
    .replace(/[^\S\n]{2,}|[^\S\n ]/g, " ")
    .replace(/ ?\n[ \n]*/g, "\n")
    .trim();

/** Entities that remain in a value after parsing, as is common in JSON-LD and feeds. */
export const decoded = (text: string): string => (text.includes("&") ? decodeHTML(text) : text);

const ASCII = /^[\0-\x7f]*$/;

/** Runs of letters and digits, in small letters, for comparing names and lines. */
export const foldedWords = (text: string): ReadonlyArray<string> => {
  const lower = text.toLowerCase();
  const plain = ASCII.test(lower) ? lower : lower.normalize("NFKC");
  const words: Array<string> = [];
  let start = -1;
  for (let at = 0; at <= plain.length; at += 1) {
    const isWord = at < plain.length && isWordKind(kindAt(plain, at));
    if (isWord && start < 0) start = at;
    else if (!isWord && start >= 0) {
      words.push(plain.slice(start, at));
      start = -1;
    }
  }
  return words;
};

/** Letters and digits only, for comparing names and lines. */
export const folded = (text: string): string => foldedWords(text).join(" ");

const CELLS: ReadonlySet<string> = new Set(["td", "th"]);

/** The plain text of a tree, one block per line. */
export const blockText = (root: PageElement): string => {
  const parts: Array<string> = [];
  const collect = (element: PageElement): void => {
    for (const child of element.children) {
      if (typeof child === "string") {
        parts.push(child);
        continue;
      }
      if (NO_TEXT.has(child.name) || child.hidden || child.isStruck) continue;
      // Cells of a row stay on one line.
      const mark = CELLS.has(child.name) ? "\t" : BLOCKS.has(child.name) ? "\n" : "";
      parts.push(mark);
      collect(child);
      parts.push(mark);
    }
  };
  collect(root);
  return tidyLines(parts.join(""));
};
