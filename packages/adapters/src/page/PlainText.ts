/** Lines of a page's text: cleaning, truncating, comparing. */
import { cleanText } from "@winnow/core/domain/CleanText";
import { decodeHTML } from "entities";

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
export const charsOf = (text: string): number => text.length - (text.match(/\s+/g)?.join("").length ?? 0);

/** Lines without outer or repeated spaces and without empty lines. */
export const tidyLines = (text: string): string =>
  text
    .replace(/[^\S\n]{2,}|[^\S\n ]/g, " ")
    .replace(/ ?\n[ \n]*/g, "\n")
    .trim();

/** Entities that remain in a value after parsing, as is common in JSON-LD and feeds. */
export const decoded = (text: string): string => (text.includes("&") ? decodeHTML(text) : text);

/** Letters and digits only, for comparing names and lines. */
export const folded = (text: string): string =>
  text
    .toLowerCase()
    .normalize("NFKC")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
