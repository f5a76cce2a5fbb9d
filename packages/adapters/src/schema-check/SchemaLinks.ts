/**
 * Resolves all references of a schema within the schema, and rewrites it in 2020-12 with plain references. What
 * validates values and what projects schemas then need to know neither drafts nor addresses.
 *
 * The output validates the same values but contains nothing that could redirect a validator: no `$id`, anchors or
 * unknown keywords, and `$ref` only to `#/$defs/<number>`. A `$dynamicRef` becomes a `$ref` if only one schema
 * has its name; otherwise it is rejected.
 */
import type * as Schema from "effect/Schema";
import { pointerBelow, valueAt, isJsonObject } from "@winnow/core/domain/text/Json";
import { readingsOf } from "./SchemaDrafts.ts";
import {
  ANNOTATIONS,
  APPLICATORS,
  ASSERTIONS,
  type SchemaDialect,
  withSubschemas
} from "@winnow/core/domain/json-schema/SchemaKeywords";
import {
  boundsProblem,
  SCHEMA_EXPANSION_MAX,
  SCHEMA_REFERENCES_MAX,
  type SchemaProblem
} from "@winnow/core/domain/json-schema/SchemaLimits";
import {
  addPlace,
  baseAt,
  decodedFragment,
  subschemas,
  indexProblem,
  indexSchema,
  isReferenceAlone,
  isSchemaValue,
  type SchemaIndex,
  type IndexedSchema
} from "./SchemaIndex.ts";
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";

export interface LinkedSchema {
  readonly schema: JsonObject;
  /** Of the original schema, as are the paths. */
  readonly index: SchemaIndex;
  /** By the path of the schema that has them. */
  readonly links: ReadonlyMap<string, ReadonlyArray<Link>>;
  /** Values under unknown keywords that are schemas only because a reference points to them. */
  readonly outlying: ReadonlyArray<Pick<IndexedSchema, "schema" | "path">>;
}

/** A reference and the path it resolves to. */
interface Link {
  readonly path: string;
  readonly target: string;
}

/** `$recursiveRef` is the 2019-09 form of `$dynamicRef`; it points to a root. */
const REFERENCES: Readonly<Record<SchemaDialect, ReadonlyArray<string>>> = {
  "2020-12": ["$ref", "$dynamicRef"],
  "2019-09": ["$ref", "$recursiveRef"],
  "draft-07": ["$ref"]
};

const remote = (path: string): SchemaProblem => ({
  reason: "remote_reference",
  path,
  message: 'A reference must stay within the schema: copy what it means to "$defs" and refer to it there.'
});

const unresolved = (path: string): SchemaProblem => ({
  reason: "unresolved_reference",
  path,
  message: "The target of the reference does not exist: correct the reference, or add its target."
});

const ambiguous = (path: string): SchemaProblem => ({
  reason: "unresolved_reference",
  path,
  message:
    'The reference is ambiguous, since its target depends on where it is used: use "$ref" to one of them.'
});

const unknownKeyword = (path: string): SchemaProblem => ({
  reason: "unsupported_dialect",
  path,
  message: 'This keyword belongs to draft 2019-09: name that in "$schema", or use "$ref" or "$dynamicRef".'
});

const tooManyReferences = (path: string): SchemaProblem => ({
  reason: "too_costly",
  path,
  message: `The schema has more than ${SCHEMA_REFERENCES_MAX} references: inline short parts instead.`
});

const loop = (path: string): SchemaProblem => ({
  reason: "reference_loop",
  path,
  message: "The reference leads back to itself without a property or an item in between: add one."
});

const multiplies = (path: string): SchemaProblem => ({
  reason: "too_costly",
  path,
  message: `The references expand to more than ${SCHEMA_EXPANSION_MAX} schemas for one value: use fewer references.`
});

const isProblem = (found: string | SchemaProblem): found is SchemaProblem => typeof found !== "string";

/** The path that a reference resolves to. */
const resolve = (index: SchemaIndex, place: IndexedSchema, keyword: string): string | SchemaProblem => {
  const at = pointerBelow(place.path, keyword);
  const uri = URL.parse(String(place.schema[keyword]), place.base);
  if (uri === null) return remote(at);
  const fragment = decodedFragment(uri);
  uri.hash = "";
  const resource = index.resources.get(uri.href);
  if (resource === undefined) return remote(at);
  if (fragment === null) return unresolved(at);
  if (keyword === "$recursiveRef" && index.recursiveAnchors.count > 1) return ambiguous(at);
  if (fragment === "" || fragment.startsWith("/")) return `${resource}${fragment}`;
  if (keyword === "$dynamicRef" && (index.dynamicAnchors.get(fragment) ?? 0) > 1) return ambiguous(at);
  return index.anchors.get(`${uri.href}#${fragment}`) ?? unresolved(at);
};

interface Links {
  readonly byPlace: ReadonlyMap<string, ReadonlyArray<Link>>;
  readonly outlying: ReadonlyArray<IndexedSchema>;
}

/** Resolves all references; values that only references make schemas are added to the index. */
const findLinks = (root: JsonObject, index: SchemaIndex): Links | SchemaProblem => {
  const byPlace = new Map<string, ReadonlyArray<Link>>();
  const outlying: Array<IndexedSchema> = [];
  let count = 0;
  for (const place of index.places.values()) {
    const { schema, path } = place;
    if (index.dialect === "2020-12" && Object.hasOwn(schema, "$recursiveRef"))
      return unknownKeyword(pointerBelow(path, "$recursiveRef"));
    const links: Array<Link> = [];
    for (const keyword of REFERENCES[index.dialect]) {
      if (typeof schema[keyword] !== "string") continue;
      const found = resolve(index, place, keyword);
      if (isProblem(found)) return found;
      const target = valueAt(root, found);
      if (!isSchemaValue(target)) return unresolved(pointerBelow(path, keyword));
      if (isJsonObject(target) && !index.places.has(found)) {
        const added = { schema: target, path: found, base: baseAt(index, found) };
        addPlace(index, added);
        outlying.push(added);
      }
      links.push({ path: pointerBelow(path, keyword), target: found });
      count += 1;
      if (count > SCHEMA_REFERENCES_MAX) return tooManyReferences(pointerBelow(path, keyword));
    }
    byPlace.set(path, links);
  }
  return { byPlace, outlying };
};

/** The error of references that loop or multiply without descending into the value. */
const expansionProblem = ({ places, dialect }: SchemaIndex, { byPlace }: Links): SchemaProblem | null => {
  /** Number of schemas applied to a value at a path; null while counting. */
  const counts = new Map<string, number | null>();
  let problem: SchemaProblem | null = null;
  const countAt = (target: string, via: string): number => {
    const known = counts.get(target);
    if (known === null) problem ??= loop(via);
    const place = places.get(target);
    return known ?? (known === null || place === undefined ? 1 : count(place));
  };
  const count = (place: IndexedSchema): number => {
    counts.set(place.path, null);
    const inPlace = subschemas(place, dialect).filter((subschema) => subschema.isInPlace);
    const links = byPlace.get(place.path) ?? [];
    let sum = 1;
    for (const { path } of inPlace) sum += countAt(path, path);
    for (const { path, target } of links) sum += countAt(target, path);
    if (sum > SCHEMA_EXPANSION_MAX) problem ??= multiplies(links[0]?.path ?? place.path);
    counts.set(place.path, sum);
    return sum;
  };
  for (const place of places.values()) {
    if (problem === null && !counts.has(place.path)) count(place);
  }
  return problem;
};

/** Older dialects write the items of a tuple as a list, and those after it as `additionalItems`. */
const withPrefixItems = (schema: JsonObject): JsonObject => {
  const { items, additionalItems, ...others } = schema;
  if (Array.isArray(items)) {
    return {
      ...others,
      prefixItems: items,
      ...(additionalItems === undefined ? {} : { items: additionalItems })
    };
  }
  return additionalItems === undefined ? schema : { ...others, ...(items === undefined ? {} : { items }) };
};

/** Writes the root and, once each, everything it references. */
const write = (root: JsonObject, { dialect, places }: SchemaIndex, { byPlace }: Links): JsonObject => {
  const targets = new Set([...byPlace.values()].flat().map(({ target }) => target));
  const names = new Map<string, number>();
  const referTo = (target: string): JsonObject => {
    const name = names.get(target) ?? names.size;
    names.set(target, name);
    return { $ref: `#/$defs/${name}` };
  };
  const resolved = (schema: unknown, path: string): Schema.Json => {
    if (!isJsonObject(schema)) return schema as Schema.Json;
    return targets.has(path) ? referTo(path) : body(schema, path);
  };
  const body = (schema: JsonObject, path: string): JsonObject => {
    const [reference = {}, ...more] = (byPlace.get(path) ?? []).map(({ target }) => referTo(target));
    if (isReferenceAlone(schema, dialect)) return reference;
    const written: Record<string, Schema.Json> = { ...reference };
    for (const [keyword, value] of Object.entries(schema)) {
      const applicator = APPLICATORS[dialect].get(keyword);
      if (applicator !== undefined)
        written[keyword] = withSubschemas(value, applicator, (subschema, ...steps) =>
          resolved(subschema, pointerBelow(path, keyword, ...steps))
        );
      else if (ASSERTIONS[dialect].has(keyword) || ANNOTATIONS.has(keyword)) written[keyword] = value;
    }
    if (more.length > 0) written["allOf"] = [...((written["allOf"] ?? []) as Array<Schema.Json>), ...more];
    return withPrefixItems(written);
  };
  const schema = resolved(root, "") as JsonObject;
  const definitions: Record<string, Schema.Json> = {};
  for (const [target, name] of names) {
    const place = places.get(target);
    definitions[name] = place === undefined ? (valueAt(root, target) as boolean) : body(place.schema, target);
  }
  return names.size === 0 ? schema : { ...schema, $defs: definitions };
};

/**
 * The first error, or the rewritten schema. Its shape must have been checked against the metaschema, and its limits
 * by `boundsProblem`.
 */
export const linkSchema = (root: JsonObject, dialect: SchemaDialect): LinkedSchema | SchemaProblem => {
  const index = indexSchema(root, dialect);
  const links = findLinks(root, index);
  if ("reason" in links) return links;
  const problem = indexProblem(index) ?? expansionProblem(index, links);
  if (problem !== null) return problem;
  return { schema: write(root, index, links), index, links: links.byPlace, outlying: links.outlying };
};

/**
 * The rewritten schema, for uses that do not depend on its validity: one whose references cannot be resolved keeps
 * them.
 */
export const plainSchema = (root: JsonObject): JsonObject => {
  if (boundsProblem(root) !== null) return root;
  const readings = readingsOf(root);
  const schema = readings.at(-1)?.schema ?? root;
  const linked = linkSchema(schema, readings[0]?.dialect ?? "2020-12");
  return "reason" in linked ? schema : linked.schema;
};
