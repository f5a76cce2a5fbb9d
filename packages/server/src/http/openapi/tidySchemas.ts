/**
 * Makes generated schemas read like written ones: one component per name, descriptions where they belong.
 */

export interface JsonObject {
  [key: string]: unknown;
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isAnnotation = (schema: unknown): boolean =>
  isObject(schema) && Object.keys(schema).every((key) => key === "description" || key === "examples");

/** `{ allOf: [{ $ref }, { description }] }` is `{ $ref, description }`. */
const flatten = (schema: JsonObject): JsonObject => {
  const { allOf, ...rest } = schema;
  if (!Array.isArray(allOf)) return schema;
  const constraints = allOf.filter((part) => !isAnnotation(part));
  if (constraints.length > 1 || (constraints.length === 1 && !isAnnotation(rest))) return schema;
  return Object.assign({}, rest, ...allOf) as JsonObject;
};

/** A union with the empty schema allows anything, so it is dropped. */
const dropAnything = (schema: JsonObject): JsonObject => {
  const { anyOf, ...rest } = schema;
  return Array.isArray(anyOf) && anyOf.some((part) => isObject(part) && Object.keys(part).length === 0)
    ? rest
    : schema;
};

/** A union of one schema is that schema. */
const unwrapAlone = (schema: JsonObject): JsonObject => {
  const { anyOf, ...rest } = schema;
  return Array.isArray(anyOf) && anyOf.length === 1 ? { ...rest, ...(anyOf[0] as JsonObject) } : schema;
};

/** The smallest safe integer of JavaScript: the generator's way to say that there is no limit. */
const dropUnlimited = (schema: JsonObject): JsonObject => {
  const { minimum, ...rest } = schema;
  return minimum === Number.MIN_SAFE_INTEGER ? rest : schema;
};

const mapDeep = (value: unknown, change: (object: JsonObject) => JsonObject): unknown => {
  if (Array.isArray(value)) return value.map((item) => mapDeep(item, change));
  if (!isObject(value)) return value;
  return change(Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapDeep(item, change)])));
};

/**
 * Maps names of copies to those of their originals: a schema used with two statuses is generated twice, as `Name`
 * and `Name_1`.
 */
const copiesOf = (schemas: object): ReadonlyMap<string, string> =>
  new Map(
    Object.keys(schemas).flatMap((name) => {
      const original = /^(.+)_\d+$/u.exec(name)?.[1];
      return original !== undefined && original in schemas ? [[name, original] as const] : [];
    })
  );

const REFERENCE = "#/components/schemas/";

/** Returns a tidied copy; the given document is not changed. */
export const tidySchemas = <D extends { readonly components: { readonly schemas: object } }>(
  document: D
): D => {
  const copies = copiesOf(document.components.schemas);
  const tidied = mapDeep(document, (object) => {
    const { "x-effect-stream": _, ...rest } = dropUnlimited(unwrapAlone(dropAnything(flatten(object))));
    const { $ref } = rest;
    if (typeof $ref !== "string") return rest;
    const original = copies.get($ref.slice(REFERENCE.length));
    return original === undefined ? rest : { ...rest, $ref: `${REFERENCE}${original}` };
  }) as D;
  const schemas = Object.fromEntries(
    Object.entries(tidied.components.schemas)
      .filter(([name]) => !copies.has(name))
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
  );
  return { ...tidied, components: { ...tidied.components, schemas } };
};
