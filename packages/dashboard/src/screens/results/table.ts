/**
 * The table of results without its drawing: its columns and their summaries, the mark of a cell, search, and what was
 * typed. Pure. Tests: resultsTable.test.ts.
 */
import type { EvidenceItem, ResultRow } from "@winnow/client";
import { isWithin, toCheckIn } from "../../data/results.ts";
import { childPointer, pathText, stepsOf } from "../../parts/jsonPointer.ts";

type Json = Readonly<Record<string, unknown>>;

export interface Column {
  /** JSON pointer into the values. */
  readonly pointer: string;
  readonly name: string;
  /** Of the value; empty without a schema. */
  readonly schema: Json;
}

const columnsBelow = (schema: Json, pointer: string): ReadonlyArray<Column> =>
  Object.entries((schema["properties"] ?? {}) as Readonly<Record<string, Json>>).flatMap(([name, member]) => {
    const at = childPointer(pointer, name);
    const below = columnsBelow(member, at);
    return below.length > 0 ? below : [{ pointer: at, name: pathText(at), schema: member }];
  });

/** The members of a schema's object in its order, those of a nested object each by itself; without one, what rows have. */
export const columnsOf = (
  schema: Json | undefined,
  rows: ReadonlyArray<ResultRow>
): ReadonlyArray<Column> => {
  if (schema !== undefined) return columnsBelow(schema, "");
  const names = new Set(rows.flatMap(({ values }) => Object.keys(Object(values) as Json)));
  return [...names].map((name) => ({ pointer: childPointer("", name), name, schema: {} }));
};

/** Null where there is nothing. */
const valueAt = (root: unknown, pointer: string): unknown =>
  stepsOf(pointer).reduce<unknown>((at, step) => (Object(at) as Json)[step] ?? null, root);

const withValueAt = (root: unknown, [step, ...rest]: ReadonlyArray<string>, value: unknown): unknown => {
  if (step === undefined) return value;
  if (Array.isArray(root))
    return root.map((item, index) => (String(index) === step ? withValueAt(item, rest, value) : item));
  const members = Object(root) as Json;
  return { ...members, [step]: withValueAt(members[step], rest, value) };
};

export type Corrections = ResultRow["corrections"];

/** Entries of a record by pointer that are at a pointer or below it. */
export const within = <Value>(record: Readonly<Record<string, Value>>, pointer: string) =>
  Object.entries(record).filter(([at]) => isWithin(at, pointer));

/** Corrections with others in the place of those at a pointer and below it. */
export const withCorrections = (
  corrections: Corrections,
  pointer: string,
  others: Corrections
): Corrections => ({
  ...Object.fromEntries(Object.entries(corrections).filter(([at]) => !isWithin(at, pointer))),
  ...others
});

/** `accepted`: a person confirmed the value that was read. */
export const MARKS = ["quoted", "unsupported", "not_stated", "corrected", "accepted"] as const;
export type Mark = (typeof MARKS)[number];

export interface Cell {
  readonly mark: Mark;
  /** With corrections in their places. */
  readonly value: unknown;
  readonly original: unknown;
  readonly quotes: ReadonlyArray<EvidenceItem & { readonly of: string }>;
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Rows never change, and thousands are asked for the same again. */
const perRow = <A>(make: (row: ResultRow) => A): ((row: ResultRow) => A) => {
  const known = new WeakMap<ResultRow, A>();
  return (row) => {
    const made = known.get(row) ?? make(row);
    known.set(row, made);
    return made;
  };
};

const toCheckOf = perRow(toCheckIn);

/** Of a value with parts: to check if one of them is, else quoted if one of them is. */
const markOf = (row: ResultRow, pointer: string, touched: Mark | null): Mark => {
  if (toCheckOf(row).some((at) => isWithin(at, pointer))) return "unsupported";
  if (touched !== null) return touched;
  return within(row.support, pointer).some(([, support]) => support === "quoted") ? "quoted" : "not_stated";
};

const makeCell = (row: ResultRow, pointer: string): Cell => {
  const original = valueAt(row.values, pointer);
  const corrections = Object.entries(row.corrections).filter(
    ([at]) => isWithin(at, pointer) || isWithin(pointer, at)
  );
  const corrected = corrections.reduce<unknown>(
    (root, [at, to]) => withValueAt(root, stepsOf(at), to),
    row.values
  );
  const value = valueAt(corrected, pointer);
  const touched = isSame(value, original) ? "accepted" : "corrected";
  return {
    mark: markOf(row, pointer, corrections.length === 0 ? null : touched),
    value,
    original,
    quotes: within(row.evidence, pointer).flatMap(([of, items]) => items.map((item) => ({ ...item, of })))
  };
};

const cellsOf = perRow(() => new Map<string, Cell>());

export const cellOf = (row: ResultRow, pointer: string): Cell => {
  const cells = cellsOf(row);
  const cell = cells.get(pointer) ?? makeCell(row, pointer);
  cells.set(pointer, cell);
  return cell;
};

/** The columns of a row in which a value is to check; without making the cells, because it is asked of every row. */
const columnsToCheck = (row: ResultRow, columns: ReadonlyArray<Column>): ReadonlyArray<Column> =>
  columns.filter(({ pointer }) => toCheckOf(row).some((at) => isWithin(at, pointer)));

/** Values, as everywhere: those in the columns. */
export const countToCheck = (rows: ReadonlyArray<ResultRow>, columns: ReadonlyArray<Column>): number =>
  rows.reduce(
    (sum, row) =>
      sum + toCheckOf(row).filter((at) => columns.some(({ pointer }) => isWithin(at, pointer))).length,
    0
  );

/** The columns to show: in the review, what is to check is never hidden, so that all of it is reached. */
export const visibleColumns = (
  columns: ReadonlyArray<Column>,
  hidden: ReadonlyArray<string>,
  rows: ReadonlyArray<ResultRow>,
  isReview: boolean
): ReadonlyArray<Column> => {
  const wanted = new Set(isReview ? rows.flatMap((row) => columnsToCheck(row, columns)) : []);
  return columns.filter((column) => wanted.has(column) || !hidden.includes(column.pointer));
};

/** Nested values in one line: the items of a list, the members of an object. */
export const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value))
    return value.map(textOf).join(value.some((item) => item === Object(item)) ? "; " : ", ");
  if (typeof value !== "object") return String(value);
  return Object.entries(value)
    .filter(([, member]) => member !== null)
    .map(([name, member]) => `${name}: ${textOf(member)}`)
    .join(", ");
};

/** How a value stands in the field where it is corrected. */
export const editableText = (value: unknown): string =>
  value === null || typeof value === "string" ? (value ?? "") : JSON.stringify(value, null, 1);

const typesOf = ({ type }: Json): ReadonlyArray<unknown> => [type ?? []].flat();

/** What was typed: JSON where neither schema nor value is a text. What cannot be read is left to the server. */
export const typedValue = (text: string, schema: Json, current: unknown): unknown => {
  const isText = typesOf(schema).includes("string") || "enum" in schema || typeof current === "string";
  if (isText) return text;
  if (text.trim() === "") return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
};

const collator = new Intl.Collator(undefined, { numeric: true });

export const compared = (one: unknown, other: unknown): number =>
  typeof one === "number" && typeof other === "number"
    ? one - other
    : collator.compare(textOf(one), textOf(other));

export interface Summary {
  readonly stated: number;
  readonly toCheck: number;
  /** Of a column with numbers only. */
  readonly range: readonly [number, number] | null;
}

export const summaryOf = (rows: ReadonlyArray<ResultRow>, column: Column): Summary => {
  const values = rows
    .map((row) => cellOf(row, column.pointer).value)
    .filter((value) => value !== null && value !== undefined);
  const numbers = values.filter((value) => typeof value === "number");
  return {
    stated: values.length,
    toCheck: countToCheck(rows, [column]),
    range:
      numbers.length === 0 || numbers.length < values.length
        ? null
        : [Math.min(...numbers), Math.max(...numbers)]
  };
};

const searchText = perRow((row) => `${row.title} ${row.url} ${textOf(row.values)}`.toLocaleLowerCase());

/** Rows whose title, URL or values contain a text. */
export const found = (rows: ReadonlyArray<ResultRow>, search: string): ReadonlyArray<ResultRow> => {
  const needle = search.trim().toLocaleLowerCase();
  return needle === "" ? rows : rows.filter((row) => searchText(row).includes(needle));
};

export interface Place {
  /** -1 is the row of the names. */
  readonly row: number;
  /** 0 is the extraction, 1 the first column. */
  readonly column: number;
}

/** The next cell to check after a place, at the end from the top again; undefined if there is none. */
export const nextToCheck = (
  rows: ReadonlyArray<ResultRow>,
  columns: ReadonlyArray<Column>,
  from: Place
): Place | undefined => {
  const places = rows.flatMap((each, row) =>
    columnsToCheck(each, columns).map((column) => ({ row, column: columns.indexOf(column) + 1 }))
  );
  const isAfter = ({ row, column }: Place): boolean =>
    row > from.row || (row === from.row && column > from.column);
  return places.find(isAfter) ?? places[0];
};
