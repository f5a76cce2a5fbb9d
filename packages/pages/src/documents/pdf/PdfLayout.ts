/**
 * The lines of a page in reading order, from the positions of its pieces of text: rows from the top, and columns
 * one after the other between elements that span them. Pure. Measured by bench/documents.ts.
 */

/** Positions in points from the lower left corner, as in PDF. */
export interface PdfPiece {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Text on one row without a wide gap, in points. */
export interface Stretch {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  /** The baseline. */
  readonly y: number;
  /** Letter height. */
  readonly height: number;
}

/** A line in reading order. */
export interface PdfLine {
  readonly text: string;
  /** From left to right; a line of running text has one. Empty if positions are unknown. */
  readonly stretches: ReadonlyArray<Stretch>;
  /** The same text, also split at narrower gaps: possible table cells. */
  readonly cells: ReadonlyArray<Stretch>;
}

/** Pieces side by side, in one column or across several. */
type Row = Pick<PdfLine, "stretches" | "cells">;

/** Maximum vertical distance of two pieces of one row, as a share of the letter height. */
const ROW_SHARE = 0.5;
/** Gaps in letter heights: minimum between words, and minimum of a gap that is more than a space. */
const SPACE_SHARE = 0.15;
const GAP_SHARE = 1.3;
/** Minimum gap between cells, which the rows above and below must confirm. */
const CELL_GAP_SHARE = 0.7;

/** Minimum lines of a column, on each side. */
const COLUMN_LINES_MIN = 4;
/** Maximum share of pieces that may span both columns: titles, figures. */
const ACROSS_SHARE_MAX = 0.25;
/** A gutter is in the middle part of the text. */
const GUTTER_FROM = 0.3;
const GUTTER_TO = 0.7;
/** Number of positions tried. */
const GUTTER_STEPS = 40;

/** Distance of a text from itself, in letter heights, if it is drawn twice to look bold. */
const BOLD_SHARE = 0.1;

const isAgain = ({ height, text, x, y }: PdfPiece, before: PdfPiece | undefined): boolean =>
  before?.text === text && Math.max(x - before.x, Math.abs(y - before.y)) < BOLD_SHARE * height;

const rowsOf = (pieces: ReadonlyArray<PdfPiece>): ReadonlyArray<ReadonlyArray<PdfPiece>> => {
  const rows: Array<Array<PdfPiece>> = [];
  for (const piece of pieces.toSorted((one, other) => other.y - one.y)) {
    const row = rows.at(-1);
    const first = row?.[0];
    const isSame =
      first !== undefined && first.y - piece.y < ROW_SHARE * Math.max(first.height, piece.height);
    if (isSame) row?.push(piece);
    else rows.push([piece]);
  }
  return rows.map((row) =>
    row
      .toSorted((one, other) => one.x - other.x)
      .filter((piece, at, sorted) => !isAgain(piece, sorted[at - 1]))
  );
};

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/gu;
const LETTER = /\p{L}/gu;

/** Whether most of its letters are of right-to-left scripts. */
const runsToTheLeft = (text: string): boolean =>
  2 * (text.match(RIGHT_TO_LEFT)?.length ?? 0) > (text.match(LETTER)?.length ?? 0);

const isRightToLeft = (rows: ReadonlyArray<Row>): boolean =>
  runsToTheLeft(rows.flatMap(({ stretches }) => stretches.map(({ text }) => text)).join(""));

/** A sequence of left-to-right words among right-to-left ones, or vice versa, is one piece. */
const withRunsJoined = (row: ReadonlyArray<PdfPiece>): ReadonlyArray<PdfPiece> => {
  const runs: Array<PdfPiece> = [];
  for (const piece of row) {
    const last = runs.at(-1);
    const gap = last === undefined ? 0 : piece.x - last.x - last.width;
    const isRun = (text: string): boolean => /[\p{L}\p{N}]/u.test(text) && !runsToTheLeft(text);
    if (
      last === undefined ||
      !isRun(last.text) ||
      !isRun(piece.text) ||
      gap > CELL_GAP_SHARE * piece.height
    ) {
      runs.push(piece);
      continue;
    }
    const between =
      gap > SPACE_SHARE * piece.height && !/\s$/.test(last.text) && !/^\s/.test(piece.text) ? " " : "";
    runs[runs.length - 1] = {
      ...last,
      text: last.text + between + piece.text,
      width: piece.x + piece.width - last.x
    };
  }
  return runs;
};

const stretchesOf = (row: ReadonlyArray<PdfPiece>, gapShare: number): ReadonlyArray<Stretch> => {
  const stretches: Array<Stretch> = [];
  const isRtl = runsToTheLeft(row.map(({ text }) => text).join(""));
  for (const { height, text, width, x, y } of isRtl ? withRunsJoined(row) : row) {
    const last = stretches.at(-1);
    const gap = last === undefined ? 0 : x - last.right;
    if (last === undefined || gap > gapShare * Math.max(height, last.height)) {
      if (text.trim() !== "") stretches.push({ text, left: x, right: x + width, y, height });
      continue;
    }
    const [start, end] = isRtl ? [text, last.text] : [last.text, text];
    const between = gap > SPACE_SHARE * height && !/\s$/.test(start) && !/^\s/.test(end) ? " " : "";
    stretches[stretches.length - 1] = {
      ...last,
      text: start + between + end,
      right: Math.max(last.right, x + width)
    };
  }
  return stretches;
};

/** Position of the gap between two columns; null if there is none. */
const gutterOf = (rows: ReadonlyArray<Row>): number | null => {
  const stretches = rows.flatMap(({ cells }) => cells);
  const left = stretches.reduce((least, each) => Math.min(least, each.left), Infinity);
  const right = stretches.reduce((most, each) => Math.max(most, each.right), -Infinity);
  let best: { readonly place: number; readonly across: number } | null = null;
  for (let step = 0; step <= GUTTER_STEPS; step += 1) {
    const share = GUTTER_FROM + ((GUTTER_TO - GUTTER_FROM) * step) / GUTTER_STEPS;
    const place = left + (right - left) * share;
    const linesWith = (isIn: (each: Stretch) => boolean): number =>
      rows.filter(({ cells }) => cells.some(isIn)).length;
    const across = stretches.filter((each) => each.left < place && each.right > place).length;
    const isGutter =
      across <= ACROSS_SHARE_MAX * stretches.length &&
      linesWith((each) => each.right <= place) >= COLUMN_LINES_MIN &&
      linesWith((each) => each.left >= place) >= COLUMN_LINES_MIN;
    if (isGutter && (best === null || across < best.across)) best = { place, across };
  }
  return best?.place ?? null;
};

/** Minimum median length of lines of running text; cells of a table are shorter. */
const SENTENCE_CHARS_MIN = 20;

/** Columns contain running text; the cells of a table are short. */
const isRunning = (stretches: ReadonlyArray<Stretch>): boolean => {
  const lengths = stretches.map(({ text }) => text.length).toSorted((one, other) => one - other);
  return (lengths[Math.floor(lengths.length / 2)] ?? 0) >= SENTENCE_CHARS_MIN;
};

const lineOf = (row: Row): PdfLine => {
  const texts = row.stretches.map(({ text }) => text.trim());
  return { text: (isRightToLeft([row]) ? texts.toReversed() : texts).join(" "), ...row };
};

/**
 * Minimum letter height of a heading relative to most letters; it is above both columns even if it is short.
 */
const HEADING_SHARE = 1.12;
/**
 * Minimum vertical distance of a heading from lines of the other column, in letter heights of the heading.
 */
const BESIDE_HEIGHTS = 0.8;

/** Rows that separate what is above and below them, in both columns. */
const headingsOver = (rows: ReadonlyArray<Row>, gutter: number): ReadonlySet<Row> => {
  const all = rows.flatMap(({ stretches }) => stretches);
  const heights = all.map(({ height }) => height).toSorted((one, other) => one - other);
  const usual = heights[Math.floor(heights.length / 2)] ?? 0;
  const right = all.filter(({ left }) => left >= gutter);
  const isHeading = ({ stretches }: Row): boolean =>
    stretches.every(
      ({ height, right: end, y }) =>
        end <= gutter &&
        height >= HEADING_SHARE * usual &&
        right.every((each) => Math.abs(each.y - y) > BESIDE_HEIGHTS * height)
    );
  return new Set(rows.filter(isHeading));
};

/** Maximum nesting of splits; pages with three or four columns need more than one. */
const COLUMNS_DEPTH_MAX = 3;

const inColumns = (rows: ReadonlyArray<Row>, gutter: number, depth: number): ReadonlyArray<PdfLine> => {
  const lines: Array<PdfLine> = [];
  let left: Array<Row> = [];
  let right: Array<Row> = [];
  const isRtl = isRightToLeft(rows);
  const flush = (): void => {
    const [first, second] = isRtl ? [right, left] : [left, right];
    lines.push(...linesOfRows(first, depth + 1), ...linesOfRows(second, depth + 1));
    left = [];
    right = [];
  };
  const headings = headingsOver(rows, gutter);
  for (const row of rows) {
    if (headings.has(row) || row.cells.some((each) => each.left < gutter && each.right > gutter)) {
      flush();
      lines.push(lineOf(row));
      continue;
    }
    const before = sideOf(row, (each) => each.right <= gutter);
    const after = sideOf(row, (each) => each.left >= gutter);
    if (before.stretches.length > 0) left.push(before);
    if (after.stretches.length > 0) right.push(after);
  }
  flush();
  return lines;
};

/** The gutter may be barely wider than a space, so pieces are joined on each side of it separately. */
const sideOf = ({ cells }: Row, isIn: (each: Stretch) => boolean): Row => {
  const own = cells.filter(isIn);
  const pieces = own.map(({ height, left, right, text, y }) => ({
    text,
    x: left,
    y,
    width: right - left,
    height
  }));
  return { stretches: stretchesOf(pieces, GAP_SHARE), cells: own };
};

const linesOfRows = (rows: ReadonlyArray<Row>, depth: number): ReadonlyArray<PdfLine> => {
  const gutter = depth < COLUMNS_DEPTH_MAX && rows.length >= COLUMN_LINES_MIN ? gutterOf(rows) : null;
  if (gutter === null) return rows.map(lineOf);
  const sides = rows.flatMap((row) => [
    ...sideOf(row, (each) => each.right <= gutter).stretches,
    ...sideOf(row, (each) => each.left >= gutter).stretches
  ]);
  return isRunning(sides) ? inColumns(rows, gutter, depth) : rows.map(lineOf);
};

/** Lines of one page; the topmost and bottommost rows come first and last. */
export const linesOfPage = (pieces: ReadonlyArray<PdfPiece>): ReadonlyArray<PdfLine> => {
  const rows = rowsOf(pieces)
    .map((row): Row => ({ stretches: stretchesOf(row, GAP_SHARE), cells: stretchesOf(row, CELL_GAP_SHARE) }))
    .filter((row) => row.stretches.length > 0);
  return linesOfRows(rows, 0);
};
