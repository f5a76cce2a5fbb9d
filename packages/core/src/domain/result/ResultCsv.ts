/** Results as CSV (RFC 4180), one line a row, for spreadsheets. */
import type { Evidence } from "../evidence/Evidence.ts";
import { isJsonObject, pointerBelow, valueAt } from "../text/Json.ts";
import { correctedValues, type ResultRow } from "./ResultRow.ts";

/** What stands beside each value. */
export interface CsvColumns {
  /** `<field>_quote`: the first supporting passage. */
  readonly quote: boolean;
  /** `<field>_at`: where it stands: seconds, a page, a slide or a pointer. */
  readonly at: boolean;
  /** Corrected values instead of the original ones. */
  readonly corrected: boolean;
}

const FIXED = ["extractionId", "url", "title", "completedAt"] as const;

/** A spreadsheet runs a cell that begins with one of these as a formula; numbers are exempt. */
const FORMULA = /^[=+\-@\t\r]/u;
const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/u;

const cell = (text: string): string => {
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

const line = (cells: ReadonlyArray<string>): string => `${cells.map(cell).join(",")}\r\n`;

/** Scalars as they are, anything else as JSON; nothing for what is not stated. */
const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
};

/** Members of the schema's object in its order. A schema without them has one column, `value`. */
export const fieldsOf = (schema: unknown): ReadonlyArray<string> => {
  const properties = isJsonObject(schema) ? schema.properties : undefined;
  return isJsonObject(properties) ? Object.keys(properties) : [];
};

const whereIs = (items: Evidence[string] | undefined): { readonly quote: string; readonly at: string } => {
  const found = items?.find(({ supported }) => supported !== false);
  if (found === undefined) return { quote: "", at: "" };
  const { quote, startSec, page, slide, pointer } = found;
  if (startSec !== undefined) return { quote, at: String(startSec) };
  if (page !== undefined) return { quote, at: `page ${page}` };
  if (slide !== undefined) return { quote, at: `slide ${slide}` };
  return { quote, at: pointer ?? "" };
};

export const csvHead = (fields: ReadonlyArray<string>, { quote, at }: CsvColumns): string =>
  line([
    ...FIXED,
    ...fields.flatMap((field) => [
      field,
      ...(quote ? [`${field}_quote`] : []),
      ...(at ? [`${field}_at`] : [])
    ])
  ]);

export const csvLine = (row: ResultRow, fields: ReadonlyArray<string>, columns: CsvColumns): string => {
  const values = columns.corrected ? correctedValues(row) : row.values;
  return line([
    row.extractionId,
    row.url,
    row.title ?? "",
    new Date(row.completedAtMs).toISOString(),
    ...fields.flatMap((field) => {
      const pointer = pointerBelow("", field);
      const { quote, at } = whereIs(row.evidence[pointer]);
      return [
        textOf(valueAt(values, pointer)),
        ...(columns.quote ? [quote] : []),
        ...(columns.at ? [at] : [])
      ];
    })
  ]);
};
