/**
 * The keywords of JSON Schema 2020-12 and draft-07: which hold schemas, which assert, which are neither.
 */

/** Dialects that are understood; `$schema` names one, 2020-12 is taken without it. */
export type SchemaDialect = "2020-12" | "draft-07";

/** A keyword that holds schemas. */
export interface Applicator {
  readonly shape: "schema" | "list" | "map";
  /** Whether its schemas are held against the same value, not against members of it. */
  readonly isInPlace: boolean;
}

const inPlace = (shape: Applicator["shape"]): Applicator => ({ shape, isInPlace: true });
const inside = (shape: Applicator["shape"]): Applicator => ({ shape, isInPlace: false });

const SHARED_APPLICATORS = {
  allOf: inPlace("list"),
  anyOf: inPlace("list"),
  oneOf: inPlace("list"),
  not: inPlace("schema"),
  if: inPlace("schema"),
  then: inPlace("schema"),
  else: inPlace("schema"),
  dependencies: inPlace("map"),
  properties: inside("map"),
  patternProperties: inside("map"),
  additionalProperties: inside("schema"),
  propertyNames: inside("schema"),
  items: inside("schema"),
  contains: inside("schema")
};

const SHARED_ASSERTIONS = [
  "type",
  "enum",
  "const",
  "multipleOf",
  "maximum",
  "exclusiveMaximum",
  "minimum",
  "exclusiveMinimum",
  "maxLength",
  "minLength",
  "pattern",
  "format",
  "maxItems",
  "minItems",
  "uniqueItems",
  "maxProperties",
  "minProperties",
  "required"
];

/** By dialect: `additionalItems` bears on lists of `items` only, which 2020-12 calls `prefixItems`. */
export const APPLICATORS: Readonly<Record<SchemaDialect, ReadonlyMap<string, Applicator>>> = {
  "2020-12": new Map(
    Object.entries({
      ...SHARED_APPLICATORS,
      dependentSchemas: inPlace("map"),
      prefixItems: inside("list"),
      unevaluatedItems: inside("schema"),
      unevaluatedProperties: inside("schema")
    })
  ),
  "draft-07": new Map(Object.entries({ ...SHARED_APPLICATORS, additionalItems: inside("schema") }))
};

/** Keywords with nothing but a value to hold against. */
export const ASSERTIONS: Readonly<Record<SchemaDialect, ReadonlySet<string>>> = {
  "2020-12": new Set([...SHARED_ASSERTIONS, "maxContains", "minContains", "dependentRequired"]),
  "draft-07": new Set(SHARED_ASSERTIONS)
};

/** Where schemas wait to be referred to; older documents keep them under the second name. */
export const DEFINITIONS: ReadonlyArray<string> = ["$defs", "definitions"];

const DIALECTS: ReadonlyMap<string, SchemaDialect> = new Map([
  ["https://json-schema.org/draft/2020-12/schema", "2020-12"],
  ["http://json-schema.org/draft-07/schema", "draft-07"]
]);

/** The dialect that `$schema` names; null for one that is not understood. */
export const dialectNamed = (name: unknown): SchemaDialect | null => {
  if (name === undefined) return "2020-12";
  return typeof name === "string" ? (DIALECTS.get(name.replace(/#$/u, "")) ?? null) : null;
};
