/**
 * Indexes the subschemas of a schema, with the base URI of each, and checks the limits of each.
 *
 * Only keywords are followed: a property may be named "$ref", and an example may contain one. Tests: SchemaLinks.test.ts.
 */
import { pointerBelow, isJsonObject } from "@winnow/core/domain/text/Json";
import { APPLICATORS, DEFINITIONS, type SchemaDialect } from "@winnow/core/domain/json-schema/SchemaKeywords";
import {
  SCHEMA_BRANCHES_MAX,
  SCHEMA_ENUM_VALUES_MAX,
  SCHEMA_PATTERN_CHARS_MAX,
  SCHEMA_PATTERNS_MAX,
  type SchemaProblem
} from "@winnow/core/domain/json-schema/SchemaLimits";
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";

/** A subschema, or the root schema itself. */
export interface IndexedSchema {
  readonly schema: JsonObject;
  /** RFC 6901 pointer to it from the root. */
  readonly path: string;
  /** Absolute URI without fragment, the base of its references. */
  readonly base: string;
}

/** A subschema under a keyword. Booleans are schemas too. */
export interface Subschema {
  readonly keyword: string;
  /** Its key or index, if the keyword has several. */
  readonly step: string | null;
  readonly isInPlace: boolean;
  readonly schema: JsonObject | boolean;
  readonly path: string;
}

interface SchemaPattern {
  readonly pattern: string;
  readonly path: string;
}

export const isSchemaValue = (value: unknown): value is JsonObject | boolean =>
  typeof value === "boolean" || isJsonObject(value);

/** In draft-07, siblings of a reference are ignored. */
export const isReferenceAlone = (schema: JsonObject, dialect: SchemaDialect): boolean =>
  dialect === "draft-07" && typeof schema["$ref"] === "string";

/** The direct subschemas of a schema, without definitions. */
export const subschemas = (
  { schema, path }: Pick<IndexedSchema, "schema" | "path">,
  dialect: SchemaDialect
): ReadonlyArray<Subschema> => {
  if (isReferenceAlone(schema, dialect)) return [];
  return Object.entries(schema).flatMap(([keyword, value]): ReadonlyArray<Subschema> => {
    const applicator = APPLICATORS[dialect].get(keyword);
    if (applicator === undefined) return [];
    const { isInPlace } = applicator;
    if (applicator.shape === "schema" && isSchemaValue(value)) {
      return [{ keyword, step: null, isInPlace, schema: value, path: pointerBelow(path, keyword) }];
    }
    if (typeof value !== "object" || value === null) return [];
    return Object.entries(value).flatMap(([step, member]) =>
      isSchemaValue(member)
        ? [{ keyword, step, isInPlace, schema: member, path: pointerBelow(path, keyword, step) }]
        : []
    );
  });
};

/** The patterns of one schema: in `pattern` and as keys of `patternProperties`. */
const patternsOf = ({ schema, path }: IndexedSchema): ReadonlyArray<SchemaPattern> => {
  const { pattern, patternProperties } = schema;
  const own = typeof pattern === "string" ? [{ pattern, path: pointerBelow(path, "pattern") }] : [];
  const keys = isJsonObject(patternProperties) ? Object.keys(patternProperties) : [];
  return [
    ...own,
    ...keys.map((key) => ({ pattern: key, path: pointerBelow(path, "patternProperties", key) }))
  ];
};

const countOf = (value: unknown): number =>
  typeof value === "object" && value !== null ? Object.keys(value).length : 0;

/** The first limit that a single schema exceeds. */
const placeProblem = ({ schema, path }: IndexedSchema, dialect: SchemaDialect): SchemaProblem | null => {
  if (countOf(schema["enum"]) > SCHEMA_ENUM_VALUES_MAX) {
    return {
      reason: "too_many_nodes",
      path: pointerBelow(path, "enum"),
      message: `An "enum" may have at most ${SCHEMA_ENUM_VALUES_MAX} values: describe them, or use a pattern.`
    };
  }
  const crowded = [...APPLICATORS[dialect].keys()].find(
    (keyword) => Object.hasOwn(schema, keyword) && countOf(schema[keyword]) > SCHEMA_BRANCHES_MAX
  );
  if (crowded === undefined) return null;
  return {
    reason: "too_many_nodes",
    path: pointerBelow(path, crowded),
    message: `"${crowded}" may have at most ${SCHEMA_BRANCHES_MAX} members: group them, or leave some out.`
  };
};

const patternsProblem = (patterns: ReadonlyArray<SchemaPattern>): SchemaProblem | null => {
  const long = patterns.find(({ pattern }) => pattern.length > SCHEMA_PATTERN_CHARS_MAX);
  if (long !== undefined) {
    return {
      reason: "unsupported_pattern",
      path: long.path,
      message: `A pattern may have at most ${SCHEMA_PATTERN_CHARS_MAX} characters: shorten it.`
    };
  }
  const tooMany = patterns[SCHEMA_PATTERNS_MAX];
  if (tooMany === undefined) return null;
  return {
    reason: "too_many_patterns",
    path: tooMany.path,
    message: `The schema has more than ${SCHEMA_PATTERNS_MAX} patterns: leave some out, or use "enum" and "format".`
  };
};

/** The subschemas of a schema, and the names that references may use. */
export interface SchemaIndex {
  readonly dialect: SchemaDialect;
  /** By path in order of insertion; entries added during iteration are visited too. */
  readonly places: Map<string, IndexedSchema>;
  /** Paths by absolute URI. */
  readonly resources: Map<string, string>;
  /** Paths by absolute URI, `#` and name. */
  readonly anchors: Map<string, string>;
  /** Number of schemas per `$dynamicAnchor`; with several, the evaluation path decides between them. */
  readonly dynamicAnchors: Map<string, number>;
  /** Number of schemas with `$recursiveAnchor`, likewise. */
  readonly recursiveAnchors: { count: number };
  readonly patterns: Array<SchemaPattern>;
  readonly problems: Array<SchemaProblem>;
}

/** Base URI of schemas without one; nothing is ever fetched from it. */
const NO_BASE = "winnow:/";

/** Null for invalid percent-encoding. */
export const decodedFragment = ({ hash }: URL): string | null => {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return null;
  }
};

const addName = (index: SchemaIndex, names: Map<string, string>, name: string, path: string, at: string) => {
  const existing = names.get(name);
  if (existing === undefined) names.set(name, path);
  else if (existing !== path) {
    const message = "Two schemas have this name: give them different names, or none.";
    index.problems.push({ reason: "not_a_schema", path: at, message });
  }
};

/** Registers `$id`, which in draft-07 may be an anchor too; returns the base URI from here on. */
const addId = (index: SchemaIndex, { schema, path, base }: IndexedSchema): string => {
  const { $id } = schema;
  if (typeof $id !== "string" || isReferenceAlone(schema, index.dialect)) return base;
  const uri = URL.parse($id, base);
  if (uri === null) return base;
  const name = decodedFragment(uri);
  uri.hash = "";
  const at = pointerBelow(path, "$id");
  if (uri.href !== base) addName(index, index.resources, uri.href, path, at);
  if (name !== null && name !== "") addName(index, index.anchors, `${uri.href}#${name}`, path, at);
  return uri.href;
};

const addAnchors = (index: SchemaIndex, { schema, path, base }: IndexedSchema): void => {
  if (index.dialect === "draft-07") return;
  if (index.dialect === "2019-09" && schema["$recursiveAnchor"] === true) index.recursiveAnchors.count += 1;
  for (const keyword of ["$anchor", "$dynamicAnchor"]) {
    const name = schema[keyword];
    if (typeof name !== "string") continue;
    addName(index, index.anchors, `${base}#${name}`, path, pointerBelow(path, keyword));
    if (keyword !== "$dynamicAnchor") continue;
    index.dynamicAnchors.set(name, (index.dynamicAnchors.get(name) ?? 0) + 1);
  }
};

/** Adds a schema and all its subschemas, including definitions. Depth is bounded by SCHEMA_DEPTH_MAX. */
export const addPlace = (index: SchemaIndex, { schema, path, base: outerBase }: IndexedSchema): void => {
  if (index.places.has(path)) return;
  const base = addId(index, { schema, path, base: outerBase });
  const place = { schema, path, base };
  index.places.set(path, place);
  addAnchors(index, place);
  index.patterns.push(...patternsOf(place));
  const problem = placeProblem(place, index.dialect);
  if (problem !== null) index.problems.push(problem);
  for (const subschema of subschemas(place, index.dialect)) {
    if (isJsonObject(subschema.schema))
      addPlace(index, { schema: subschema.schema, path: subschema.path, base });
  }
  for (const keyword of DEFINITIONS) {
    const definitions = schema[keyword];
    if (!isJsonObject(definitions)) continue;
    for (const [name, definition] of Object.entries(definitions)) {
      const at = pointerBelow(path, keyword, name);
      if (isJsonObject(definition)) addPlace(index, { schema: definition, path: at, base });
    }
  }
};

/** The base URI at a path that is not indexed yet. */
export const baseAt = ({ places }: SchemaIndex, path: string): string => {
  let at = path;
  while (at !== "" && !places.has(at)) at = at.slice(0, at.lastIndexOf("/"));
  return places.get(at)?.base ?? NO_BASE;
};

export const indexSchema = (root: JsonObject, dialect: SchemaDialect): SchemaIndex => {
  const index: SchemaIndex = {
    dialect,
    places: new Map(),
    resources: new Map([[NO_BASE, ""]]),
    anchors: new Map(),
    dynamicAnchors: new Map(),
    recursiveAnchors: { count: 0 },
    patterns: [],
    problems: []
  };
  addPlace(index, { schema: root, path: "", base: NO_BASE });
  return index;
};

/** The first exceeded limit. */
export const indexProblem = ({ problems, patterns }: SchemaIndex): SchemaProblem | null =>
  problems[0] ?? patternsProblem(patterns);
