/** Parameters of a statement built from parts: passed as text, they take the type of their column. Tests: PgStore.test.ts. */

export type Value = string | number | boolean | null;

/** For a JSON column; null means no value. */
export const jsonOf = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

/** As the text of an array. */
const arrayOf = (values: ReadonlyArray<Value>): string => {
  const texts = values.map((value) =>
    value === null ? "null" : `"${String(value).replaceAll(/["\\]/gu, "\\$&")}"`
  );
  return `{${texts.join(",")}}`;
};

/** Columns of an insert with their types. */
export type Columns = ReadonlyArray<
  readonly [name: string, type: "text" | "json" | "bigint" | "bigint[]" | "integer" | "date"]
>;

/** Numbers each value in order of first use. */
export class Values {
  readonly list: Array<string | boolean | null> = [];

  /** `$7` for the value. */
  add(value: Value): string {
    this.list.push(typeof value === "number" ? String(value) : value);
    return `$${this.list.length}`;
  }

  addAll(values: ReadonlyArray<Value>): string {
    return values.map((value) => this.add(value)).join(", ");
  }

  /**
   * `(columns) values (...)` for one row. For more, an array for each column: a statement has at most 32,767 values, and
   * its text does not depend on the number of rows.
   */
  addRows(columns: Columns, rows: ReadonlyArray<ReadonlyArray<Value>>): string {
    const names = columns.map(([name]) => name).join(", ");
    const [first = []] = rows;
    if (rows.length === 1) return `(${names}) values (${this.addAll(first)})`;
    const arrays = columns.map(
      (_, place) => `${this.add(arrayOf(rows.map((row) => row[place] ?? null)))}::text::text[]`
    );
    const typed = columns.map(([name, type]) => `r.${name}::${type}`).join(", ");
    return `(${names}) select ${typed} from unnest(${arrays.join(", ")}) as r (${names})`;
  }
}
