/** Detects tables: rows of a page with aligned pieces. Pure. Measured by bench/documents.ts. */
import type { PdfLine, Stretch } from "./PdfLayout.ts";

/** Two rows of two pieces are not conclusive. */
const ROWS_MIN = 3;
/** With more columns, it is a drawing. */
const COLUMNS_MAX = 24;
/** Maximum median length of cells, in characters: longer ones are text in columns. */
const CELL_CHARS_MAX = 40;
/** Maximum distance between rows of one table, in letter heights. */
const ROW_GAP_MAX = 4;

/** A column extends from the leftmost to the rightmost edge of its cells. */
interface Column {
  left: number;
  right: number;
}

const columnsOf = (rows: ReadonlyArray<PdfLine>): ReadonlyArray<Column> => {
  const columns: Array<Column> = [];
  const all = rows.flatMap(({ cells }) => cells).toSorted((one, other) => one.left - other.left);
  for (const { left, right } of all) {
    const last = columns.at(-1);
    if (last === undefined || left >= last.right) columns.push({ left, right });
    else last.right = Math.max(last.right, right);
  }
  return columns;
};

const cellsOf = (row: PdfLine, columns: ReadonlyArray<Column>): ReadonlyArray<string> | null => {
  const cells = columns.map(() => "");
  for (const { left, text } of row.cells) {
    const at = columns.findIndex((column) => left >= column.left && left < column.right);
    if (at < 0 || cells[at] !== "") return null;
    cells[at] = text.trim();
  }
  return cells;
};

export type Grid = ReadonlyArray<ReadonlyArray<string>>;

/** Gap between the lines of a cell, as a share of the gap above any row that begins in the first column. */
const LINE_GAP_SHARE = 0.8;

const yOf = (row: PdfLine | undefined): number => row?.cells[0]?.y ?? 0;

/** Lines that continue cells of the row above: nothing in the first column, and nearer than any row is to the next. */
const withWholeCells = (grid: Grid, rows: ReadonlyArray<PdfLine>): Grid => {
  const gaps = rows.map((row, at) => (at === 0 ? Number.POSITIVE_INFINITY : yOf(rows[at - 1]) - yOf(row)));
  const rowGap = Math.min(...gaps.filter((_, at) => at > 0 && grid[at]?.[0] !== ""));
  const whole: Array<ReadonlyArray<string>> = [];
  grid.forEach((row, at) => {
    const above = whole.at(-1);
    const isContinued =
      above !== undefined &&
      above[0] !== "" &&
      row[0] === "" &&
      rowGap < Number.POSITIVE_INFINITY &&
      (gaps[at] ?? 0) <= LINE_GAP_SHARE * rowGap;
    if (isContinued)
      whole[whole.length - 1] = above.map((cell, column) => `${cell}\n${row[column] ?? ""}`.trim());
    else whole.push(row);
  });
  return whole;
};

/**
 * A centred column header may not be aligned with its cells: adjacent columns that no row fills both of are
 * merged.
 */
const joinedColumns = (grid: Grid): Grid => {
  const width = grid[0]?.length ?? 0;
  for (let at = 0; at + 1 < width; at += 1)
    if (grid.every((row) => row[at] === "" || row[at + 1] === ""))
      return joinedColumns(grid.map((row) => row.toSpliced(at, 2, `${row[at] ?? ""}${row[at + 1] ?? ""}`)));
  return grid;
};

/** Null if the pieces are not cells: two of a row are in one column, or they are long. */
const gridOf = (rows: ReadonlyArray<PdfLine>): Grid | null => {
  const columns = columnsOf(rows);
  if (columns.length < 2 || columns.length > COLUMNS_MAX) return null;
  const grid = rows.map((row) => cellsOf(row, columns)).filter((row) => row !== null);
  const lengths = grid
    .flat()
    .filter((cell) => cell !== "")
    .map(({ length }) => length)
    .toSorted((one, other) => one - other);
  const isShort = (lengths[Math.floor(lengths.length / 2)] ?? 0) <= CELL_CHARS_MAX;
  if (grid.length !== rows.length) return null;
  const joined = joinedColumns(withWholeCells(grid, rows));
  return isShort && (joined[0]?.length ?? 0) > 1 ? joined : null;
};

/** List markers are separate pieces: "•", "12.", "(a)". */
const ITEM_MARK = /^(?:[•●▪◦‣∙■○◆➢➤►▸–-]|\(?(?:\d{1,3}|[a-z])[.)])$/u;

const isRow = (line: PdfLine | undefined): boolean =>
  line !== undefined && line.cells.length > 1 && !ITEM_MARK.test(line.cells[0]?.text.trim() ?? "");

const isNextRow = (one: Stretch | undefined, next: Stretch | undefined): boolean =>
  one !== undefined &&
  next !== undefined &&
  one.y > next.y &&
  one.y - next.y <= ROW_GAP_MAX * Math.max(one.height, next.height);

/** The second line of one cell amid rows: aligned with a cell above, not the first one, and nearer to it than to the next row. */
const isLoneLine = (lines: ReadonlyArray<PdfLine>, at: number): boolean => {
  const [above, line, next] = [lines[at - 1], lines[at], lines[at + 1]];
  const [cell, ...others] = line?.cells ?? [];
  if (above === undefined || cell === undefined || others.length > 0 || !isRow(next)) return false;
  const isAligned = above.cells.slice(1).some(({ left }) => Math.abs(left - cell.left) < cell.height / 2);
  return isAligned && yOf(above) - cell.y <= LINE_GAP_SHARE * (cell.y - yOf(next));
};

/** The table that begins with a line, and its number of lines; null if there is none. */
export const tableAt = (
  lines: ReadonlyArray<PdfLine>,
  start: number
): { readonly grid: Grid; readonly count: number } | null => {
  let count = 0;
  while (isRow(lines[start + count]) || (count > 0 && isLoneLine(lines, start + count))) {
    const [before, now] = [lines[start + count - 1], lines[start + count]];
    if (count > 0 && !isNextRow(before?.cells[0], now?.cells[0])) break;
    count += 1;
  }
  if (count < ROWS_MIN) return null;
  const grid = gridOf(lines.slice(start, start + count));
  return grid === null ? null : { grid, count };
};

/** Whether the first row is a header: words above numbers. */
export const hasHead = ([first = [], ...rest]: Grid): boolean =>
  first.every((cell) => cell !== "" && !/\d/u.test(cell)) && rest.flat().some((cell) => /\d/u.test(cell));
