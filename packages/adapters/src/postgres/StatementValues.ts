/**
 * Values of a statement that is put together of parts. They go in as text and take the type of their column.
 */
export type Value = string | number | boolean | null;

/** For a column of JSON; null is the absence of a value there. */
export const jsonOf = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

/** Numbers every value in the order of its first use. */
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
}
