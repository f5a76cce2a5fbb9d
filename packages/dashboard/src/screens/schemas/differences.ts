/** What differs between two versions of a schema, field by field. Pure. */

type Json = Readonly<Record<string, unknown>>;

export interface Difference {
  /** `offers[].price`; empty for what stands beside the fields, such as definitions. */
  readonly field: string;
  /** The field without the fields in it, as JSON; null if that version has none. */
  readonly before: string | null;
  readonly after: string | null;
}

const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const fieldsOf = (schema: Json, field = "", isRequired = false): ReadonlyArray<readonly [string, string]> => {
  const { properties, items, required, ...own } = schema;
  const names = Array.isArray(required) ? required : [];
  const within = isJson(properties) ? Object.entries(properties) : [];
  const below = within.flatMap(([name, value]) =>
    isJson(value) ? fieldsOf(value, field === "" ? name : `${field}.${name}`, names.includes(name)) : []
  );
  const each = isJson(items) ? fieldsOf(items, `${field}[]`, true) : [];
  const written = isRequired || field === "" ? own : { ...own, required: false };
  return [[field, JSON.stringify(written)], ...below, ...each];
};

/** In the order of the later version; fields that are gone come last. */
export const differencesOf = (before: Json, after: Json): ReadonlyArray<Difference> => {
  const [old, now] = [new Map(fieldsOf(before)), new Map(fieldsOf(after))];
  return [...new Set([...now.keys(), ...old.keys()])]
    .map((field) => ({ field, before: old.get(field) ?? null, after: now.get(field) ?? null }))
    .filter((each) => each.before !== each.after);
};
