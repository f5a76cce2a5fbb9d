/** TanStack Table over the rows: their order, and widths of columns by content until somebody changes them. Tests: results.test.ts. */
import type { ResultRow } from "@winnow/client";
import {
  columnResizingFeature,
  columnSizingFeature,
  createSortedRowModel,
  functionalUpdate,
  rowSortingFeature,
  tableFeatures,
  useTable,
  type ColumnDef,
  type PreactTable,
  type SortingState,
  type TableState
} from "@tanstack/preact-table";
import { useMemo } from "preact/hooks";
import { nameOf } from "../../parts/runTexts.ts";
import { cellOf, compared, textOf, type Column } from "./table.ts";
import { resultsWords } from "./words.ts";

const features = tableFeatures({
  rowSortingFeature,
  columnSizingFeature,
  columnResizingFeature,
  sortedRowModel: createSortedRowModel()
});

export type ResultsTable = PreactTable<typeof features, ResultRow, TableState<typeof features>>;

/** Of the first column, where the others have their pointers. */
const NAME_ID = "title";

/** A long text would be laid out in full for the few words that fit. */
export const TEXT_LENGTH_MAX = 120;

/** Rows whose texts give a column its first width. */
const SAMPLE_ROWS = 100;

/** Widths that content may give, of the window too, and what a cell has around its text: mark, gap and padding. */
export const WIDTH_REM_MIN = 8;
const WIDTH_REM_MAX = 20;
const WINDOW_SHARE_MAX = 0.4;
const AROUND_REM = 3.25;

/** Below it a column cannot be made. */
const RESIZED_REM_MIN = 4;

export const remPx = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

/** The width for the longest of some texts, in pixels, as a canvas measures it. */
const widthPx = (texts: ReadonlyArray<string>): number => {
  const context = document.createElement("canvas").getContext("2d");
  if (context === null) return WIDTH_REM_MIN * remPx();
  const { fontSize, fontFamily } = getComputedStyle(document.body);
  context.font = `${fontSize} ${fontFamily}`;
  const rem = remPx();
  const widths = texts.map((text) => context.measureText(text.slice(0, TEXT_LENGTH_MAX)).width);
  const widest = Math.max(WIDTH_REM_MIN * rem, ...widths.map((width) => width + AROUND_REM * rem));
  return Math.ceil(Math.min(WIDTH_REM_MAX * rem, WINDOW_SHARE_MAX * innerWidth, widest));
};

const defOf = (
  { pointer, name }: Pick<Column, "pointer" | "name">,
  sample: ReadonlyArray<ResultRow>
): ColumnDef<typeof features, ResultRow> => {
  const valueOf = (row: ResultRow): unknown => (pointer === "" ? nameOf(row) : cellOf(row, pointer).value);
  return {
    id: pointer === "" ? NAME_ID : pointer,
    header: name,
    accessorFn: (row) => valueOf(row) ?? undefined,
    sortFn: (one, other) => compared(valueOf(one.original), valueOf(other.original)),
    sortUndefined: "last",
    sortDescFirst: false,
    minSize: RESIZED_REM_MIN * remPx(),
    size: widthPx([name, ...sample.map((row) => textOf(valueOf(row)))])
  };
};

/** That of the extraction itself comes first. */
const NAME = { pointer: "", name: resultsWords.extraction };

/** As in the URL: `-/price`. */
const sortingOf = (text = ""): SortingState =>
  text === "" ? [] : [{ id: text.replace(/^-/u, ""), desc: text.startsWith("-") }];

export interface ResultsTableInput {
  /** Those found. */
  readonly rows: ReadonlyArray<ResultRow>;
  /** All, so that no search changes a width. */
  readonly all: ReadonlyArray<ResultRow>;
  readonly columns: ReadonlyArray<Column>;
  /** As in the URL. */
  readonly order: string | undefined;
  readonly onOrder: (order: string) => void;
  /** Those that somebody gave. */
  readonly widths: Readonly<Record<string, number>>;
  readonly onWidths: (widths: Readonly<Record<string, number>>) => void;
}

/** What is not stated comes last in both directions; equal values stay newest first. */
export const useResultsTable = (input: ResultsTableInput): ResultsTable => {
  const { rows, all, columns, order, onOrder, widths, onWidths } = input;
  const sampled = Math.min(SAMPLE_ROWS, all.length);
  const defs = useMemo(
    () => [NAME, ...columns].map((column) => defOf(column, all.slice(0, sampled))),
    [columns, sampled]
  );
  const sorting = useMemo(() => sortingOf(order), [order]);
  return useTable({
    features,
    columns: defs,
    data: rows,
    state: { sorting, columnSizing: widths },
    onSortingChange: (change) => {
      const [to] = functionalUpdate(change, sorting);
      onOrder(to === undefined ? "" : `${to.desc ? "-" : ""}${to.id}`);
    },
    onColumnSizingChange: (change) => onWidths(functionalUpdate(change, widths)),
    enableMultiSort: false,
    columnResizeMode: "onChange"
  });
};
