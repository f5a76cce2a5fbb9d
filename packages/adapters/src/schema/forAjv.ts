/** Says in other words what ajv refuses or overlooks, though JSON Schema has it. */
import { APPLICATORS, type Applicator, type SchemaDialect } from "@winnow/core/domain/SchemaKeywords";
import { isJsonObject, type JsonObject } from "@winnow/core/domain/SchemaRules";

type Json = JsonObject[string];

/** ajv passes over this one name in `properties`, and takes it in patterns. */
const PROTO = "__proto__";
const PROTO_PATTERN = "^__proto__$";

const members = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});

const sayProto = (schema: JsonObject): JsonObject => {
  const { [PROTO]: proto, ...properties } = members(schema["properties"]);
  if (!Object.hasOwn(members(schema["properties"]), PROTO) || proto === undefined) return schema;
  const patterns = members(schema["patternProperties"]);
  const same = patterns[PROTO_PATTERN];
  const merged = same === undefined ? proto : { allOf: [same, proto] };
  return { ...schema, properties, patternProperties: { ...patterns, [PROTO_PATTERN]: merged } };
};

/** An empty `enum` is valid, and nothing fits it. */
const sayEmptyEnum = (schema: JsonObject): JsonObject => {
  const { enum: values, ...others } = schema;
  if (!Array.isArray(values) || values.length > 0) return schema;
  const { allOf } = schema;
  return { ...others, allOf: [...(Array.isArray(allOf) ? allOf : []), false] };
};

/** What an `if` alone has seen counts as evaluated; ajv passes over an `if` with nothing to do then. */
const ALWAYS: JsonObject = { not: false };

const sayThen = (schema: JsonObject): JsonObject =>
  schema["if"] === undefined || schema["then"] !== undefined ? schema : { ...schema, then: ALWAYS };

/** Without its `contains`, if it has one, which is said under a double `not`: no annotation leaves that. */
const withoutContains = (schema: JsonObject): JsonObject => {
  const { contains, minContains, maxContains, allOf, ...others } = schema;
  if (contains === undefined) return schema;
  const said = {
    contains,
    ...(minContains === undefined ? {} : { minContains }),
    ...(maxContains === undefined ? {} : { maxContains })
  };
  return { ...others, allOf: [...(Array.isArray(allOf) ? allOf : []), { not: { not: said } }] };
};

/** Items that `contains` fits are evaluated, and no others; for ajv all are. Here and in `allOf`. */
const sayContains = (schema: JsonObject): JsonObject => {
  const { unevaluatedItems, allOf } = schema;
  if (unevaluatedItems === undefined) return schema;
  const beside = (Array.isArray(allOf) ? allOf : []).filter(isJsonObject);
  const fitting = [schema, ...beside].flatMap(({ contains }) => (contains === undefined ? [] : [contains]));
  if (fitting.length === 0) return schema;
  return withoutContains({
    ...schema,
    ...(Array.isArray(allOf)
      ? { allOf: allOf.map((each: Json) => (isJsonObject(each) ? withoutContains(each) : each)) }
      : {}),
    unevaluatedItems: { anyOf: [...fitting, unevaluatedItems] }
  });
};

/** Of a linked schema (domain/SchemaLinks). */
export const forAjv = (schema: JsonObject, dialect: SchemaDialect): JsonObject => {
  const each = (value: Json): Json => (isJsonObject(value) ? forAjv(value, dialect) : value);
  const eachOf = (value: Json, shape: Applicator["shape"]): Json => {
    if (Array.isArray(value)) return value.map(each);
    if (shape === "schema" || !isJsonObject(value)) return each(value);
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, each(member)]));
  };
  const shapeOf = (keyword: string): Applicator["shape"] | undefined =>
    keyword === "$defs" ? "map" : APPLICATORS[dialect].get(keyword)?.shape;
  const written = Object.entries(schema).map(([keyword, value]): readonly [string, Json] => {
    const shape = shapeOf(keyword);
    return [keyword, shape === undefined ? value : eachOf(value, shape)];
  });
  const said = sayThen(sayEmptyEnum(sayProto(Object.fromEntries(written))));
  return dialect === "2020-12" ? sayContains(said) : said;
};
