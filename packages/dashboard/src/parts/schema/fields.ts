/**
 * Converts between JSON Schema and a list of fields, for people who do not write JSON. Pure. A schema that the list
 * cannot show completely is edited as text, so that nothing is dropped.
 */

export const FIELD_TYPES = ["text", "number", "integer", "boolean", "date", "texts"] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

export interface Field {
  readonly name: string;
  readonly type: FieldType;
  readonly isRequired: boolean;
  readonly description: string;
}

type JsonObject = Readonly<Record<string, unknown>>;

const SHAPES: Readonly<Record<FieldType, JsonObject>> = {
  text: { type: "string" },
  number: { type: "number" },
  integer: { type: "integer" },
  boolean: { type: "boolean" },
  date: { type: "string", format: "date" },
  texts: { type: "array", items: { type: "string" } }
};

export const newField = (): Field => ({ name: "", type: "text", isRequired: true, description: "" });

/** Unnamed rows are ignored. */
export const schemaOf = (fields: ReadonlyArray<Field>): JsonObject => {
  const named = fields.filter(({ name }) => name.trim() !== "");
  const required = named.filter(({ isRequired }) => isRequired).map(({ name }) => name.trim());
  return {
    type: "object",
    properties: Object.fromEntries(
      named.map(({ name, type, description }) => [
        name.trim(),
        { ...SHAPES[type], ...(description.trim() === "" ? {} : { description: description.trim() }) }
      ])
    ),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false
  };
};

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const typeOf = (shape: JsonObject): FieldType | undefined =>
  FIELD_TYPES.find((type) => JSON.stringify(SHAPES[type]) === JSON.stringify(shape));

/** Null if the list would lose information. */
export const fieldsOf = (schema: JsonObject): ReadonlyArray<Field> | null => {
  const { type, properties = {}, required = [], additionalProperties = false, ...rest } = schema;
  const isPlain =
    type === "object" && additionalProperties === false && isObject(properties) && Array.isArray(required);
  if (!isPlain || Object.keys(rest).some((name) => name !== "$schema")) return null;
  const fields: Array<Field> = [];
  for (const [name, property] of Object.entries(properties)) {
    if (!isObject(property)) return null;
    const { description = "", ...shape } = property;
    const fieldType = typeOf(shape);
    if (fieldType === undefined || typeof description !== "string") return null;
    fields.push({ name, type: fieldType, isRequired: required.includes(name), description });
  }
  return fields;
};

/** Duplicate names would become one field. */
export const repeatedName = (fields: ReadonlyArray<Field>): string | null => {
  const seen = new Set<string>();
  for (const name of fields.map((field) => field.name.trim()).filter((each) => each !== "")) {
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return null;
};

type ReadSchema =
  | { readonly ok: true; readonly schema: JsonObject }
  | { readonly ok: false; readonly reason: "syntax" | "notObject"; readonly line: number | null };

/** Line of the JSON syntax error, from 1. */
const lineOf = (text: string, message: string): number | null => {
  const position = /position (\d+)/u.exec(message)?.[1];
  const line = /line (\d+)/u.exec(message)?.[1];
  if (line !== undefined) return Number(line);
  return position === undefined ? null : text.slice(0, Number(position)).split("\n").length;
};

export const readSchema = (text: string): ReadSchema => {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? { ok: true, schema: value } : { ok: false, reason: "notObject", line: null };
  } catch (error) {
    return { ok: false, reason: "syntax", line: lineOf(text, (error as Error).message) };
  }
};

// Whether a schema asks for anything, by the server's rule: it refuses one whose result would be empty. Pure.

const hasMembers = (value: unknown): boolean => isObject(value) && Object.keys(value).length > 0;

/** Keywords whose value says something about members if it has members itself. */
const WITH_MEMBERS = [
  "patternProperties",
  "dependentRequired",
  "dependentSchemas",
  "dependencies",
  "additionalProperties",
  "unevaluatedProperties",
  "propertyNames",
  "not"
];

const saysSomething = (schema: JsonObject): boolean => {
  const { properties, required, minProperties, maxProperties } = schema;
  return (
    (isObject(properties) && Object.values(properties).some((member) => member !== false)) ||
    WITH_MEMBERS.some((keyword) => hasMembers(schema[keyword])) ||
    [minProperties, maxProperties].some((count) => typeof count === "number" && count > 0) ||
    ["enum", "const", "$dynamicRef", "$recursiveRef"].some((keyword) => Object.hasOwn(schema, keyword)) ||
    (Array.isArray(required) && required.length > 0)
  );
};

/** What a reference within the schema points to (RFC 6901); undefined for other references. */
const pointedAt = (root: JsonObject, reference: string): unknown =>
  reference
    .split("/")
    .slice(1)
    .map((step) => decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>(
      (value, step) => (isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined),
      reference === "#" || reference.startsWith("#/") ? root : undefined
    );

const asks = (root: JsonObject, schema: unknown, followed: ReadonlySet<string>): boolean => {
  if (!isObject(schema)) return false;
  if (saysSomething(schema)) return true;
  const { $ref, allOf, anyOf, oneOf } = schema;
  if (typeof $ref === "string" && !followed.has($ref)) {
    const target = pointedAt(root, $ref);
    // One that cannot be followed here may ask for something.
    if (target === undefined || asks(root, target, new Set([...followed, $ref]))) return true;
  }
  const others = [schema["if"], schema["then"], schema["else"]];
  return [allOf, anyOf, oneOf, others].some(
    (list) => Array.isArray(list) && list.some((part) => asks(root, part, followed))
  );
};

export const namesNothing = (schema: JsonObject): boolean => !asks(schema, schema, new Set());

/** The text of a schema that can be bought and saved. */
export const isUsableSchema = (text: string): boolean => {
  const read = readSchema(text);
  return read.ok && !namesNothing(read.schema);
};
