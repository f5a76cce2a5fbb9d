/**
 * Rows and cells of HTML tables, and whether a table contains data or is used for layout.
 * Tests: readContent.test.ts, WholeStructure.test.ts.
 */
import { type PageElement, walk } from "./PageTree.ts";

const childrenOf = (element: PageElement, names: ReadonlySet<string>): ReadonlyArray<PageElement> =>
  element.children.filter(
    (child): child is PageElement => typeof child !== "string" && names.has(child.name)
  );

const SECTIONS: ReadonlySet<string> = new Set(["thead", "tbody", "tfoot"]);
const ROWS: ReadonlySet<string> = new Set(["tr"]);
const CAPTIONS: ReadonlySet<string> = new Set(["caption"]);
const CELLS: ReadonlySet<string> = new Set(["td", "th"]);

/** Rows of the table itself, without nested tables. */
export const rowsOf = (table: PageElement): ReadonlyArray<PageElement> =>
  table.children.flatMap((child) => {
    if (typeof child === "string") return [];
    if (child.name === "tr") return [child];
    return SECTIONS.has(child.name) ? childrenOf(child, ROWS) : [];
  });

/** Cells that a page puts into a table without a row, which browsers make up. */
export const looseCellsOf = (table: PageElement): ReadonlyArray<PageElement> =>
  [table, ...childrenOf(table, SECTIONS)].flatMap((holder) => childrenOf(holder, CELLS));

/** The table, its sections and its rows: what stands in them is in a cell or the caption. */
export const holdersOf = (table: PageElement): ReadonlyArray<PageElement> => [
  table,
  ...childrenOf(table, SECTIONS),
  ...rowsOf(table)
];

export const cellsOf = (row: PageElement): ReadonlyArray<PageElement> => childrenOf(row, CELLS);

export const captionsOf = (table: PageElement): ReadonlyArray<PageElement> => childrenOf(table, CAPTIONS);

/** Average text per cell in characters; a table with more is used for layout. */
export const CELL_CHARS_MEAN_MAX = 400;

const NO_CELL_CONTENT: ReadonlySet<string> = new Set(["table", "pre", "article", "form", "h1"]);

/** Whether a table is used for layout; only elements accepted by `counts` are considered. */
export const isLayoutTable = (table: PageElement, counts: (element: PageElement) => boolean): boolean => {
  const { role } = table.attributes;
  if (role === "presentation" || role === "none") return true;
  let isMixed = false;
  walk(table, (element) => {
    if (NO_CELL_CONTENT.has(element.name) && counts(element)) isMixed = true;
    return !isMixed;
  });
  return isMixed;
};
