/**
 * Finds mistakes at one place of a schema, because of which nothing can fulfil it: bounds, sizes, required members and
 * listed values that exclude each other. Bounds, and required members that are not known, are a mistake at any place;
 * the others only where a value must be. People forbid members that may be left out, and 23 of 3,334 real schemas list
 * values for such members that their type excludes.
 *
 * What contradicts itself only across several places, as through `$ref` or `allOf`, is not looked for.
 */
import type * as Schema from "effect/Schema";
import { canonicalJson } from "@winnow/core/domain/text/CanonicalJson";
import { isJsonObject } from "@winnow/core/domain/text/Json";
import type { SchemaProblem } from "@winnow/core/domain/json-schema/SchemaLimits";
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";
import { isReferenceAlone, type Subschema, subschemas } from "./SchemaIndex.ts";
import type { LinkedSchema } from "./SchemaLinks.ts";

const VALUE_TYPES = ["null", "boolean", "number", "string", "array", "object"] as const;
type ValueType = (typeof VALUE_TYPES)[number];

/** Pairs of keywords for a size, by the type they bound. */
const SIZES = {
  string: ["minLength", "maxLength"],
  array: ["minItems", "maxItems"],
  object: ["minProperties", "maxProperties"]
} as const;

const NOTHING = "Nothing is allowed here.";

const numberAt = (schema: JsonObject, keyword: string): number | null => {
  const value = schema[keyword];
  return typeof value === "number" ? value : null;
};

const mapAt = (schema: JsonObject, keyword: string): JsonObject => {
  const value = schema[keyword];
  return isJsonObject(value) ? value : {};
};

const isEmpty = (value: unknown): boolean => isJsonObject(value) && Object.keys(value).length === 0;

const forbidsAll = (schema: JsonObject | boolean): boolean =>
  schema === false || (isJsonObject(schema) && (schema["not"] === true || isEmpty(schema["not"])));

const typeNames = ({ type }: JsonObject): ReadonlySet<unknown> => new Set([type].flat());

const isWhole = (schema: JsonObject): boolean => {
  const types = typeNames(schema);
  return types.has("integer") && !types.has("number");
};

const typesOf = (schema: JsonObject): ReadonlyArray<ValueType> => {
  const types = typeNames(schema);
  if (types.has("integer")) return VALUE_TYPES.filter((type) => type === "number" || types.has(type));
  return schema["type"] === undefined ? VALUE_TYPES : VALUE_TYPES.filter((type) => types.has(type));
};

const rangeOf = (schema: JsonObject) => {
  const [above, below] = [numberAt(schema, "exclusiveMinimum"), numberAt(schema, "exclusiveMaximum")];
  const low = Math.max(numberAt(schema, "minimum") ?? -Infinity, above ?? -Infinity);
  const high = Math.min(numberAt(schema, "maximum") ?? Infinity, below ?? Infinity);
  return { low, high, isAbove: above === low, isBelow: below === high };
};

/** For quotients: numbers such as 0.3 and 0.1 are not exact. */
const TOLERANCE = 1e-9;

const rangeMistake = (schema: JsonObject): string | null => {
  const { low, high, isAbove, isBelow } = rangeOf(schema);
  if (!Number.isFinite(low) || !Number.isFinite(high)) return null;
  const range = `${isAbove ? "above" : "from"} ${low} ${isBelow ? "and below" : "to"} ${high}`;
  if (low > high || (low === high && (isAbove || isBelow))) return `No number is ${range}.`;
  const first = isAbove ? Math.floor(low) + 1 : Math.ceil(low);
  const last = isBelow ? Math.ceil(high) - 1 : Math.floor(high);
  if (isWhole(schema) && first > last) return `No whole number is ${range}.`;
  const step = numberAt(schema, "multipleOf");
  return step !== null && Math.ceil(low / step - TOLERANCE) > Math.floor(high / step + TOLERANCE)
    ? `No multiple of ${step} is ${range}.`
    : null;
};

const containsMistake = (schema: JsonObject): string | null => {
  if (schema["contains"] === undefined) return null;
  const min = numberAt(schema, "minContains") ?? 1;
  const max = Math.min(numberAt(schema, "maxContains") ?? Infinity, numberAt(schema, "maxItems") ?? Infinity);
  return min > max ? `It must contain at least ${min}, but at most ${max} items.` : null;
};

const boundsMistake = (schema: JsonObject, type: ValueType): string | null => {
  if (type === "number") return rangeMistake(schema);
  if (type === "null" || type === "boolean") return null;
  const [lower, upper] = SIZES[type];
  const [min, max] = [numberAt(schema, lower), numberAt(schema, upper)];
  if (min !== null && max !== null && min > max) return `\`${lower}\` is ${min}, but \`${upper}\` is ${max}.`;
  return type === "array" ? containsMistake(schema) : null;
};

const typeOf = (value: Schema.Json): ValueType => {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : (typeof value as "object" | "string" | "number" | "boolean");
};

/** Whether a listed value is of the type and within the bounds of its place. */
const isWithin = (schema: JsonObject, value: Schema.Json): boolean => {
  const type = typeOf(value);
  if (!typesOf(schema).includes(type)) return false;
  if (typeof value === "number") {
    const { low, high, isAbove, isBelow } = rangeOf(schema);
    const isInside = (isAbove ? value > low : value >= low) && (isBelow ? value < high : value <= high);
    return isInside && (!isWhole(schema) || Number.isInteger(value));
  }
  if (type !== "string" && type !== "array" && type !== "object") return true;
  const [lower, upper] = SIZES[type];
  const size = typeof value === "string" ? [...value].length : Object.keys(value ?? {}).length;
  return size >= (numberAt(schema, lower) ?? 0) && size <= (numberAt(schema, upper) ?? Infinity);
};

const listMistake = (schema: JsonObject): string | null => {
  const { enum: values } = schema;
  const constants = Object.hasOwn(schema, "const") ? [schema["const"] ?? null] : null;
  const listed = Array.isArray(values) ? values : constants;
  if (listed === null) return null;
  const only = constants?.map(canonicalJson);
  const fits = listed.some(
    (value) => isWithin(schema, value) && (only === undefined || only.includes(canonicalJson(value)))
  );
  return fits ? null : "None of the listed values is allowed here.";
};

const requiredNames = ({ required }: JsonObject): ReadonlySet<string> =>
  new Set(Array.isArray(required) ? required.filter((name) => typeof name === "string") : []);

const isClosed = (schema: JsonObject): boolean =>
  schema["additionalProperties"] === false && isEmpty(mapAt(schema, "patternProperties"));

/** Often a typo. */
const unknownMember = (schema: JsonObject): string | null => {
  const name = isClosed(schema)
    ? [...requiredNames(schema)].find((each) => !Object.hasOwn(mapAt(schema, "properties"), each))
    : undefined;
  return name === undefined ? null : `The property ${JSON.stringify(name)} is required, but not allowed.`;
};

/** For a value that must be an object. */
const membersMistake = (schema: JsonObject): string | null => {
  const { size } = requiredNames(schema);
  const max = numberAt(schema, "maxProperties") ?? Infinity;
  if (size > max) return `${size} properties are required, but at most ${max} allowed.`;
  const known = Object.values(mapAt(schema, "properties")).filter((member) => member !== false).length;
  return isClosed(schema) && known < (numberAt(schema, "minProperties") ?? 0)
    ? `\`minProperties\` is more than the ${known} properties that are allowed.`
    : null;
};

/** Whether every value of these types has a part for a subschema. */
const isInEvery = (schema: JsonObject, types: ReadonlyArray<ValueType>) => {
  const [isObject, isArray] = [types.join() === "object", types.join() === "array"];
  const names = isObject ? requiredNames(schema) : new Set<string>();
  const hasOthers =
    isEmpty(mapAt(schema, "patternProperties")) &&
    [...names].some((name) => !Object.hasOwn(mapAt(schema, "properties"), name));
  const itemsMin = isArray ? (numberAt(schema, "minItems") ?? 0) : 0;
  const tuple = [schema["items"], schema["prefixItems"]].find(Array.isArray) ?? [];
  const rest = Array.isArray(schema["items"]) ? "additionalItems" : "items";
  return ({ keyword, step }: Subschema): boolean => {
    if (keyword === "properties") return names.has(step ?? "");
    if (keyword === "additionalProperties") return hasOthers;
    if (keyword === "contains") return isArray && (numberAt(schema, "minContains") ?? 1) > 0;
    if (step === null) return keyword === rest && itemsMin > tuple.length;
    return (keyword === "items" || keyword === "prefixItems") && Number(step) < itemsMin;
  };
};

/** A schema to look at, and the types of a value that must be there; none if it may be left out. */
interface Visit {
  readonly schema: JsonObject | boolean;
  readonly path: string;
  readonly types: ReadonlyArray<ValueType>;
}

const mistakeAt = (schema: JsonObject, types: ReadonlyArray<ValueType>): string | null => {
  for (const type of typesOf(schema)) {
    const found = boundsMistake(schema, type) ?? (type === "object" ? unknownMember(schema) : null);
    if (found !== null) return found;
  }
  if (types.length === 0) return null;
  return listMistake(schema) ?? (types.join() === "object" ? membersMistake(schema) : null);
};

/** Keywords below which a contradiction can be meant. */
const MEANT_BELOW: ReadonlySet<string> = new Set(["not", "if"]);

const problem = (path: string, message: string): SchemaProblem => ({
  reason: "contradiction",
  path,
  message
});

/** The first mistake at a place where a schema applies to an object; null if there is none. */
export const contradictionIn = ({ index, links }: LinkedSchema): SchemaProblem | null => {
  const { dialect, places } = index;
  const waiting: Array<Visit> = [];
  const visit = (place: Omit<Visit, "types"> | undefined, types: Visit["types"]) => {
    if (place !== undefined) waiting.push({ schema: place.schema, path: place.path, types });
  };
  visit(places.get(""), ["object"]);
  const seen = new Set<string>();
  for (const { schema, path, types: given } of waiting) {
    const key = `${given.join()} ${path}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const isAlone = isJsonObject(schema) && isReferenceAlone(schema, dialect);
    if (given.length > 0 && !isAlone && forbidsAll(schema)) return problem(path, NOTHING);
    if (!isJsonObject(schema)) continue;
    const types = isAlone ? given : typesOf(schema).filter((type) => given.includes(type));
    for (const { target } of links.get(path) ?? []) visit(places.get(target), types);
    if (isAlone) continue;
    const message = mistakeAt(schema, types);
    if (message !== null) return problem(path, message);
    const isThere = isInEvery(schema, types);
    for (const below of subschemas({ schema, path }, dialect)) {
      if (MEANT_BELOW.has(below.keyword)) continue;
      const member = isThere(below) ? VALUE_TYPES : [];
      visit(below, below.keyword === "allOf" ? types : member);
    }
  }
  return null;
};
