/**
 * The lines of a page in the order of reading, from where its pieces of text stand: rows from the top, and two columns
 * one after the other between whatever goes across both. Pure.
 */

/** Positions in points from the lower left corner, as PDF has them. */
export interface PdfPiece {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Text that stands on one row without a wide gap. */
export interface Stretch {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  /** Of the line that its letters stand on. */
  readonly y: number;
  /** Of its letters. */
  readonly height: number;
}

/** A line in the order of reading. */
export interface PdfLine {
  readonly text: string;
  /** From left to right; a line of running text is one. Empty where its place is not known. */
  readonly stretches: ReadonlyArray<Stretch>;
  /** The same, parted at narrower gaps too: what might be the cells of a row. */
  readonly cells: ReadonlyArray<Stretch>;
}

/** What stands side by side. */
type Row = Pick<PdfLine, "stretches" | "cells">;

/** Share of a letter's height that two pieces of one row are apart at most. */
const ROW_SHARE = 0.5;
/** Gaps in heights of a letter: of a space between words, and of what is no space any more. */
const SPACE_SHARE = 0.15;
const GAP_SHARE = 1.3;
/** Of cells side by side, which the rows above and below must bear out. */
const CELL_GAP_SHARE = 0.7;

/** Lines that make a column, on each side. */
const COLUMN_LINES_MIN = 4;
/** Share of all stretches that may go across both columns: titles, figures. */
const ACROSS_SHARE_MAX = 0.25;
/** A gutter runs through the middle part of the text. */
const GUTTER_FROM = 0.3;
const GUTTER_TO = 0.7;
/** Places for it that are tried. */
const GUTTER_STEPS = 40;

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
  return rows.map((row) => row.toSorted((one, other) => one.x - other.x));
};

const stretchesOf = (row: ReadonlyArray<PdfPiece>, gapShare: number): ReadonlyArray<Stretch> => {
  const stretches: Array<Stretch> = [];
  for (const { height, text, width, x, y } of row) {
    const last = stretches.at(-1);
    const gap = last === undefined ? 0 : x - last.right;
    if (last === undefined || gap > gapShare * Math.max(height, last.height)) {
      if (text.trim() !== "") stretches.push({ text, left: x, right: x + width, y, height });
      continue;
    }
    const between = gap > SPACE_SHARE * height && !/\s$/.test(last.text) && !/^\s/.test(text) ? " " : "";
    stretches[stretches.length - 1] = {
      ...last,
      text: last.text + between + text,
      right: Math.max(last.right, x + width)
    };
  }
  return stretches;
};

/** Where the space between two columns is; null on a page that has none. */
const gutterOf = (stretches: ReadonlyArray<Stretch>): number | null => {
  const left = Math.min(...stretches.map((each) => each.left));
  const right = Math.max(...stretches.map((each) => each.right));
  let best: { readonly place: number; readonly across: number } | null = null;
  for (let step = 0; step <= GUTTER_STEPS; step += 1) {
    const share = GUTTER_FROM + ((GUTTER_TO - GUTTER_FROM) * step) / GUTTER_STEPS;
    const place = left + (right - left) * share;
    const before = stretches.filter((each) => each.right <= place).length;
    const after = stretches.filter((each) => each.left >= place).length;
    const across = stretches.length - before - after;
    const isGutter =
      Math.min(before, after) >= COLUMN_LINES_MIN && across <= ACROSS_SHARE_MAX * stretches.length;
    if (isGutter && (best === null || across < best.across)) best = { place, across };
  }
  return best?.place ?? null;
};

/** Half of the lines of running text are at least as long; cells of a table are shorter. */
const SENTENCE_CHARS_MIN = 20;

/** Columns hold running text; the cells of a table are short. */
const isRunning = (stretches: ReadonlyArray<Stretch>): boolean => {
  const lengths = stretches.map(({ text }) => text.length).toSorted((one, other) => one - other);
  return (lengths[Math.floor(lengths.length / 2)] ?? 0) >= SENTENCE_CHARS_MIN;
};

const lineOf = (row: Row): PdfLine => ({
  text: row.stretches.map(({ text }) => text.trim()).join(" "),
  ...row
});

/** Of the height of most letters, those of a heading, which stands above both columns though it is short. */
const HEADING_SHARE = 1.12;
/** In its own heights, how near beside it text of another column stands. */
const BESIDE_HEIGHTS = 0.8;

/** Rows that part what is above them from what is below, in both columns. */
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

const inColumns = (rows: ReadonlyArray<Row>, gutter: number): ReadonlyArray<PdfLine> => {
  const lines: Array<PdfLine> = [];
  let left: Array<PdfLine> = [];
  let right: Array<PdfLine> = [];
  const flush = (): void => {
    lines.push(...left, ...right);
    left = [];
    right = [];
  };
  const half = ({ cells, stretches }: Row, isIn: (each: Stretch) => boolean): Row => ({
    stretches: stretches.filter(isIn),
    cells: cells.filter(isIn)
  });
  const headings = headingsOver(rows, gutter);
  for (const row of rows) {
    if (headings.has(row) || row.stretches.some((each) => each.left < gutter && each.right > gutter)) {
      flush();
      lines.push(lineOf(row));
      continue;
    }
    const before = half(row, (each) => each.right <= gutter);
    const after = half(row, (each) => each.left >= gutter);
    if (before.stretches.length > 0) left.push(lineOf(before));
    if (after.stretches.length > 0) right.push(lineOf(after));
  }
  flush();
  return lines;
};

/** Lines of one page; the rows that stand highest and lowest come first and last. */
export const linesOfPage = (pieces: ReadonlyArray<PdfPiece>): ReadonlyArray<PdfLine> => {
  const rows = rowsOf(pieces)
    .map((row): Row => ({ stretches: stretchesOf(row, GAP_SHARE), cells: stretchesOf(row, CELL_GAP_SHARE) }))
    .filter((row) => row.stretches.length > 0);
  const stretches = rows.flatMap((row) => row.stretches);
  const gutter = stretches.length < 2 * COLUMN_LINES_MIN ? null : gutterOf(stretches);
  const sides =
    gutter === null ? [] : stretches.filter((each) => each.right <= gutter || each.left >= gutter);
  return gutter === null || !isRunning(sides) ? rows.map(lineOf) : inColumns(rows, gutter);
};
