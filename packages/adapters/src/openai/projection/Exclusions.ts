/**
 * What must not be, said as schemas that shapes can be made of: members that `not` forbids, and those that would
 * make a second option of a `oneOf` hold. Made once for each schema of the caller's, so that the same list of
 * schemas still means the same.
 */
import { isObject, type Json, type JsonObject } from "./Shape.ts";

const BESIDE_NAMES = new Set(["required", "type", "title", "description", "$comment"]);

/** The names that a schema requires where it says nothing else; null where it does. */
const namesAlone = (schema: Json | undefined): ReadonlyArray<string> | null => {
  if (!isObject(schema ?? null)) return null;
  const { required, type, ...others } = schema as JsonObject;
  if (!Array.isArray(required) || required.length === 0 || (type !== undefined && type !== "object"))
    return null;
  const isAlone = Object.keys(others).every((name) => BESIDE_NAMES.has(name));
  return isAlone ? required.filter((name) => typeof name === "string") : null;
};

const without = (names: ReadonlyArray<string>): JsonObject => ({
  properties: Object.fromEntries(names.map((name) => [name, false]))
});

/** Not all of them together. */
const notAll = (names: ReadonlyArray<string>): JsonObject =>
  names.length === 1 ? without(names) : { anyOf: names.map((name) => without([name])) };

const MET: ReadonlyArray<JsonObject> = [];
const ofNots = new WeakMap<JsonObject, ReadonlyArray<JsonObject>>();

/** Of the value of a `not`. */
export const excludedBy = (not: Json | undefined): ReadonlyArray<JsonObject> => {
  if (!isObject(not ?? null)) return MET;
  const given = not as JsonObject;
  const known = ofNots.get(given);
  if (known !== undefined) return known;
  const { anyOf, ...others } = given;
  const each = Array.isArray(anyOf) && Object.keys(others).length === 0 ? anyOf : [given];
  const names = each.map(namesAlone).filter((list) => list !== null);
  const excluded = names.map(notAll);
  ofNots.set(given, excluded);
  return excluded;
};

const ofOptions = new WeakMap<ReadonlyArray<Json>, ReadonlyArray<Json>>();

const requiredOf = (option: Json): ReadonlySet<Json> => {
  const required = isObject(option) ? option["required"] : undefined;
  return new Set(Array.isArray(required) ? required : []);
};

/**
 * For each option of a `oneOf`, what keeps it from holding beside options that only require members: none of the
 * members that those require more than it does. `false` where it cannot hold alone.
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
