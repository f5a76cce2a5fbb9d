/**
 * Normalises texts for comparison: texts that look the same to a reader are equal after folding. Each folded
 * character maps back to its position in the original.
 *
 * Invisible characters are removed first by the rules of CleanText, since a model never gets them.
 */
import { UNSEEN, unitsWithout, visibleUnits } from "./CleanText.ts";

// Quotes from Markdown, as models copy them, become quotes of the plain text. Lenient: a quote may begin or end inside
// a mark, and models drop or keep marks arbitrarily.

/**
 * Characters that Markdown may put between words. They are removed from both the quote and the text. A lone sign
 * between spaces is a bullet, a quote mark, or the colon of a definition.
 */
const MARKDOWN_MARKS = /[*_`~\|\[\]\\]|(?<!\S)(?:[\-+>]|#{1,6})(?!\S)|:(?!\S)/gv;

/** Without text: page marks, line ends in cells, images `![a](b)`, fences `~~~ts`, rules `| :--- |` of tables. */
const NO_WORDS: ReadonlyArray<RegExp> = [
  /<!-- page \d{1,9} -->/gu,
  /<br>/gu,
  /!\[(?:[^\]\\\n]|\\.){0,1000}\](?:\([^()\s]*\))?/gu,
  /^[^\S\n]*(?:`{3,}|~{3,})[^\n]*$/gmu,
  /\|[^\S\n]*:?-{3,}:?[^\S\n]*(?=\||$)/gmu
];

/** Footnote marks `[^1]:` and link targets `](https://…)`; a quote may contain only their beginning. */
const NOTE_MARK = /\[\^[^\]\s]{1,100}\]:?/gu;
const ADDRESS = /\]\([^()\s]*(?:\)|$)/gu;

/** Prefixes of a line, such as `> - ` and `## `: headings, quotes and list items. */
const LINE_START = /^[^\S\n]*(?:(?:>|[-*+]|\d{1,9}[.)]|#{1,6})[^\S\n]+)+/gmu;

/** The words of a quote; marks among them are ignored by the comparison. */
export const wordsOfMarkdown = (quote: string): string =>
  NO_WORDS.reduce((text, pattern) => text.replace(pattern, " "), quote)
    .replace(NOTE_MARK, "")
    .replace(ADDRESS, "]")
    .replace(LINE_START, "");

/** The text of a piece of Markdown that contains nothing but escaped characters. */
export const unescapedMarkdown = (written: string): string => written.replace(/\\([!-/:-@[-`{-~])/gu, "$1");

/**
 * `spaces`: NFC, without white space and joiners. `letters`: also case-folded, with uniform quotes and dashes.
 * `words`: also without all characters that can be Markdown marks.
 */
export type Fold = "spaces" | "letters" | "words";

const UNSEEN_OR_MARKS = new RegExp(`${UNSEEN.source}|${MARKDOWN_MARKS.source}`, "gv");

interface FoldedText {
  readonly text: string;
  /** Start in the original, in code units, for each code unit of `text`; the array may be longer. */
  readonly starts: Uint32Array;
  /** End in the original, exclusive. */
  readonly ends: Uint32Array;
}

/**
 * White space, ASCII, or a sequence that NFC may compose: a character with its marks, or the letters of a Hangul
 * syllable. Bounded, so that no cluster is longer than a quote.
 */
const CLUSTERS =
  /[!-~]{1,2000}(?!\p{M})|\s{1,2000}|(?:[\uac00-\ud7a3]?[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]{1,60}|\S)\p{M}{0,60}/gu;

/** Joiners and variation selectors only affect appearance, and some are removed before a model reads the text. */
// oxlint-disable-next-line no-misleading-character-class -- each is meant for itself
const JOINERS_AND_SELECTORS = /[\u200c\u200d\ufe00-\ufe0f\u{e0100}-\u{e01ef}]+/gu;

/** Scripts written without spaces between words, for a class of characters. */
export const SPACELESS_SCRIPTS = ["Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar"]
  .map((script) => `\\p{Script=${script}}`)
  .join("");

const SPACELESS = new RegExp(`^[${SPACELESS_SCRIPTS}\\u3000-\\u303f\\uff00-\\uffef]`, "u");

/** Whether the text starts in a script written without spaces, where a line break does not separate words. */
export const isSpaceless = (text: string): boolean => SPACELESS.test(text);

const SHAPES: ReadonlyArray<readonly [RegExp, string]> = [
  [/[\u2018\u2019\u201a\u201b\u2032\u02bc\u00b4]/gu, "'"],
  [/[\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb]/gu, '"'],
  [/[\u2010-\u2015\u2212]/gu, "-"],
  [/\u2026/gu, "..."]
];

/** Approximates full case folding: "Straße" and "STRASSE", "Σ" and "ς". */
const lettersOf = (cluster: string): string =>
  SHAPES.reduce((text, [shape, plain]) => text.replace(shape, plain), cluster)
    .toUpperCase()
    .toLowerCase()
    .replaceAll("ς", "σ")
    .normalize("NFC");

const isSpace = (cluster: string): boolean => /^\s/u.test(cluster);

/** ASCII except white space is already normalised. */
const PLAIN = /^[!-~]+$/u;

const foldPlain = (run: string, fold: Fold): string => (fold === "spaces" ? run : run.toLowerCase());

const foldCluster = (cluster: string, fold: Fold): string => {
  const composed = cluster.replace(JOINERS_AND_SELECTORS, "").normalize("NFC");
  return fold === "spaces" ? composed : lettersOf(composed);
};

/** A folded text under construction; uses typed arrays because growing lists of a million numbers is slow. */
class Growing {
  starts: Uint32Array;
  ends: Uint32Array;
  readonly #parts: Array<string> = [];
  #units = 0;

  constructor(units: number) {
    this.starts = new Uint32Array(units);
    this.ends = new Uint32Array(units);
  }

  push(text: string, start: number, end: number, isPlain: boolean): void {
    this.#parts.push(text);
    if (this.#units + text.length > this.starts.length) this.#grow(text.length);
    for (let unit = 0; unit < text.length; unit++) {
      this.starts[this.#units] = isPlain ? start + unit : start;
      this.ends[this.#units++] = isPlain ? start + unit + 1 : end;
    }
  }

  #grow(units: number): void {
    const [starts, ends] = [this.starts, this.ends];
    this.starts = new Uint32Array(2 * starts.length + units);
    this.ends = new Uint32Array(2 * starts.length + units);
    this.starts.set(starts);
    this.ends.set(ends);
  }

  get text(): string {
    return this.#parts.join("");
  }
}

/** Trims both ends and collapses spaces to one, or to none in scripts without spaces. */
const foldVisible = (original: string, fold: Fold): Growing => {
  const growing = new Growing(original.length);
  let last = "";
  /** Start of the current white space; -1 if there is none. */
  let spaceStart = -1;
  let spaceEnd = -1;
  for (const { 0: cluster, index } of original.matchAll(CLUSTERS)) {
    const end = index + cluster.length;
    if (isSpace(cluster)) {
      if (spaceStart < 0) spaceStart = index;
      spaceEnd = end;
      continue;
    }
    const isPlain = PLAIN.test(cluster);
    const folded = isPlain ? foldPlain(cluster, fold) : foldCluster(cluster, fold);
    if (folded === "") continue;
    if (spaceStart >= 0 && last !== "" && !isSpaceless(last) && !isSpaceless(folded)) {
      growing.push(" ", spaceStart, spaceEnd, false);
    }
    spaceStart = -1;
    growing.push(folded, index, end, isPlain);
    last = folded;
  }
  return growing;
};

/** A million characters take half a second. */
export const foldText = (original: string, fold: Fold): FoldedText => {
  const visible = fold === "words" ? unitsWithout(original, UNSEEN_OR_MARKS) : visibleUnits(original);
  const { text, starts, ends } = foldVisible(visible.text, fold);
  const { places } = visible;
  if (places !== null) {
    for (let unit = 0; unit < text.length; unit++) {
      starts[unit] = places[starts[unit] ?? 0] ?? 0;
      ends[unit] = (places[(ends[unit] ?? 1) - 1] ?? 0) + 1;
    }
  }
  return { text, starts, ends };
};
