/** Constraints of a list of schemas on member names, as providers enforce them for a key. */
import type { Conjunct, Conjuncts } from "./AllOf.ts";
import { leafKeywords } from "./LeafKeywords.ts";
import { isObject, type Json, type JsonObject, memberOf } from "./Shape.ts";
import { anyPattern, patternKeyword } from "./TextPatterns.ts";
import { valuesOf } from "./ValueConstraints.ts";

const patternsOf = (schema: JsonObject): ReadonlyArray<string> => {
  const patterns = memberOf(schema, "patternProperties") ?? null;
  if (!isObject(patterns)) return [];
  return Object.entries(patterns).flatMap(([pattern, held]) => (held === false ? [] : [pattern]));
};

/**
 * Patterns of the schema that allows only matching names, if there is one; otherwise those of all schemas, unless one
 * of them describes further names.
 */
const patternsOfKeys = (conjuncts: ReadonlyArray<Conjunct>): ReadonlyArray<string> => {
  const closing = conjuncts.find(
    ({ schema }) => memberOf(schema, "additionalProperties") === false && patternsOf(schema).length > 0
  );
  if (closing !== undefined) return patternsOf(closing.schema);
  const isOpen = conjuncts.some(({ schema }) => memberOf(schema, "additionalProperties") !== undefined);
  return isOpen ? [] : conjuncts.flatMap(({ schema }) => patternsOf(schema));
};

export const keyKeywords = (
  conjuncts: ReadonlyArray<Conjunct>,
  flatten: (schemas: ReadonlyArray<Json>) => Conjuncts
): JsonObject => {
  const pattern = anyPattern(patternsOfKeys(conjuncts));
  if (pattern !== null) return { pattern };
  const named = conjuncts.flatMap(({ schema }) => memberOf(schema, "propertyNames") ?? []);
  const names = named.length === 0 ? null : flatten(named);
  if (names === null) return {};
  const listed = valuesOf(names)?.filter((value) => typeof value === "string") ?? null;
  if (listed !== null && listed.length > 0) return { enum: listed };
  const { pattern: ofNames } = leafKeywords(names, "string", false);
  return patternKeyword(typeof ofNames === "string" ? ofNames : null);
};

/** Each name pattern, if only patterns restrict further members; null otherwise. */
export const patternsAlone = (conjuncts: ReadonlyArray<Conjunct>): ReadonlyArray<string> | null => {
  const patterns = conjuncts.flatMap(({ schema }) => patternsOf(schema));
  const others = conjuncts.some(({ schema }) =>
    isObject((memberOf(schema, "additionalProperties") ?? null) as Json)
  );
  return others || patterns.length < 2 ? null : patterns;
};
