/** Lines of a page's text: cleaning, truncating, comparing. */
import { cleanText } from "@winnow/core/domain/text/CleanText";
import { decodeHTML } from "entities";
import { isWordKind, kindAt, WHITE_SPACE } from "./CharacterKinds.ts";

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
