/**
 * Relaxes the caller's schema for a single section: a section that lacks a required value must be able to say so,
 * or the model invents one. The merged answer is validated against the original.
 */
import { isJsonObject } from "@winnow/core/domain/text/Json";
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";
import type * as Schema from "effect/Schema";

const MINIMUMS: ReadonlySet<string> = new Set([
  "required",
  "minItems",
  "minProperties",
  "minContains",
  "contains",
  "dependentRequired"
]);

/** Keywords whose value is a schema or a list of schemas (JSON Schema 2020-12 and draft-07). */
const SCHEMAS: ReadonlySet<string> = new Set([
  "items",
  "prefixItems",
  "additionalItems",
  "additionalProperties",
  "unevaluatedItems",
  "unevaluatedProperties",
  "allOf",
  "anyOf",
  "then",
  "else"
]);

/** Keywords whose members are schemas. */
const NAMED_SCHEMAS: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas"
]);

const relaxed = (schema: Schema.Json): Schema.Json => {
  if (Array.isArray(schema)) return schema.map(relaxed);
  return isJsonObject(schema) ? sectionSchema(schema) : schema;
};

/** In draft-07, this keyword may contain required names or schemas. */
const withoutNames = (value: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => !Array.isArray(each)));

const keyword = ([name, value]: readonly [string, Schema.Json]): readonly [string, Schema.Json] => {
  if (name === "dependencies" && isJsonObject(value)) return [name, withoutNames(value)];
  if (SCHEMAS.has(name)) return [name, relaxed(value)];
  if (!NAMED_SCHEMAS.has(name) || !isJsonObject(value)) return [name, value];
  return [name, Object.fromEntries(Object.entries(value).map(([each, schema]) => [each, relaxed(schema)]))];
};

/** Without required members, two branches often fit at once. */
const oneOfAsAnyOf = (schema: JsonObject): JsonObject => {
  const { oneOf, ...others } = schema;
  return oneOf === undefined || others["anyOf"] !== undefined ? others : { ...others, anyOf: oneOf };
};

/** Relaxes all subschemas except conditions (`if`, `not`), whose meaning would change. */
export const sectionSchema = (schema: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(oneOfAsAnyOf(schema))
      .filter(([name]) => !MINIMUMS.has(name))
      .map(keyword)
  );
