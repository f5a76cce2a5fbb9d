/** Which JSON types and listed values a list of schemas allows. */
import { canonicalJson } from "@winnow/core/domain/text/CanonicalJson";
import type { Conjunct } from "./AllOf.ts";
import { isObject, type Json, type JsonObject, memberOf } from "./Shape.ts";

export const TYPES = ["object", "array", "string", "number", "integer", "boolean", "null"] as const;
export type TypeName = (typeof TYPES)[number];

const asList = (value: Json | undefined): ReadonlyArray<Json> | null =>
  value === undefined ? null : Array.isArray(value) ? value : [value];

/** Listed values of one schema; null if it lists none. */
const listed = (schema: JsonObject): ReadonlyArray<Json> | null => {
  const fixed = memberOf(schema, "const");
  if (fixed !== undefined) return [fixed];
  const values = memberOf(schema, "enum");
  return Array.isArray(values) ? values : null;
};

/** Values that a schema's `not` forbids. */
const forbidden = (schema: JsonObject): ReadonlyArray<string> => {
  const not = memberOf(schema, "not") ?? null;
  const alone = isObject(not) && Object.keys(not).every((name) => name === "enum" || name === "const");
  return alone ? (listed(not) ?? []).map(canonicalJson) : [];
};

/** Values listed by all schemas and forbidden by none; null if none lists any. */
export const valuesOf = (conjuncts: ReadonlyArray<Conjunct>): ReadonlyArray<Json> | null => {
  const lists = conjuncts.map(({ schema }) => listed(schema)).filter((list) => list !== null);
  const [first, ...others] = lists;
  if (first === undefined) return null;
  const sets = others.map((list) => new Set(list.map(canonicalJson)));
  const never = new Set(conjuncts.flatMap(({ schema }) => forbidden(schema)));
  const unique = [...new Map(first.map((value) => [canonicalJson(value), value])).entries()];
  return unique
    .filter(([text]) => !never.has(text) && sets.every((set) => set.has(text)))
    .map(([, value]) => value);
};

export const typeOf = (value: Json): TypeName => {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value as "object" | "string" | "boolean";
};

const KEYWORDS: ReadonlyArray<readonly [TypeName, ReadonlyArray<string>]> = [
  [
    "object",
    ["properties", "required", "additionalProperties", "patternProperties", "minProperties", "maxProperties"]
  ],
  ["array", ["items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains"]],
  ["string", ["minLength", "maxLength", "pattern", "format"]],
  ["number", ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]]
];

/** The most likely type of a schema without one, although others are allowed. */
const implied = (conjuncts: ReadonlyArray<Conjunct>): ReadonlyArray<TypeName> | null => {
  const types = KEYWORDS.filter(([, names]) =>
    conjuncts.some(({ schema }) => names.some((name) => Object.hasOwn(schema, name)))
  ).map(([type]) => type);
  return types.length === 0 ? null : types;
};

const both = (left: ReadonlyArray<TypeName>, right: ReadonlyArray<TypeName>): ReadonlyArray<TypeName> =>
  left.flatMap((type): ReadonlyArray<TypeName> => {
    if (right.includes(type)) return [type];
    if (type === "integer" && right.includes("number")) return ["integer"];
    if (type === "number" && right.includes("integer")) return ["integer"];
    return [];
  });

/** Null if everything is allowed. `integer` is dropped if `number` is present. */
export const typesOf = (conjuncts: ReadonlyArray<Conjunct>): ReadonlyArray<TypeName> | null => {
  const stated = conjuncts
    .map(({ schema }) => asList(memberOf(schema, "type")))
    .filter((types) => types !== null)
    .map((types) => TYPES.filter((type) => types.includes(type)));
  const [first, ...others] = stated;
  const open = first === undefined ? null : others.reduce(both, first);
  const values = valuesOf(conjuncts);
  const types =
    open ??
    (values === null ? implied(conjuncts) : TYPES.filter((type) => values.some((v) => typeOf(v) === type)));
  if (types === null) return null;
  const distinct = TYPES.filter((type) => types.includes(type));
  return distinct.includes("number") ? distinct.filter((type) => type !== "integer") : distinct;
};
