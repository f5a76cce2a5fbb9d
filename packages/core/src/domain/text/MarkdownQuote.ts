/**
 * Converts quotes from Markdown, as models copy them, to quotes of the plain text. Lenient: a quote may begin or
 * end inside a mark, and models drop or keep marks arbitrarily. Pure.
 */

/**
 * Characters that Markdown may put between words. They are removed from both the quote and the text. A lone sign
 * between spaces is a bullet, a quote mark, or the colon of a definition.
 */
export const MARKDOWN_MARKS = /[*_`~|[\]\\]|(?<!\S)(?:[-+>]|#{1,6})(?!\S)|:(?!\S)/gu;

/** Markup without text: page marks, images, fences, rules below table headers. */
const NO_WORDS: ReadonlyArray<RegExp> = [
  /<!-- page \d{1,9} -->/gu,
  /!\[(?:[^\]\\\n]|\\.){0,1000}\](?:\([^()\s]*\))?/gu,
  /^[^\S\n]*(?:`{3,}|~{3,})[^\n]*$/gmu,
  /\|[^\S\n]*:?-{3,}:?[^\S\n]*(?=\||$)/gmu
];

/** Footnote marks and link targets; a quote may contain only their beginning. */
const NOTE_MARK = /\[\^[^\]\s]{1,100}\]:?/gu;
const ADDRESS = /\]\([^()\s]*(?:\)|$)/gu;

/** Prefixes of a line: headings, quotes and list items. */
const LINE_START = /^[^\S\n]*(?:(?:>|[-*+]|\d{1,9}[.)]|#{1,6})[^\S\n]+)+/gmu;

/** The words of a quote; marks among them are ignored by the comparison. */
export const wordsOfMarkdown = (quote: string): string =>
  NO_WORDS.reduce((text, pattern) => text.replace(pattern, " "), quote)
    .replace(NOTE_MARK, "")
    .replace(ADDRESS, "]")
    .replace(LINE_START, "");

/** The text of a piece of Markdown that contains nothing but escaped characters. */
export const unescapedMarkdown = (written: string): string => written.replace(/\\([!-/:-@[-`{-~])/gu, "$1");
