/**
 * Expresses exclusions as schemas that can be compiled: members that `not` forbids, and those that would make a
 * second option of a `oneOf` match. Created once per original schema, so that equal lists of schemas still mean the
 * same.
 */
import { isObject, type Json, type JsonObject } from "./Shape.ts";

const BESIDE_NAMES = new Set(["required", "type", "title", "description", "$comment"]);

/** The names a schema requires if it has no other constraints; null otherwise. */
const namesAlone = (schema: Json | undefined): ReadonlyArray<string> | null => {
  if (!isObject(schema ?? null)) return null;
  const { required, type, allOf, ...others } = schema as JsonObject;
  if (Array.isArray(allOf) && required === undefined && Object.keys(others).length === 0) {
    const each = allOf.map(namesAlone);
    return each.includes(null) ? null : (each as ReadonlyArray<ReadonlyArray<string>>).flat();
  }
  if (
    !Array.isArray(required) ||
    required.length === 0 ||
    (type !== undefined && type !== "object") ||
    allOf !== undefined
  )
    return null;
  const isAlone = Object.keys(others).every((name) => BESIDE_NAMES.has(name));
  return isAlone ? required.filter((name) => typeof name === "string") : null;
};

const without = (names: ReadonlyArray<string>): JsonObject => ({
  properties: Object.fromEntries(names.map((name) => [name, false]))
});

/** Forbids having all of these members together. */
const notAll = (names: ReadonlyArray<string>): JsonObject =>
  names.length === 1 ? without(names) : { anyOf: names.map((name) => without([name])) };

const MET: ReadonlyArray<Json> = [];
const ofNots = new WeakMap<JsonObject, ReadonlyArray<Json>>();

const TYPES = ["object", "array", "string", "number", "integer", "boolean", "null"];

/** The remaining types if a schema only has types; null otherwise. */
const otherTypes = (given: JsonObject): ReadonlyArray<Json> | null => {
  const { type, ...others } = given;
  const isAlone = Object.keys(others).every((name) => BESIDE_NAMES.has(name) && name !== "required");
  if (type === undefined || !isAlone) return null;
  const types = Array.isArray(type) ? type : [type];
  const left = TYPES.filter(
    (each) => !types.includes(each) && !(each === "integer" && types.includes("number"))
  );
  return left.length === 0 ? [false] : [{ type: left }];
};

/** The schemas that a `not` with this value implies. */
export const excludedBy = (not: Json | undefined): ReadonlyArray<Json> => {
  if (not === true) return [false];
  if (!isObject(not ?? null)) return MET;
  const negated = not as JsonObject;
  const known = ofNots.get(negated);
  if (known !== undefined) return known;
  const { anyOf, ...others } = negated;
  const each = Array.isArray(anyOf) && Object.keys(others).length === 0 ? anyOf : [negated];
  const excluded = each.flatMap((one): ReadonlyArray<Json> => {
    const names = namesAlone(one);
    if (names !== null) return [notAll(names)];
    return (isObject(one) ? otherTypes(one) : null) ?? [];
  });
  ofNots.set(negated, excluded);
  return excluded;
};

const ofOptions = new WeakMap<ReadonlyArray<Json>, ReadonlyArray<Json>>();

const requiredOf = (option: Json): ReadonlySet<Json> => {
  const required = isObject(option) ? option["required"] : undefined;
  return new Set(Array.isArray(required) ? required : []);
};

/**
 * For each option of a `oneOf`, what prevents it from matching together with options that only require members: it
 * must not have the additional members they require. `false` if it cannot match alone.
 */
export const exclusionsOf = (options: ReadonlyArray<Json>): ReadonlyArray<Json> => {
  const known = ofOptions.get(options);
  if (known !== undefined) return known;
  const bare = options.map(namesAlone);
  const exclusions = options.map((option, place): Json => {
    const own = requiredOf(option);
    const others = bare.filter((names, at) => names !== null && at !== place) as ReadonlyArray<
      ReadonlyArray<string>
    >;
    const more = others.map((names) => names.filter((name) => !own.has(name)));
    return more.some((names) => names.length === 0) ? false : without(more.flat());
  });
  ofOptions.set(options, exclusions);
  return exclusions;
};

/** Maximum members that imply others; more would multiply the alternatives of an object. */
const DEPENDENCIES_MAX = 3;

const ofDependencies = new WeakMap<JsonObject, ReadonlyArray<Json>>();

/** `{a: ["b"]}` as a union: an object without `a`, or with both. */
export const requiredTogether = (schema: JsonObject): ReadonlyArray<Json> => {
  const known = ofDependencies.get(schema);
  if (known !== undefined) return known;
  const entries = ["dependentRequired", "dependencies"].flatMap((keyword) => {
    const keywordValue = schema[keyword] ?? null;
    return isObject(keywordValue) ? Object.entries(keywordValue) : [];
  });
  const required = requiredOf(schema);
  const together = entries.flatMap(([name, names]) => {
    const more = Array.isArray(names) ? names.filter((each) => !required.has(each)) : [];
    return more.length > 0 ? [[name, ...more]] : [];
  });
  const choices =
    together.length > DEPENDENCIES_MAX
      ? []
      : together.map((names): Json => ({ anyOf: [without([names[0] as string]), { required: names }] }));
  ofDependencies.set(schema, choices);
  return choices;
};
