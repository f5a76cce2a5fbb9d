/**
 * Makes generated schemas read like written ones: one component per name, descriptions where they belong.
 */
type Json = { [key: string]: any };

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isAnnotation = (schema: Json): boolean =>
  Object.keys(schema).every((key) => key === "description" || key === "examples");

/** `{ allOf: [{ $ref }, { description }] }` is `{ $ref, description }`. */
const flatten = (schema: Json): Json => {
  const { allOf, ...rest } = schema;
  if (!Array.isArray(allOf) || allOf.filter((part) => !isAnnotation(part)).length > 1) return schema;
  if (allOf.some((part) => !isAnnotation(part)) && !isAnnotation(rest)) return schema;
  return Object.assign({}, rest, ...allOf);
};

const mapDeep = (value: unknown, change: (object: Json) => Json): unknown => {
  if (Array.isArray(value)) return value.map((item) => mapDeep(item, change));
  if (!isObject(value)) return value;
  return change(Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapDeep(item, change)])));
};

/** A schema used with another status comes out twice, as `Name` and `Name_1`. */
const copies = (schemas: Json): ReadonlyMap<string, string> =>
  new Map(
    Object.keys(schemas).flatMap((name) => {
      const original = /^(.+)_\d+$/u.exec(name)?.[1];
      return original !== undefined && original in schemas
        ? [[`#/components/schemas/${name}`, `#/components/schemas/${original}`] as const]
        : [];
    })
  );

export const tidySchemas = (document: Json): Json => {
  const schemas: Json = document["components"].schemas;
  const merged = copies(schemas);
  const tidied = mapDeep(document, (object) => {
    const { "x-effect-stream": _, ...rest } = flatten(object);
    return typeof rest["$ref"] === "string"
      ? { ...rest, $ref: merged.get(rest["$ref"]) ?? rest["$ref"] }
      : rest;
  }) as Json;
  tidied["components"].schemas = Object.fromEntries(
    Object.entries(tidied["components"].schemas)
      .filter(([name]) => !merged.has(`#/components/schemas/${name}`))
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
  );
  return tidied;
};
