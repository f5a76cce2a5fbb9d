/**
 * Reads data tables as grids with spans filled; distinguishes them from layout tables.
 * Measured by bench/page-markdown.ts. Tests: readContent.test.ts.
 */
import type { PageElement } from "../parse/PageTree.ts";
import { CELL_CHARS_MEAN_MAX, cellsOf, isLayoutTable, rowsOf } from "../parse/Tables.ts";
import type { KeptText } from "./KeptText.ts";
import { type Inline, plainText } from "./Content.ts";

/** Maximum columns of a grid; a wider table is layout, or an attempt to fill memory. */
const COLUMNS_MAX = 64;

/** Maximum cells of one grid, including filled spans. */
const CELLS_MAX = 20_000;

export type Cells = ReadonlyArray<Inline>;

export interface Grid {
  readonly head: ReadonlyArray<Cells>;
  readonly rows: ReadonlyArray<ReadonlyArray<Cells>>;
}

interface Cell {
  readonly isHead: boolean;
  readonly content: Cells;
}

const NO_CELL: Cell = { isHead: false, content: [] };

const spanOf = (cell: PageElement, name: "colspan" | "rowspan", most: number): number => {
  const span = Number.parseInt(cell.attributes[name] ?? "1", 10);
  // `rowspan="0"` means all remaining rows.
  return span === 0 ? most : Math.max(1, Math.min(most, Number.isNaN(span) ? 1 : span));
};

/** Null if the table exceeds the limits. */
const filled = (
  rows: ReadonlyArray<PageElement>,
  read: (cell: PageElement) => Cells
): ReadonlyArray<ReadonlyArray<Cell>> | null => {
  const grid: Array<Array<Cell>> = rows.map(() => []);
  let count = 0;
  for (const [y, row] of rows.entries()) {
    let x = 0;
    const cells = cellsOf(row);
    for (const cell of cells) {
      while (grid[y]?.[x] !== undefined) x += 1;
      const wide = spanOf(cell, "colspan", COLUMNS_MAX + 1);
      const high = spanOf(cell, "rowspan", rows.length - y);
      const value: Cell = { isHead: cell.name === "th", content: read(cell) };
      // A cell as wide as the table is a title, shown once.
      const isTitle = cells.length === 1;
      for (let down = 0; down < high; down += 1)
        for (let right = 0; right < wide; right += 1)
          (grid[y + down] as Array<Cell>)[x + right] = isTitle && right > 0 ? NO_CELL : value;
      x += wide;
      count += wide * high;
      if (x > COLUMNS_MAX || count > CELLS_MAX) return null;
    }
  }
  const columns = grid.reduce((most, row) => Math.max(most, row.length), 0);
  return grid.map((row) => Array.from({ length: columns }, (_, x) => row[x] ?? NO_CELL));
};

/** The visible text; link URLs do not count. */
const charsOf = (cells: Cells): number => plainText(cells).length;

/** Rows at the top in which all cells are header cells. */
const headCount = (rows: ReadonlyArray<PageElement>, grid: ReadonlyArray<ReadonlyArray<Cell>>): number => {
  // A row header whose other cells contain only pictures begins a row; a column header may be above an empty
  // corner.
  const isOfRow = ([first, ...rest]: ReadonlyArray<Cell>): boolean =>
    first?.isHead === true && rest.some(({ isHead: marked }) => !marked);
  const isHead = (row: ReadonlyArray<Cell>, y: number): boolean =>
    rows[y]?.parent?.name === "thead" ||
    (row.some(({ isHead: marked }) => marked) &&
      !isOfRow(row) &&
      row.every(({ content, isHead: marked }) => marked || content.length === 0));
  const first = grid.findIndex((row, y) => !isHead(row, y));
  return first < 0 ? Math.min(1, grid.length) : first;
};

/** Merges several header rows: the distinct texts of each column, from top to bottom. */
const joinedHead = (rows: ReadonlyArray<ReadonlyArray<Cell>>): ReadonlyArray<Cells> =>
  (rows[0] ?? []).map((_, x) => {
    const parts = new Set(rows.map((row) => row[x]?.content ?? []).filter((content) => content.length > 0));
    return [...parts].flatMap((content, index): Cells =>
      index === 0 ? content : [{ type: "text", text: " " }, ...content]
    );
  });

/** Null if it is not a data table. `read` returns the selected content of a cell. */
export const readTable = (
  table: PageElement,
  kept: KeptText,
  read: (cell: PageElement) => Cells
): Grid | null => {
  const rows = rowsOf(table).filter((row) => kept.has(row));
  if (rows.length < 2 || isLayoutTable(table, (element) => kept.has(element))) return null;
  const grid = filled(rows, read);
  if (grid === null) return null;
  const columns = [...(grid[0] ?? []).keys()].filter((x) =>
    grid.some((row) => (row[x] ?? NO_CELL).content.length > 0)
  );
  const cells = grid.map((row) => columns.map((x) => row[x] ?? NO_CELL));
  const contents = cells.flat().filter(({ content }) => content.length > 0);
  const mean =
    contents.reduce((sum, { content }) => sum + charsOf(content), 0) / Math.max(1, contents.length);
  if (columns.length < 2 || mean > CELL_CHARS_MEAN_MAX) return null;
  const heads = headCount(rows, cells);
  return {
    head: heads === 0 ? columns.map(() => []) : joinedHead(cells.slice(0, heads)),
    rows: cells.slice(heads).map((row) => row.map(({ content }) => content))
  };
};
