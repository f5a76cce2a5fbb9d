/**
 * Finds mistakes at one place of a schema, because of which nothing can fulfil it: bounds and sizes that exclude each
 * other, required properties that are not known, or false, and listed values of another type. Bounds, sizes and unknown
 * properties are a mistake at any place; the others only where a value must be. People forbid members that may be left
 * out, and 23 of 3,334 real schemas list values for such members that their type excludes.
 *
 * What contradicts itself only across several places, as through `$ref` or `allOf`, is not looked for.
 */
import { canonicalJson } from "@winnow/core/domain/text/CanonicalJson";
import { isJsonObject } from "@winnow/core/domain/text/Json";
import type { SchemaProblem } from "@winnow/core/domain/json-schema/SchemaLimits";
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";
import { isReferenceAlone, subschemas } from "./SchemaIndex.ts";
import type { LinkedSchema } from "./SchemaLinks.ts";

/** Those of values; `integer` is a number. */
type ValueType = "null" | "boolean" | "number" | "string" | "array" | "object";
const VALUE_TYPES: ReadonlyArray<ValueType> = ["null", "boolean", "number", "string", "array", "object"];

/** Pairs of keywords for a size, by the type they bound. */
const SIZES: Readonly<Partial<Record<ValueType, readonly [string, string]>>> = {
  string: ["minLength", "maxLength"],
  array: ["minItems", "maxItems"],
  object: ["minProperties", "maxProperties"]
};

const numberAt = (schema: JsonObject, keyword: string): number | null => {
  const value = schema[keyword];
  return typeof value === "number" ? value : null;
};

const isEmpty = (value: unknown): boolean => isJsonObject(value) && Object.keys(value).length === 0;

const forbidsAll = (schema: JsonObject | boolean): boolean =>
  schema === false || (isJsonObject(schema) && (schema["not"] === true || isEmpty(schema["not"])));

const typeNames = ({ type }: JsonObject): ReadonlySet<unknown> => new Set([type].flat());

const typesOf = (schema: JsonObject): ReadonlyArray<ValueType> => {
  const names = typeNames(schema);
  return VALUE_TYPES.filter(
    (type) => names.has(undefined) || names.has(type) || (type === "number" && names.has("integer"))
  );
};

const isWhole = (schema: JsonObject): boolean => {
  const names = typeNames(schema);
  return names.has("integer") && !names.has("number");
};

/** For quotients: numbers such as 0.3 and 0.1 are not exact. */
const TOLERANCE = 1e-9;

const rangeMistake = (schema: JsonObject): string | null => {
  const [above, below] = [numberAt(schema, "exclusiveMinimum"), numberAt(schema, "exclusiveMaximum")];
  const low = Math.max(numberAt(schema, "minimum") ?? -Infinity, above ?? -Infinity);
  const high = Math.min(numberAt(schema, "maximum") ?? Infinity, below ?? Infinity);
  if (!Number.isFinite(low) || !Number.isFinite(high)) return null;
  const [isAbove, isBelow] = [above === low, below === high];
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

const sizeMistake = (schema: JsonObject, type: ValueType): string | null => {
  const [lower = "", upper = ""] = SIZES[type] ?? [];
  const [min, max] = [numberAt(schema, lower), numberAt(schema, upper)];
  if (min !== null && max !== null && min > max) return `\`${lower}\` is ${min}, but \`${upper}\` is ${max}.`;
  if (type !== "array" || schema["contains"] === undefined) return null;
  const least = numberAt(schema, "minContains") ?? 1;
  const most = Math.min(numberAt(schema, "maxContains") ?? Infinity, max ?? Infinity);
  return least > most ? `It must contain at least ${least}, but at most ${most} items.` : null;
};

const requiredNames = ({ required }: JsonObject): ReadonlySet<string> =>
  new Set(Array.isArray(required) ? required.filter((name) => typeof name === "string") : []);

/** By name, if there can be no others; null otherwise. */
const onlyMembers = (schema: JsonObject): JsonObject | null => {
  const { additionalProperties, patternProperties = {}, properties } = schema;
  if (additionalProperties !== false || !isEmpty(patternProperties)) return null;
  return isJsonObject(properties) ? properties : {};
};

/** Often a typo. */
const unknownMember = (schema: JsonObject): string | null => {
  const known = onlyMembers(schema);
  const name = [...requiredNames(schema)].find((each) => known !== null && !Object.hasOwn(known, each));
  return name === undefined ? null : `The property ${JSON.stringify(name)} is required, but not allowed.`;
};

const countMistake = (schema: JsonObject): string | null => {
  const { size } = requiredNames(schema);
  const max = numberAt(schema, "maxProperties") ?? Infinity;
  if (size > max) return `${size} properties are required, but at most ${max} allowed.`;
  const known = onlyMembers(schema);
  const allowed = Object.values(known ?? {}).filter((member) => member !== false).length;
  return known !== null && allowed < (numberAt(schema, "minProperties") ?? 0)
    ? `\`minProperties\` is more than the ${allowed} properties that are allowed.`
    : null;
};

const listMistake = (schema: JsonObject): string | null => {
  const lists = [schema["enum"], Object.hasOwn(schema, "const") ? [schema["const"] ?? null] : undefined];
  const [listed, ...others] = lists.filter((values) => Array.isArray(values));
  if (listed === undefined) return null;
  const isListed = (value: JsonObject[string]): boolean =>
    others.every((values) => values.map(canonicalJson).includes(canonicalJson(value)));
  const types: ReadonlyArray<string> = typesOf(schema);
  const isOfType = (value: JsonObject[string]): boolean => {
    if (typeof value === "number" && isWhole(schema)) return Number.isInteger(value);
    return types.includes(value === null ? "null" : Array.isArray(value) ? "array" : typeof value);
  };
  return listed.some((value) => isOfType(value) && isListed(value))
    ? null
    : "None of the listed values is allowed here.";
};

/** A schema to look at, and the types of a value that must be there; none if it may be left out. */
interface Visit {
  readonly schema: JsonObject | boolean;
  readonly path: string;
  readonly types: ReadonlyArray<ValueType>;
}

const mistakeAt = (schema: JsonObject, types: ReadonlyArray<ValueType>): string | null => {
  for (const type of typesOf(schema)) {
    const ofType = type === "number" ? rangeMistake(schema) : sizeMistake(schema, type);
    const found = ofType ?? (type === "object" ? unknownMember(schema) : null);
    if (found !== null) return found;
  }
  if (types.length === 0) return null;
  return listMistake(schema) ?? (types.join() === "object" ? countMistake(schema) : null);
};

/** Keywords below which a mistake can be meant. */
const MEANT_BELOW: ReadonlySet<string> = new Set(["not", "if"]);

const mistake = (path: string, message: string): SchemaProblem => ({
  reason: "contradiction",
  path,
  message
});

/** The first mistake at a place where a schema applies to an object; null if there is none. */
export const mistakeIn = ({ index, links }: LinkedSchema): SchemaProblem | null => {
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
    if (given.length > 0 && !isAlone && forbidsAll(schema)) return mistake(path, "Nothing is allowed here.");
    if (!isJsonObject(schema)) continue;
    const types = isAlone ? given : typesOf(schema).filter((type) => given.includes(type));
    for (const { target } of links.get(path) ?? []) visit(places.get(target), types);
    if (isAlone) continue;
    const message = mistakeAt(schema, types);
    if (message !== null) return mistake(path, message);
    const names = types.join() === "object" ? requiredNames(schema) : new Set<string>();
    for (const below of subschemas({ schema, path }, dialect)) {
      if (MEANT_BELOW.has(below.keyword)) continue;
      const isThere = below.keyword === "properties" && names.has(below.step ?? "");
      visit(below, below.keyword === "allOf" ? types : isThere ? VALUE_TYPES : []);
    }
  }
  return null;
};
