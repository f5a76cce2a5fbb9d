/** Results as CSV, one line a row. */
import { csvRow } from "@winnow/client/csv";
import type { Evidence } from "@winnow/core/domain/evidence/Evidence";
import { isJsonObject, pointedAt, pointerBelow, valueAt } from "@winnow/core/domain/text/Json";
import { correctedValues, type ResultRow } from "@winnow/core/domain/result/ResultRow";

/** What stands beside the values. */
export interface CsvColumns {
  /** `<field>_quote`: the first supporting passage. */
  readonly quote: boolean;
  /** `<field>_at`: where it stands: seconds, a page, a slide or a pointer. */
  readonly at: boolean;
  /** Corrected values instead of the original ones. */
  readonly corrected: boolean;
  /** `range_startSec` and `range_endSec`, before the values: the stretch that was read; nothing for the whole. */
  readonly range: boolean;
}

const FIXED = ["extractionId", "url", "title", "completedAt"] as const;
const RANGE = ["startSec", "endSec"] as const;

/** A column of a value; the whole value has the empty pointer. */
interface CsvField {
  readonly name: string;
  readonly pointer: string;
}

/** Scalars as they are, anything else as JSON; nothing for what is not stated. */
const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
};

const membersOf = (root: unknown): ReadonlyArray<string> => {
  const seen = new Set<unknown>();
  const namesOf = (schema: unknown): ReadonlyArray<string> => {
    if (!isJsonObject(schema) || seen.has(schema)) return [];
    seen.add(schema);
    const { properties, $ref, allOf, anyOf, oneOf } = schema;
    const others = [typeof $ref === "string" ? pointedAt(root, $ref) : [], allOf, anyOf, oneOf].flat();
    return [...(isJsonObject(properties) ? Object.keys(properties) : []), ...others.flatMap(namesOf)];
  };
  return [...new Set(namesOf(root))];
};

/** Members of the schema's object in its order; a schema that names none has one column, `value`. */
export const fieldsOf = (schema: unknown): ReadonlyArray<CsvField> => {
  const names = membersOf(schema);
  return names.length === 0
    ? [{ name: "value", pointer: "" }]
    : names.map((name) => ({ name, pointer: pointerBelow("", name) }));
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

export const csvHead = (fields: ReadonlyArray<CsvField>, { quote, at, range }: CsvColumns): string =>
  csvRow([
    ...FIXED,
    ...(range ? RANGE.map((end) => `range_${end}`) : []),
    ...fields.flatMap(({ name }) => [
      name,
      ...(quote ? [`${name}_quote`] : []),
      ...(at ? [`${name}_at`] : [])
    ])
  ]);

export const csvLine = (row: ResultRow, fields: ReadonlyArray<CsvField>, columns: CsvColumns): string => {
  const values = columns.corrected ? correctedValues(row) : row.values;
  return csvRow([
    row.extractionId,
    row.url,
    row.title ?? "",
    new Date(row.completedAtMs).toISOString(),
    ...(columns.range ? RANGE.map((end) => textOf(row.range?.[end])) : []),
    ...fields.flatMap(({ pointer }) => {
      const { quote, at } = whereIs(row.evidence[pointer]);
      return [
        textOf(valueAt(values, pointer)),
        ...(columns.quote ? [quote] : []),
        ...(columns.at ? [at] : [])
      ];
    })
  ]);
};
