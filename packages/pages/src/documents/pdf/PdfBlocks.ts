/**
 * Groups the lines of a document into paragraphs, headings and tables, by position and letter height. Pure.
 * Measured by bench/documents.ts. Tests: Pdf.test.ts.
 */
import { BULLETS } from "../../write/TypedLists.ts";
import type { PdfLine, Stretch } from "./PdfLayout.ts";
import { type Grid, tableAt } from "./PdfTables.ts";

export type PdfBlock =
  | { readonly type: "text"; readonly lines: ReadonlyArray<string>; readonly height: number | null }
  | { readonly type: "table"; readonly grid: Grid };

/** Maximum difference in letter height within a paragraph. */
const HEIGHT_SHARE = 0.12;
/** Maximum line distance within a paragraph, as a multiple of the usual one, and in letter heights. */
const LEADING_SHARE = 1.35;
const LEADING_HEIGHTS_MAX = 2.7;
/** In letter heights: a line indented by this much begins a paragraph. */
const INDENT_SHARE = 0.8;
/** Room that a line may leave although the next word would fit, in letter heights. */
const SLACK_HEIGHTS = 1.5;

/** "exam-" at the end of a line; "• a", "(1) a" at its beginning. */
const DIVIDED = /\p{L}[-\u00ad\u2010]$/u;
const BULLET = new RegExp(`^\\s*(?:[${BULLETS}–-]\\s|\\(?(?:\\d{1,3}|[a-z])[.)]\\s)`, "u");
/** A line of a table of contents ends with a page number: "Bread . . . . 12". */
const LEADER_END = /(?:[.·…]\s?){3,}\s*(?:\d{1,4}|[ivxlc]{1,7})$/iu;
const SENTENCE_END = /[.!?…:;。！？]["'”’)\]]*$/u;

/** A line of running text with a position. */
interface Placed {
  readonly text: string;
  readonly place: Stretch;
}

const placed = ({ stretches, text }: PdfLine): Placed | null => {
  const [first] = stretches;
  const last = stretches.at(-1);
  if (first === undefined || last === undefined) return null;
  const tall = stretches.reduce((most, each) => (each.text.length > most.text.length ? each : most), first);
  return { text, place: { ...first, right: last.right, height: tall.height } };
};

const medianOf = (values: ReadonlyArray<number>): number | null =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? null;

const isSameSize = (one: Stretch, other: Stretch): boolean =>
  Math.abs(one.height - other.height) <= HEIGHT_SHARE * Math.max(one.height, other.height);

/** Usual line distance of a page, in letter heights. */
const leadingOf = (lines: ReadonlyArray<Placed>): number | null => {
  const gaps = lines.flatMap(({ place }, index) => {
    const next = lines[index + 1]?.place;
    const gap = next === undefined ? 0 : place.y - next.y;
    return next !== undefined &&
      isSameSize(place, next) &&
      gap > 0 &&
      gap <= LEADING_HEIGHTS_MAX * place.height
      ? [gap / place.height]
      : [];
  });
  return medianOf(gaps);
};

/** The right edge of lines of this column and size. */
const reachOf = ({ place }: Placed, lines: ReadonlyArray<Placed>): number =>
  lines
    .filter(
      (each) =>
        isSameSize(each.place, place) && each.place.left < place.right && each.place.right > place.left
    )
    .reduce((most, each) => Math.max(most, each.place.right), place.right);

/** The line ends before the edge of its column although the next word would have fitted. */
const endsEarly = (line: Placed, next: Placed, reach: number): boolean => {
  const { left, right, height } = next.place;
  const [word = ""] = next.text.split(/\s/u);
  const wordWidth = ((right - left) / Math.max(1, next.text.length)) * (word.length + 1);
  return line.place.right + wordWidth + SLACK_HEIGHTS * height < reach;
};

/** Whether a line continues the one before it. */
const isContinued = (
  line: Placed,
  next: Placed,
  {
    first,
    lines,
    leading
  }: { readonly first: Placed; readonly lines: ReadonlyArray<Placed>; readonly leading: number | null }
): boolean => {
  const { height } = line.place;
  if (!isSameSize(line.place, next.place) || BULLET.test(next.text) || LEADER_END.test(line.text))
    return false;
  const gap = line.place.y - next.place.y;
  // In the next column, a paragraph continues if the sentence does.
  if (gap <= 0) return !SENTENCE_END.test(line.text) && !endsEarly(line, next, reachOf(line, lines));
  if (gap > height * Math.min(LEADING_HEIGHTS_MAX, LEADING_SHARE * (leading ?? LEADING_HEIGHTS_MAX)))
    return false;
  if (DIVIDED.test(line.text) && /^\p{Ll}/u.test(next.text)) return true;
  const isItem = BULLET.test(first.text);
  if (!isItem && next.place.left - line.place.left > INDENT_SHARE * height) return false;
  return !endsEarly(line, next, reachOf(line, lines));
};

const textBlock = (lines: ReadonlyArray<Placed>): PdfBlock => ({
  type: "text",
  lines: lines.map(({ text }) => text),
  height: lines[0]?.place.height ?? null
});

/** The blocks of a page. Lines without a position are separate blocks. */
export const blocksOfPage = (lines: ReadonlyArray<PdfLine>): ReadonlyArray<PdfBlock> => {
  const all = lines.map(placed).filter((line) => line !== null);
  const leading = leadingOf(all);
  const blocks: Array<PdfBlock> = [];
  let open: Array<Placed> = [];
  const flush = (): void => {
    if (open.length > 0) blocks.push(textBlock(open));
    open = [];
  };
  for (let at = 0; at < lines.length; at += 1) {
    const table = tableAt(lines, at);
    const line = lines[at] as PdfLine;
    const next = placed(line);
    if (table !== null || next === null) {
      flush();
      if (table !== null) at += table.count - 1;
      blocks.push(
        table === null
          ? { type: "text", lines: [line.text], height: null }
          : { type: "table", grid: table.grid }
      );
      continue;
    }
    const [first] = open;
    const last = open.at(-1);
    if (first === undefined || last === undefined || !isContinued(last, next, { first, lines: all, leading }))
      flush();
    open.push(next);
  }
  flush();
  return blocks;
};

/** A heading is short and has larger letters than most of the text. */
const HEADING_SHARE = 1.12;
const HEADING_CHARS_MAX = 200;
const LEVELS_MAX = 3;

const charsOf = (lines: ReadonlyArray<string>): number => lines.reduce((sum, { length }) => sum + length, 0);

/** Heading levels by letter height, largest first, for all pages of a document. */
export const headingLevels = (blocks: ReadonlyArray<PdfBlock>): ((block: PdfBlock) => number | null) => {
  const chars = new Map<number, number>();
  const rounded = (height: number): number => Math.round(height * 2) / 2;
  for (const block of blocks) {
    if (block.type !== "text" || block.height === null) continue;
    const height = rounded(block.height);
    chars.set(height, (chars.get(height) ?? 0) + charsOf(block.lines));
  }
  const [body] = [...chars].reduce((most, each) => (each[1] > most[1] ? each : most), [Infinity, 0]);
  const isHeading = (block: PdfBlock): block is PdfBlock & { readonly type: "text" } =>
    block.type === "text" &&
    block.height !== null &&
    rounded(block.height) >= HEADING_SHARE * body &&
    charsOf(block.lines) <= HEADING_CHARS_MAX &&
    /\p{L}/u.test(block.lines.join(""));
  const heights = new Set(blocks.filter(isHeading).map(({ height }) => rounded(height ?? 0)));
  const order = [...heights].toSorted((one, other) => other - one);
  return (block) =>
    isHeading(block) ? Math.min(LEVELS_MAX, order.indexOf(rounded(block.height ?? 0)) + 1) : null;
};
