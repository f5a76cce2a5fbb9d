/**
 * Puts the words that were read from the pictures of scanned pages into the text of their document: in lines, columns,
 * tables and paragraphs by their positions, like those of other pages. Pure.
 */
import { isSpaceless } from "@winnow/core/domain/text/FoldedText";
import type { TextSection } from "@winnow/core/domain/text/InputText";
import type { PageText } from "../../facts/PageReading.ts";
import { writeContent, writeSections } from "../../write/writeContent.ts";
import { pagesOf } from "./Pdf.ts";
import { blocksOfPage } from "./PdfBlocks.ts";
import { linesOfPage, type PdfPiece } from "./PdfLayout.ts";
import { withoutRunningLines } from "./RunningLines.ts";

/** Its box in pixels from the upper left corner of the picture. */
export interface ScannedWord {
  readonly text: string;
  /** Equal for words of one line. */
  readonly line: string;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface ScannedPage {
  readonly page: number;
  readonly words: ReadonlyArray<ScannedWord>;
}

/** Letters and signs that reach below the line. */
const DESCENDER = /[gjpqyJQ,;()[\]{}/|@§$]/u;

/** Of most words, as a share of the letter height: most have a capital, a digit or an ascender. */
const BOX_SHARE = 0.75;

/** Lines that show how much a page is askew are this long, in letter heights. */
const LONG_HEIGHTS = 12;

/** Boxes are rough: only a line this much larger than most is a heading. */
const LARGE_SHARE = 1.4;

const medianOf = (values: ReadonlyArray<number>): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

const bottomOf = ({ height, top }: ScannedWord): number => top + height;

/** Without those that reach below the line, unless all do. */
const standing = (words: ReadonlyArray<ScannedWord>): ReadonlyArray<ScannedWord> => {
  const found = words.filter(({ text }) => !DESCENDER.test(text));
  return found.length === 0 ? words : found;
};

/** How far lines fall for each pixel to the right. */
const slopeOf = (lines: ReadonlyArray<ReadonlyArray<ScannedWord>>, height: number): number =>
  medianOf(
    lines.flatMap((words) => {
      const [first, ...rest] = standing(words);
      const last = rest.at(-1);
      if (first === undefined || last === undefined || last.left - first.left < LONG_HEIGHTS * height)
        return [];
      return [(bottomOf(last) - bottomOf(first)) / (last.left - first.left)];
    })
  );

/** On the lines that they are read in, straightened, upwards; most letters of every page are of height 1. */
const piecesOf = (all: ReadonlyArray<ScannedWord>): ReadonlyArray<PdfPiece> => {
  const lines = [...Map.groupBy(all, ({ line }) => line).values()];
  const usual = medianOf(all.map((word) => word.height)) / BOX_SHARE || 1;
  const slope = slopeOf(lines, usual);
  return lines.flatMap((words) => {
    const baseline = medianOf(standing(words).map((word) => bottomOf(word) - slope * word.left));
    const own = medianOf(words.map((word) => word.height)) / BOX_SHARE / usual;
    return words.map(({ left, text, width }) => ({
      // Its boxes may touch.
      text: isSpaceless(text) ? text : `${text} `,
      x: left / usual,
      y: -baseline / usual,
      width: width / usual,
      height: own >= LARGE_SHARE ? own : 1
    }));
  });
};

const sectionsOf = (read: ReadonlyArray<ScannedPage>): ReadonlyArray<TextSection> => {
  const scans = read.toSorted((one, other) => one.page - other.page);
  const lines = scans.map(({ words }) => linesOfPage(piecesOf(words)));
  const pages = pagesOf(withoutRunningLines(lines).map(blocksOfPage), []);
  return writeContent({ pages, isPaged: true }).sections.map(({ page: number = 1, ...section }) => ({
    ...section,
    page: scans[number - 1]?.page ?? number,
    readBy: "ocr"
  }));
};

/** They follow the text that their page has, such as the stamp of an archive. */
export const withScannedText = (text: PageText, scans: ReadonlyArray<ScannedPage>): PageText => {
  const read = Map.groupBy(sectionsOf(scans), ({ page }) => page);
  const sections = [...Map.groupBy(text.sections, ({ page }) => page)].flatMap(([page, own]) => {
    const more = (read.get(page) ?? []).filter((section) => section.text !== "");
    return more.length === 0 ? own : [...own.filter((section) => section.text !== ""), ...more];
  });
  return { ...text, ...writeSections(sections) };
};
