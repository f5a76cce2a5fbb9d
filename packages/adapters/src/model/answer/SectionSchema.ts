/** The schema for the answer of one section of long content, which need not hold what the whole must. Pure. */
import type * as Schema from "effect/Schema";
import { isJsonObject } from "@winnow/core/domain/text/Json";
import { CONTAINERS, withSubschemas } from "@winnow/core/domain/json-schema/SchemaKeywords";
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";

const MINIMUMS: ReadonlySet<string> = new Set([
  "required",
  "minItems",
  "minProperties",
  "minContains",
  "contains",
  "dependentRequired"
]);

/** Keywords that state a condition, whose meaning would change. */
const CONDITIONS: ReadonlySet<string> = new Set(["if", "not", "propertyNames"]);

const relaxed = (schema: Schema.Json): Schema.Json => (isJsonObject(schema) ? sectionSchema(schema) : schema);

/** In draft-07, this keyword may contain required names or schemas. */
const withoutNames = (value: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => !Array.isArray(each)));

const keyword = ([name, value]: readonly [string, Schema.Json]): readonly [string, Schema.Json] => {
  if (name === "dependencies" && isJsonObject(value)) return [name, withoutNames(value)];
  const container = CONDITIONS.has(name) ? undefined : CONTAINERS.get(name);
  return [name, container === undefined ? value : withSubschemas(value, container, relaxed)];
};

/** Without required members, two branches often fit at once. */
const oneOfAsAnyOf = (schema: JsonObject): JsonObject => {
  const { oneOf, ...others } = schema;
  const { allOf = [], anyOf } = others;
  if (oneOf === undefined) return others;
  return anyOf === undefined
    ? { ...others, anyOf: oneOf }
    : { ...others, allOf: [...(Array.isArray(allOf) ? allOf : []), { anyOf: oneOf }] };
};

/** Relaxes all subschemas except conditions. */
export const sectionSchema = (schema: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(oneOfAsAnyOf(schema))
      .filter(([name]) => !MINIMUMS.has(name))
      .map(keyword)
  );
