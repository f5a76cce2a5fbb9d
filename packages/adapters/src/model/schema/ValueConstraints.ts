/**
 * What a list of schemas allows for a value: JSON types, listed values, and the bounds and patterns that providers
 * enforce, for values and for property names.
 */
import { canonicalJson } from "@winnow/core/domain/text/CanonicalJson";
import type { Conjunct, Conjuncts } from "./AllOf.ts";
import {
  asWrittenNumber,
  isObject,
  type Json,
  type JsonObject,
  propertyOf,
  type ScalarType
} from "./Shape.ts";
import { isEnforced } from "./Keywords.ts";
import {
  formatPattern,
  lengthPattern,
  patternKeyword,
  patternOfLength,
  providersPattern,
  anyPattern
} from "./Patterns.ts";

export const TYPES = ["object", "array", "string", "number", "integer", "boolean", "null"] as const;
export type TypeName = (typeof TYPES)[number];

const asList = (value: Json | undefined): ReadonlyArray<Json> | null =>
  value === undefined ? null : Array.isArray(value) ? value : [value];

/** Listed values of one schema; null if it lists none. */
const listed = (schema: JsonObject): ReadonlyArray<Json> | null => {
  const fixed = propertyOf(schema, "const");
  if (fixed !== undefined) return [fixed];
  const values = propertyOf(schema, "enum");
  return Array.isArray(values) ? values : null;
};

/** Values that a schema's `not` forbids. */
const forbidden = (schema: JsonObject): ReadonlyArray<string> => {
  const not = propertyOf(schema, "not") ?? null;
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
  const number = asWrittenNumber(value)?.value ?? value;
  if (typeof number === "number") return Number.isInteger(number) ? "integer" : "number";
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
    .map(({ schema }) => asList(propertyOf(schema, "type")))
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

export const numberOf = (
  conjuncts: ReadonlyArray<Conjunct>,
  keyword: string,
  tightest: (...values: ReadonlyArray<number>) => number
): number | null => {
  const values = conjuncts
    .map(({ schema }) => propertyOf(schema, keyword))
    .filter((value) => typeof value === "number");
  return values.length === 0 ? null : tightest(...values);
};

const BOUNDS: ReadonlyArray<readonly [string, (...values: ReadonlyArray<number>) => number]> = [
  ["minimum", Math.max],
  ["exclusiveMinimum", Math.max],
  ["maximum", Math.min],
  ["exclusiveMaximum", Math.min]
];

const enforced = (conjuncts: ReadonlyArray<Conjunct>, keyword: string): Json | undefined =>
  conjuncts
    .map(({ schema }) => propertyOf(schema, keyword))
    .find((each) => each !== undefined && isEnforced(keyword, each));

const textsOf = (conjuncts: ReadonlyArray<Conjunct>, keyword: string): ReadonlyArray<string> =>
  conjuncts.map(({ schema }) => propertyOf(schema, keyword)).filter((value) => typeof value === "string");

/** Of several patterns only the first is enforced; validation checks the others. */
const ofText = (conjuncts: ReadonlyArray<Conjunct>): JsonObject => {
  const minChars = numberOf(conjuncts, "minLength", Math.max) ?? 0;
  const maxChars = numberOf(conjuncts, "maxLength", Math.min);
  const pattern = textsOf(conjuncts, "pattern")
    .map(providersPattern)
    .find((each) => each !== null);
  const format = enforced(conjuncts, "format");
  const ofFormat = format === undefined ? {} : { format };
  if (typeof pattern === "string")
    return { pattern: patternOfLength(pattern, minChars, maxChars), ...ofFormat };
  if (format !== undefined) return ofFormat;
  const ofUnknown = textsOf(conjuncts, "format")
    .map(formatPattern)
    .find((each) => each !== null);
  return patternKeyword(ofUnknown ?? lengthPattern(minChars, maxChars));
};

export const leafKeywords = (
  conjuncts: ReadonlyArray<Conjunct>,
  type: ScalarType,
  isListed: boolean
): JsonObject => {
  if (type === "string") return isListed ? {} : ofText(conjuncts);
  if (type !== "number" && type !== "integer") return {};
  const bounds = BOUNDS.flatMap(([keyword, tightest]): ReadonlyArray<readonly [string, Json]> => {
    const bound = numberOf(conjuncts, keyword, tightest);
    return bound === null ? [] : [[keyword, bound]];
  });
  const multipleOf = enforced(conjuncts, "multipleOf");
  return { ...Object.fromEntries(bounds), ...(multipleOf === undefined ? {} : { multipleOf }) };
};

const patternsOf = (schema: JsonObject): ReadonlyArray<string> => {
  const patterns = propertyOf(schema, "patternProperties") ?? null;
  if (!isObject(patterns)) return [];
  return Object.entries(patterns).flatMap(([pattern, held]) => (held === false ? [] : [pattern]));
};

/**
 * Patterns of the schema that allows only matching names, if there is one; otherwise those of all schemas, unless one
 * of them describes further names.
 */
const patternsOfKeys = (conjuncts: ReadonlyArray<Conjunct>): ReadonlyArray<string> => {
  const closing = conjuncts.find(
    ({ schema }) => propertyOf(schema, "additionalProperties") === false && patternsOf(schema).length > 0
  );
  if (closing !== undefined) return patternsOf(closing.schema);
  const isOpen = conjuncts.some(({ schema }) => propertyOf(schema, "additionalProperties") !== undefined);
  return isOpen ? [] : conjuncts.flatMap(({ schema }) => patternsOf(schema));
};

export const keyKeywords = (
  conjuncts: ReadonlyArray<Conjunct>,
  flatten: (schemas: ReadonlyArray<Json>) => Conjuncts
): JsonObject => {
  const pattern = anyPattern(patternsOfKeys(conjuncts));
  if (pattern !== null) return { pattern };
  const named = conjuncts.flatMap(({ schema }) => propertyOf(schema, "propertyNames") ?? []);
  const names = named.length === 0 ? null : flatten(named);
  if (names === null) return {};
  const listed = valuesOf(names)?.filter((value) => typeof value === "string") ?? null;
  if (listed !== null && listed.length > 0) return { enum: listed };
  const { pattern: ofNames } = leafKeywords(names, "string", false);
  return patternKeyword(typeof ofNames === "string" ? ofNames : null);
};

/** Each name pattern, if only patterns restrict further properties; null otherwise. */
export const patternsAlone = (conjuncts: ReadonlyArray<Conjunct>): ReadonlyArray<string> | null => {
  const patterns = conjuncts.flatMap(({ schema }) => patternsOf(schema));
  const others = conjuncts.some(({ schema }) =>
    isObject((propertyOf(schema, "additionalProperties") ?? null) as Json)
  );
  return others || patterns.length < 2 ? null : patterns;
};
