/**
 * A schema as the list of schemas that must all hold: itself, what it references, its `allOf`, what its `not` forbids,
 * what another option of its `oneOf` would match, and what its properties imply. List entries are the caller's own
 * objects, or created once per object, so that equal lists mean equal schemas and recursion is detected by comparison.
 */
import { isObject, type Json, type JsonObject } from "./Shape.ts";
import { ANNOTATIONS } from "@winnow/core/domain/json-schema/SchemaKeywords";
import { pointedAt } from "@winnow/core/domain/text/Json";

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

/** Forbids having all of these properties together. */
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
const excludedBy = (not: Json | undefined): ReadonlyArray<Json> => {
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
 * For each option of a `oneOf`, what prevents it from matching together with options that only require properties: it
 * must not have the additional properties they require. `false` if it cannot match alone.
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

/** Maximum properties that imply others; more would multiply the alternatives of an object. */
const DEPENDENCIES_MAX = 3;

const ofDependencies = new WeakMap<JsonObject, ReadonlyArray<Json>>();

/** `{a: ["b"]}` as a union: an object without `a`, or with both. */
const requiredTogether = (schema: JsonObject): ReadonlyArray<Json> => {
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

/** Keywords that the compiled shapes already handle. */
export type HandledKeyword = "anyOf" | "oneOf" | "words";

export interface Conjunct {
  readonly schema: JsonObject;
  readonly handledKeywords: ReadonlyArray<HandledKeyword>;
}

/** Null if nothing conforms. */
export type Conjuncts = ReadonlyArray<Conjunct> | null;

/** `root` is where references start. */
export const makeFlatten = (root: JsonObject) => {
  const flattened = (schemas: ReadonlyArray<Json>, found: Map<JsonObject, Conjunct>): boolean => {
    for (const schema of schemas) {
      if (schema === false) return false;
      if (!isObject(schema) || found.has(schema)) continue;
      found.set(schema, { schema, handledKeywords: [] });
      const { $ref, allOf } = schema;
      const target = typeof $ref === "string" ? pointedAt(root, $ref) : undefined;
      const implied = [...excludedBy(schema["not"]), ...requiredTogether(schema)];
      if (target !== undefined && !flattened([target as Json], found)) return false;
      if (!flattened([...implied, ...(Array.isArray(allOf) ? allOf : [])], found)) return false;
    }
    return true;
  };

  return (schemas: ReadonlyArray<Json>): Conjuncts => {
    const found = new Map<JsonObject, Conjunct>();
    if (!flattened(schemas, found)) return null;
    return [...found.values()].filter(({ schema }) => hasMoreConstraints(schema));
  };
};

const WITHOUT_CONSTRAINTS = new Set(["$ref", "$defs", "allOf"]);

const hasMoreConstraints = (schema: JsonObject): boolean =>
  Object.keys(schema).some((name) => !WITHOUT_CONSTRAINTS.has(name));

const NOT_FOR_SHAPES = new Set([...WITHOUT_CONSTRAINTS, ...ANNOTATIONS]);

/** Whether a conjunct has no constraints besides handled keywords. */
export const isBare = ({ schema, handledKeywords }: Conjunct): boolean =>
  Object.keys(schema).every(
    (name) => NOT_FOR_SHAPES.has(name) || (handledKeywords as ReadonlyArray<string>).includes(name)
  );
