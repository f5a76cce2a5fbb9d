/** Plain text as a document: joins paragraphs whose lines are hard-wrapped. */
import { cleanText } from "@winnow/core/domain/text/CleanText";
import { plainContent } from "../write/Content.ts";
import type { Document } from "./Document.ts";

/** Common line widths, in characters. */
const WIDTH_MIN = 50;
const WIDTH_MAX = 100;
/** Minimum share of the width filled by every line of a wrapped paragraph except the last. */
const FILLED_SHARE = 0.7;
/** "Bread   2.50" is of a table or drawing; "- a", "(1) a", "> a" and "    a" begin an item, quote or code. */
const LAID_OUT = /\S\s{3,}\S|\t\S/;
const OWN_LINE = /^(?:\s*[-*+•#>|]|\s*\(?\d{1,3}[.)]\s|\s{4,}\S)/;

const isBroken = (lines: ReadonlyArray<string>): boolean => {
  const widths = lines.map(({ length }) => length);
  const width = widths.reduce((most, each) => Math.max(most, each), 0);
  return (
    lines.length > 1 &&
    width >= WIDTH_MIN &&
    width <= WIDTH_MAX &&
    widths.slice(0, -1).every((each) => each >= FILLED_SHARE * width) &&
    !lines.some((line, index) => LAID_OUT.test(line.trim()) || (index > 0 && OWN_LINE.test(line)))
  );
};

const withWholeParagraphs = (text: string): string =>
  text
    .split(/\n(?:[^\S\n]*\n)+/)
    .map((paragraph) => {
      const lines = paragraph.split("\n");
      return isBroken(lines) ? lines.map((line) => line.trim()).join(" ") : paragraph;
    })
    .join("\n\n");

export const plainDocument = (decoded: string): Document => {
  const text = withWholeParagraphs(cleanText(decoded).trim());
  return {
    text,
    pages: [plainContent(text)],
    isPaged: false,
    title: null,
    heading: null,
    author: null,
    date: null
  };
};
