/**
 * The bounds of one value: the keywords of all schemas that apply to it, and whether any value of a type can lie
 * within them.
 */
import type * as Schema from "effect/Schema";
import { isJsonObject } from "../text/Json.ts";
import type { JsonObject } from "./SchemaRules.ts";
import { subschemas } from "./SchemaIndex.ts";
import type { SchemaDialect } from "./SchemaKeywords.ts";

/** A schema and its RFC 6901 pointer. */
export interface SchemaAt {
  readonly schema: JsonObject;
  readonly path: string;
}

/** Where and why nothing fits. `message` is a sentence. */
export interface Contradiction {
  readonly path: string;
  readonly message: string;
}

export const VALUE_TYPES = ["null", "boolean", "number", "string", "array", "object"] as const;
export type ValueType = (typeof VALUE_TYPES)[number];

/** Pairs of keywords for a size, by the type they bound. */
const SIZES = {
  string: ["minLength", "maxLength"],
  array: ["minItems", "maxItems"],
  object: ["minProperties", "maxProperties"]
} as const;

const numberAt = (schema: JsonObject, keyword: string): number | null => {
  const value = schema[keyword];
  return typeof value === "number" ? value : null;
};

/** The strictest of all places; null if none bounds it. */
const strictest = (
  places: ReadonlyArray<SchemaAt>,
  keyword: string,
  choose: (...values: ReadonlyArray<number>) => number
): number | null => {
  const values = places.flatMap(({ schema }) => numberAt(schema, keyword) ?? []);
  return values.length === 0 ? null : choose(...values);
};

export const greatest = (places: ReadonlyArray<SchemaAt>, keyword: string): number | null =>
  strictest(places, keyword, Math.max);

export const least = (places: ReadonlyArray<SchemaAt>, keyword: string): number | null =>
  strictest(places, keyword, Math.min);

/** The place to point to: the last one with the keyword. */
const placeWith = (places: ReadonlyArray<SchemaAt>, keyword: string): string =>
  places.findLast(({ schema }) => Object.hasOwn(schema, keyword))?.path ?? places[0]?.path ?? "";

interface Edge {
  readonly value: number;
  readonly isExclusive: boolean;
  readonly path: string;
}

/** Draft-04 writes `exclusiveMinimum: true` beside `minimum`. */
const edgesOf = (
  places: ReadonlyArray<SchemaAt>,
  bound: "minimum" | "maximum",
  exclusive: "exclusiveMinimum" | "exclusiveMaximum"
): ReadonlyArray<Edge> =>
  places.flatMap(({ schema, path }) => {
    const [inclusive, exclusively] = [numberAt(schema, bound), numberAt(schema, exclusive)];
    return [
      ...(inclusive === null ? [] : [{ value: inclusive, isExclusive: schema[exclusive] === true, path }]),
      ...(exclusively === null ? [] : [{ value: exclusively, isExclusive: true, path }])
    ];
  });

const isTighter = (sign: 1 | -1) => (left: Edge, right: Edge) =>
  sign * (right.value - left.value) || Number(right.isExclusive) - Number(left.isExclusive);

/** For quotients: numbers such as 0.3 and 0.1 are not exact. */
const TOLERANCE = 1e-9;

const outOfReach = (places: ReadonlyArray<SchemaAt>, low: Edge, high: Edge): string | null => {
  const range = `${low.isExclusive ? "above" : "from"} ${low.value} ${high.isExclusive ? "and below" : "to"} ${high.value}`;
  const isWhole = places.some(({ schema }) => isInteger(schema["type"]));
  if (low.value > high.value || (low.value === high.value && (low.isExclusive || high.isExclusive))) {
    return `No number is ${range}.`;
  }
  const first = low.isExclusive ? Math.floor(low.value) + 1 : Math.ceil(low.value);
  const last = high.isExclusive ? Math.ceil(high.value) - 1 : Math.floor(high.value);
  if (isWhole && first > last) return `No whole number is ${range}.`;
  const step = places
    .flatMap(({ schema }) => numberAt(schema, "multipleOf") ?? [])
    .find((each) => Math.ceil(low.value / each - TOLERANCE) > Math.floor(high.value / each + TOLERANCE));
  return step === undefined ? null : `No multiple of ${step} is ${range}.`;
};

const isInteger = (type: unknown): boolean => {
  const types = new Set([type].flat());
  return types.has("integer") && !types.has("number");
};

const numberContradiction = (places: ReadonlyArray<SchemaAt>): Contradiction | null => {
  const [low] = edgesOf(places, "minimum", "exclusiveMinimum").toSorted(isTighter(1));
  const [high] = edgesOf(places, "maximum", "exclusiveMaximum").toSorted(isTighter(-1));
  if (low === undefined || high === undefined) return null;
  const message = outOfReach(places, low, high);
  return message === null ? null : { path: high.path, message };
};

const sizeContradiction = (
  places: ReadonlyArray<SchemaAt>,
  type: keyof typeof SIZES
): Contradiction | null => {
  const [lower, upper] = SIZES[type];
  const [min, max] = [greatest(places, lower), least(places, upper)];
  return min === null || max === null || min <= max
    ? null
    : { path: placeWith(places, upper), message: `\`${lower}\` is ${min}, but \`${upper}\` is ${max}.` };
};

const containsContradiction = (places: ReadonlyArray<SchemaAt>): Contradiction | null => {
  for (const { schema, path } of places) {
    if (schema["contains"] === undefined) continue;
    const min = numberAt(schema, "minContains") ?? 1;
    const max = Math.min(numberAt(schema, "maxContains") ?? Infinity, least(places, "maxItems") ?? Infinity);
    if (min > max) return { path, message: `It must contain at least ${min}, but at most ${max} items.` };
  }
  return null;
};

/** Why no value of the type fits; null if one may. */
export const boundsContradiction = (
  places: ReadonlyArray<SchemaAt>,
  type: ValueType
): Contradiction | null => {
  if (type === "number") return numberContradiction(places);
  if (type === "array") return sizeContradiction(places, type) ?? containsContradiction(places);
  return type === "string" || type === "object" ? sizeContradiction(places, type) : null;
};

const typeOf = (value: Schema.Json): ValueType => {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value as "object" | "string" | "number" | "boolean";
};

const typeAllows = (type: unknown, found: ValueType): boolean => {
  if (type === undefined) return true;
  return [type].flat().some((each) => each === found || (each === "integer" && found === "number"));
};

/** The types that every `type` allows, without those that a `not` forbids. */
export const typesOf = (places: ReadonlyArray<SchemaAt>): ReadonlyArray<ValueType> =>
  VALUE_TYPES.filter((type) =>
    places.every(({ schema }) => {
      const { not } = schema;
      const forbidden =
        isJsonObject(not) && Object.keys(not).every((keyword) => keyword === "type")
          ? [not["type"]].flat()
          : [];
      return typeAllows(schema["type"], type) && !forbidden.includes(type);
    })
  );

const sizeOf = (value: Schema.Json): number => {
  if (typeof value === "string") return [...value].length;
  return typeof value === "object" && value !== null ? Object.keys(value).length : 0;
};

/** Whether a listed value is within the bounds; what is not compared here counts as within. */
export const isWithin = (places: ReadonlyArray<SchemaAt>, value: Schema.Json): boolean => {
  const type = typeOf(value);
  if (!typesOf(places).includes(type)) return false;
  if (typeof value === "number") {
    const isWhole = places.some(({ schema }) => isInteger(schema["type"]));
    return (
      (!isWhole || Number.isInteger(value)) &&
      edgesOf(places, "minimum", "exclusiveMinimum").every(
        (edge) => value > edge.value || (value === edge.value && !edge.isExclusive)
      ) &&
      edgesOf(places, "maximum", "exclusiveMaximum").every(
        (edge) => value < edge.value || (value === edge.value && !edge.isExclusive)
      )
    );
  }
  if (type !== "string" && type !== "array" && type !== "object") return true;
  const [lower, upper] = SIZES[type];
  const size = sizeOf(value);
  return size >= (greatest(places, lower) ?? 0) && size <= (least(places, upper) ?? Infinity);
};

// Bounds that contradict each other in one place of a schema are a mistake wherever it is, even where a value may be
// left out or have another type.

/** Keywords below which a contradiction can be meant. */
const MEANT_BELOW: ReadonlySet<string> = new Set(["not", "if"]);

/** Bounds that contradict each other in one place; a place of other types only is left alone. */
export const boundsMistake = (given: SchemaAt, dialect: SchemaDialect): Contradiction | null => {
  if (Object.keys(given.schema).some((keyword) => /^(?:max|exclusiveMax|min|exclusiveMin)/u.test(keyword))) {
    for (const type of typesOf([given])) {
      const found = boundsContradiction([given], type);
      if (found !== null) return found;
    }
  }
  for (const { keyword, schema, path } of subschemas(given, dialect)) {
    if (MEANT_BELOW.has(keyword) || !isJsonObject(schema)) continue;
    const found = boundsMistake({ schema, path }, dialect);
    if (found !== null) return found;
  }
  return null;
};
