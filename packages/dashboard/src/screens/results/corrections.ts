/** Corrections of a cell, each shown at once, and undone for five seconds. Tests: results.test.ts. */
import type { ResultRow } from "@winnow/client";
import { correct } from "../../data/results.ts";
import { noteError, undoable } from "../../parts/Toasts.tsx";
import { cellOf, within, withCorrections, type Column, type Corrections } from "./table.ts";
import { resultsWords } from "./words.ts";

const before = (row: ResultRow, { pointer }: Column): Corrections =>
  Object.fromEntries(within(row.corrections, pointer));

const change = (row: ResultRow, column: Column, to: Corrections): Promise<void> =>
  correct(
    row,
    (corrections) => withCorrections(corrections, column.pointer, to),
    (corrections) => withCorrections(corrections, column.pointer, before(row, column))
  );

const offerUndo = (row: ResultRow, column: Column, text: string): void =>
  undoable(
    text,
    () => undefined,
    () => void change(row, column, before(row, column)).catch(noteError)
  );

const changeNoted = (row: ResultRow, column: Column, to: Corrections, text: string): void => {
  offerUndo(row, column, text);
  change(row, column, to).catch(noteError);
};

export const accept = (row: ResultRow, column: Column): void => {
  const { mark, value } = cellOf(row, column.pointer);
  if (mark === "unsupported")
    changeNoted(row, column, { [column.pointer]: value }, resultsWords.accepted(column.name));
};

export const uncorrect = (row: ResultRow, column: Column): void =>
  changeNoted(row, column, {}, resultsWords.removed(column.name));

export const save = async (row: ResultRow, column: Column, value: unknown): Promise<void> => {
  await change(row, column, { [column.pointer]: value });
  offerUndo(row, column, resultsWords.corrected(column.name));
};
