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

const linesOf = (words: ReadonlyArray<ScannedWord>): ReadonlyArray<ReadonlyArray<ScannedWord>> => [
  ...Map.groupBy(words, ({ line }) => line).values()
];

type Corner = (word: ScannedWord) => readonly [left: number, top: number];

/** The upper left corner of a box on a page whose lines run to the left, up or down, once it is turned upright. */
const ON_ITS_HEAD: Corner = ({ height, left, top, width }) => [-left - width, -top - height];
const UPWARDS: Corner = ({ height, left, top }) => [-top - height, left];
const DOWNWARDS: Corner = ({ left, top, width }) => [top, -left - width];

const turnedBy =
  (cornerOf: Corner, isOnSide: boolean) =>
  (word: ScannedWord): ScannedWord => {
    const [left, top] = cornerOf(word);
    const [width, height] = isOnSide ? [word.height, word.width] : [word.width, word.height];
    return { ...word, left, top, width, height };
  };

/** A page that lies on a side or its head is read as if it were upright, but boxes are told as they lie. */
const upright = (lines: ReadonlyArray<ReadonlyArray<ScannedWord>>): ReadonlyArray<ScannedWord> => {
  const words = lines.flat();
  const stepOf = (key: "left" | "top", all: ReadonlyArray<ScannedWord>): ReadonlyArray<number> =>
    all.slice(1).map((word, at) => word[key] - (all[at]?.[key] ?? 0));
  const right = medianOf(lines.flatMap((line) => stepOf("left", line)));
  const down = medianOf(lines.flatMap((line) => stepOf("top", line)));
  if (Math.abs(down) > Math.abs(right)) return words.map(turnedBy(down < 0 ? UPWARDS : DOWNWARDS, true));
  // Lines of some scripts run to the left on an upright page too.
  const below = medianOf(
    stepOf(
      "top",
      lines.flatMap((line) => line.slice(0, 1))
    )
  );
  return right < 0 && below < 0 ? words.map(turnedBy(ON_ITS_HEAD, false)) : words;
};

/** On the lines that they are read in, straightened, upwards; most letters of every page are of height 1. */
const piecesOf = (told: ReadonlyArray<ScannedWord>): ReadonlyArray<PdfPiece> => {
  const all = upright(linesOf(told));
  const lines = linesOf(all);
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
