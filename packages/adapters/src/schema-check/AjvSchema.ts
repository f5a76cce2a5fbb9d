/** Rewrites valid JSON Schema that ajv rejects or handles incorrectly. Tests: OfficialSuite.test.ts. */
import { CONTAINERS, withSubschemas } from "@winnow/core/domain/json-schema/SchemaKeywords";
import { isJsonObject } from "@winnow/core/domain/text/Json";
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";

type Json = JsonObject[string];

/** ajv skips this name in `properties`, but accepts it in patterns. */
const PROTO = "__proto__";
const PROTO_PATTERN = "^__proto__$";

const members = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});

const protoToPattern = (schema: JsonObject): JsonObject => {
  const { [PROTO]: proto, ...properties } = members(schema["properties"]);
  if (!Object.hasOwn(members(schema["properties"]), PROTO) || proto === undefined) return schema;
  const patterns = members(schema["patternProperties"]);
  const same = patterns[PROTO_PATTERN];
  const merged = same === undefined ? proto : { allOf: [same, proto] };
  return { ...schema, properties, patternProperties: { ...patterns, [PROTO_PATTERN]: merged } };
};

/** An empty `enum` is valid, and nothing matches it. */
const emptyEnumToFalse = (schema: JsonObject): JsonObject => {
  const { enum: values, ...others } = schema;
  if (!Array.isArray(values) || values.length > 0) return schema;
  const { allOf } = schema;
  return { ...others, allOf: [...(Array.isArray(allOf) ? allOf : []), false] };
};

/** Properties evaluated by an `if` alone count as evaluated; ajv skips an `if` without branches. */
const ALWAYS: JsonObject = { not: false };

const withThen = (schema: JsonObject): JsonObject =>
  schema["if"] === undefined || schema["then"] !== undefined ? schema : { ...schema, then: ALWAYS };

/** Removes `contains`, if there is one, and expresses it with a double `not`, which discards annotations. */
const withoutContains = (schema: JsonObject): JsonObject => {
  const { contains, minContains, maxContains, allOf, ...others } = schema;
  if (contains === undefined) return schema;
  const condition = {
    contains,
    ...(minContains === undefined ? {} : { minContains }),
    ...(maxContains === undefined ? {} : { maxContains })
  };
  return { ...others, allOf: [...(Array.isArray(allOf) ? allOf : []), { not: { not: condition } }] };
};

/** Only items that match `contains` are evaluated; ajv treats all items as evaluated. Here and in `allOf`. */
const withEvaluatedContains = (schema: JsonObject): JsonObject => {
  const { unevaluatedItems, allOf } = schema;
  if (unevaluatedItems === undefined) return schema;
  const allOfMembers = (Array.isArray(allOf) ? allOf : []).filter(isJsonObject);
  const fitting = [schema, ...allOfMembers].flatMap(({ contains }) =>
    contains === undefined ? [] : [contains]
  );
  if (fitting.length === 0) return schema;
  return withoutContains({
    ...schema,
    ...(Array.isArray(allOf)
      ? { allOf: allOf.map((each: Json) => (isJsonObject(each) ? withoutContains(each) : each)) }
      : {}),
    unevaluatedItems: { anyOf: [...fitting, unevaluatedItems] }
  });
};

/** For a linked schema (SchemaLinks). */
export const forAjv = (schema: JsonObject): JsonObject => {
  const written = Object.entries(schema).map(([keyword, value]): readonly [string, Json] => {
    const container = CONTAINERS.get(keyword);
    return [keyword, container === undefined ? value : withSubschemas(value, container, rewritten)];
  });
  return withEvaluatedContains(withThen(emptyEnumToFalse(protoToPattern(Object.fromEntries(written)))));
};

const rewritten = (subschema: Json): Json => (isJsonObject(subschema) ? forAjv(subschema) : subschema);
