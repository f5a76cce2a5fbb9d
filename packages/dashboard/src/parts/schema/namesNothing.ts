/**
 * Whether a schema asks for anything, by the server's rule: it refuses one whose result would be empty. Pure.
 */
import { isObject, readSchema, type JsonObject } from "./fields.ts";

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
