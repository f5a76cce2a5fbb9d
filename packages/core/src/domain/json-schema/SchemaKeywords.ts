/** JSON Schema keywords by dialect: applicators, assertions and the rest. Tests: the adapters' SchemaLinks.test.ts. */
import type * as Schema from "effect/Schema";
import { isJsonObject } from "../text/Json.ts";

/** The supported dialects; SchemaDrafts maps published drafts to them. */
export type SchemaDialect = "2020-12" | "2019-09" | "draft-07";

/**
 * Annotation of the root of a proposed schema: the descriptions come from untrusted content and must be treated as
 * content wherever a model reads them.
 */
export const DESCRIBED_BY_CONTENT = "x-described-by-content";

/** A keyword that contains subschemas. */
export interface Applicator {
  readonly shape: "schema" | "list" | "map";
  /** Whether its subschemas apply to the same value rather than to members of it. */
  readonly isInPlace: boolean;
}

/** A keyword's value with each of its subschemas replaced; `steps` lead there from the value. */
export const withSubschemas = (
  value: Schema.Json,
  { shape }: Applicator,
  replaced: (subschema: Schema.Json, ...steps: ReadonlyArray<string | number>) => Schema.Json
): Schema.Json => {
  if (Array.isArray(value)) return value.map((item, step) => replaced(item, step));
  if (shape === "schema" || !isJsonObject(value)) return replaced(value);
  return Object.fromEntries(Object.entries(value).map(([step, item]) => [step, replaced(item, step)]));
};

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

const SINCE_2019_APPLICATORS = {
  ...SHARED_APPLICATORS,
  dependentSchemas: inPlace("map"),
  unevaluatedItems: inside("schema"),
  unevaluatedProperties: inside("schema")
};

/** By dialect: `additionalItems` applies only to `items` lists, which 2020-12 calls `prefixItems`. */
export const APPLICATORS: Readonly<Record<SchemaDialect, ReadonlyMap<string, Applicator>>> = {
  "2020-12": new Map(Object.entries({ ...SINCE_2019_APPLICATORS, prefixItems: inside("list") })),
  "2019-09": new Map(Object.entries({ ...SINCE_2019_APPLICATORS, additionalItems: inside("schema") })),
  "draft-07": new Map(Object.entries({ ...SHARED_APPLICATORS, additionalItems: inside("schema") }))
};

const SINCE_2019_ASSERTIONS = [...SHARED_ASSERTIONS, "maxContains", "minContains", "dependentRequired"];

/** Keywords that only compare the value. */
export const ASSERTIONS: Readonly<Record<SchemaDialect, ReadonlySet<string>>> = {
  "2020-12": new Set(SINCE_2019_ASSERTIONS),
  "2019-09": new Set(SINCE_2019_ASSERTIONS),
  "draft-07": new Set(SHARED_ASSERTIONS)
};

/** Keywords that only tell a model what a value is. */
export const ANNOTATIONS: ReadonlySet<string> = new Set([
  "title",
  "description",
  "examples",
  "contentEncoding",
  "contentMediaType"
]);

/** Where schemas are kept for references; older documents use the second name. */
export const DEFINITIONS: ReadonlyArray<string> = ["$defs", "definitions"];

/** Keywords of all dialects that contain subschemas, with those that keep them for references. */
export const CONTAINERS: ReadonlyMap<string, Applicator> = new Map([
  ...APPLICATORS["2019-09"],
  ...APPLICATORS["2020-12"],
  ...DEFINITIONS.map((keyword) => [keyword, inside("map")] as const)
]);

/** Keywords of all drafts that neither contain schemas nor compare values. */
const OTHERS =
  "$schema $id id $anchor $dynamicAnchor $recursiveAnchor $vocabulary $comment $ref $dynamicRef $recursiveRef " +
  "default example deprecated readOnly writeOnly contentSchema nullable";

/** Those of all drafts. */
export const KEYWORDS: ReadonlySet<string> = new Set([
  ...CONTAINERS.keys(),
  ...ASSERTIONS["2020-12"],
  ...ANNOTATIONS,
  ...OTHERS.split(" ")
]);
