/**
 * A schema as the list of schemas that must all hold: itself, what it references, its `allOf`, what its `not`
 * forbids, and what its members imply. List entries are the caller's own objects, or created once per object
 * (Exclusions), so that equal lists mean equal schemas and recursion is detected by comparison.
 */
import { draftNamed } from "@winnow/core/domain/json-schema/SchemaDrafts";
import { excludedBy, requiredTogether } from "./Exclusions.ts";
import { isObject, type Json, type JsonObject } from "./Shape.ts";

/** Keywords that the compiled shapes already handle. */
export type HandledKeyword = "anyOf" | "oneOf" | "words";

export interface Conjunct {
  readonly schema: JsonObject;
  readonly handledKeywords: ReadonlyArray<HandledKeyword>;
}

/** Null if nothing conforms. */
export type Conjuncts = ReadonlyArray<Conjunct> | null;

export type Resolve = (reference: string) => Json | undefined;

/** Schemas without `$schema` are assumed to be newer. */
export const isDraft07 = (root: JsonObject): boolean => draftNamed(root["$schema"])?.dialect === "draft-07";

/** In draft-07, siblings of a reference are ignored. */
export const makeFlatten = (resolve: Resolve, refStandsAlone: boolean) => {
  const flattened = (schemas: ReadonlyArray<Json>, found: Map<JsonObject, Conjunct>): boolean => {
    for (const schema of schemas) {
      if (schema === false) return false;
      if (!isObject(schema) || found.has(schema)) continue;
      const reference = schema["$ref"] ?? schema["$dynamicRef"] ?? schema["$recursiveRef"];
      const alone = refStandsAlone && reference !== undefined;
      found.set(schema, { schema: alone ? {} : schema, handledKeywords: [] });
      if (typeof reference === "string") {
        const target = resolve(reference);
        if (target !== undefined && !flattened([target], found)) return false;
      }
      if (!alone && !flattened(excludedBy(schema["not"]), found)) return false;
      if (!alone && !flattened(requiredTogether(schema), found)) return false;
      if (!alone && Array.isArray(schema["allOf"]) && !flattened(schema["allOf"], found)) return false;
    }
    return true;
  };

  return (schemas: ReadonlyArray<Json>): Conjuncts => {
    const found = new Map<JsonObject, Conjunct>();
    if (!flattened(schemas, found)) return null;
    return [...found.values()].filter(({ schema }) => hasMoreConstraints(schema));
  };
};

const WITHOUT_CONSTRAINTS = new Set([
  "$ref",
  "$dynamicRef",
  "$recursiveRef",
  "$schema",
  "$id",
  "$anchor",
  "$dynamicAnchor",
  "$comment",
  "$defs",
  "definitions",
  "allOf",
  "default",
  "deprecated",
  "readOnly",
  "writeOnly"
]);

const hasMoreConstraints = (schema: JsonObject): boolean =>
  Object.keys(schema).some((name) => !WITHOUT_CONSTRAINTS.has(name));

const ANNOTATIONS = new Set([...WITHOUT_CONSTRAINTS, "title", "description", "examples"]);

/** Whether a conjunct has no constraints besides handled keywords. */
export const isBare = ({ schema, handledKeywords }: Conjunct): boolean =>
  Object.keys(schema).every(
    (name) => ANNOTATIONS.has(name) || (handledKeywords as ReadonlyArray<string>).includes(name)
  );
