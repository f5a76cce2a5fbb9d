/**
 * Quotes of Markdown, as models copy them, made quotes of the text that the Markdown says with structure. Lenient: a
 * quote begins and ends anywhere, also within a mark, and models drop and keep marks as they like. Pure.
 */

/**
 * Characters that Markdown may write between the words of a text, taken out of both the quote and the text: where the
 * words follow each other, no mark parts them. Lone signs between spaces are bullets, quote marks, or the colon of a
 * definition.
 */
export const MARKDOWN_MARKS = /[*_`~|[\]\\]|(?<!\S)(?:[-+>]|#{1,6})(?!\S)|:(?!\S)/gu;

/** What Markdown says beside the words: marks of pages, pictures, fences, rules under the heads of tables. */
const NO_WORDS: ReadonlyArray<RegExp> = [
  /<!-- page \d{1,9} -->/gu,
  /!\[(?:[^\]\\\n]|\\.){0,1000}\](?:\([^()\s]*\))?/gu,
  /^[^\S\n]*(?:`{3,}|~{3,})[^\n]*$/gmu,
  /\|[^\S\n]*:?-{3,}:?[^\S\n]*(?=\||$)/gmu
];

/** The mark of a note, and the address behind the label of a link, of which a quote may have the beginning alone. */
const NOTE_MARK = /\[\^[^\]\s]{1,100}\]:?/gu;
const ADDRESS = /\]\([^()\s]*(?:\)|$)/gu;

/** Before the words of a line: of headings, quotes and items. */
const LINE_START = /^[^\S\n]*(?:(?:>|[-*+]|\d{1,9}[.)]|#{1,6})[^\S\n]+)+/gmu;

/** The words of a quote; the marks among them are left for the comparison to drop. */
export const wordsOfMarkdown = (quote: string): string =>
  NO_WORDS.reduce((text, pattern) => text.replace(pattern, " "), quote)
    .replace(NOTE_MARK, "")
    .replace(ADDRESS, "]")
    .replace(LINE_START, "");

/** A piece of Markdown as it reads where nothing but characters was escaped in it. */
export const unescapedMarkdown = (written: string): string => written.replace(/\\([!-/:-@[-`{-~])/gu, "$1");
