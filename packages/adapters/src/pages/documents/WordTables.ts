/** Tables of text documents: merged cells, rows in content controls, and header rows. */
import type { PageElement } from "../tree/PageTree.ts";
import { childOf, childrenOf } from "./Markup.ts";
import { switchOf, valueOf } from "./WordStyles.ts";

/** Elements that may wrap rows and cells. */
const WRAPPERS: ReadonlySet<string> = new Set(["w:sdt", "w:sdtContent", "w:customXml", "w:ins", "w:moveTo"]);
const WRAPPERS_MAX = 20;

/** Child elements with a name, also within content controls and similar wrappers. */
const unwrapped = (parent: PageElement, name: string, depth = 0): ReadonlyArray<PageElement> =>
  childrenOf(parent).flatMap((child) => {
    if (child.name === name) return [child];
    return WRAPPERS.has(child.name) && depth < WRAPPERS_MAX ? unwrapped(child, name, depth + 1) : [];
  });

/** Maximum span, which is the maximum width of tables in this format. */
const SPAN_MAX = 63;

const countOf = (element: PageElement | null): number => {
  const count = Number(valueOf(element) ?? 0);
  return Number.isInteger(count) ? Math.min(Math.max(count, 0), SPAN_MAX) : 0;
};

interface Cell {
  readonly element: PageElement;
  readonly column: number;
  readonly wide: number;
  /** Whether it continues the cell above it. */
  readonly isContinued: boolean;
}

const cellsOf = (row: PageElement): ReadonlyArray<Cell> => {
  let column = countOf(childOf(row, "w:trPr", "w:gridBefore"));
  return unwrapped(row, "w:tc").map((element) => {
    const wide = Math.max(1, countOf(childOf(element, "w:tcPr", "w:gridSpan")));
    const merged = childOf(element, "w:tcPr", "w:vMerge");
    const cell = { element, column, wide, isContinued: merged !== null && valueOf(merged) !== "restart" };
    column += wide;
    return cell;
  });
};

/** The first row is the header if the table's format says so. */
const hasFirstRow = (table: PageElement): boolean => {
  const tableLook = childOf(table, "w:tblPr", "w:tblLook");
  const marked = tableLook?.attributes["w:firstRow"];
  if (marked !== undefined) return /^(?:1|true|on)$/.test(marked);
  return (Number.parseInt(valueOf(tableLook) ?? "0", 16) & 0x20) !== 0;
};

const isDeleted = (row: PageElement): boolean => childOf(row, "w:trPr", "w:del") !== null;

export const wordTableHtml = (table: PageElement, cellHtml: (cell: PageElement) => string): string => {
  const rows = unwrapped(table, "w:tr")
    .filter((row) => !isDeleted(row))
    .map((row) => {
      const cells = cellsOf(row);
      return { row, cells, byColumn: new Map(cells.map((cell) => [cell.column, cell])) };
    });
  const isHead = rows.map(
    ({ row }, index) =>
      (switchOf(childOf(row, "w:trPr", "w:tblHeader")) ?? false) ||
      (index === 0 && rows.length > 1 && hasFirstRow(table))
  );
  const heightOf = (from: number, column: number): number => {
    let to = from + 1;
    while (rows[to]?.byColumn.get(column)?.isContinued === true) to += 1;
    return to - from;
  };
  const html = rows.map(({ cells }, index) => {
    const tag = isHead[index] === true ? "th" : "td";
    const before = cells[0]?.column ?? 0;
    const own = cells.map(({ column, element, isContinued, wide }) => {
      const above = rows[index - 1]?.byColumn.has(column) ?? false;
      if (isContinued && above) return "";
      const high = isContinued ? 1 : heightOf(index, column);
      return `<${tag} colspan="${wide}" rowspan="${high}">${cellHtml(element)}</${tag}>`;
    });
    return `<tr>${before > 0 ? `<${tag} colspan="${before}"></${tag}>` : ""}${own.join("")}</tr>`;
  });
  return `<table>${html.join("")}</table>`;
};
