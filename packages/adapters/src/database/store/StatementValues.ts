/** Parameters of a statement built from parts. They are passed as text and take the type of their column. */
export type Value = string | number | boolean | null;

/** For a JSON column; null means no value. */
export const jsonOf = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

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
}
