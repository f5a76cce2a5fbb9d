/**
 * Bounds that contradict each other in one place of a schema: a mistake wherever it is, even where a value may be
 * left out or have another type.
 */
import type * as Schema from "effect/Schema";
import { isJsonObject, pointerBelow } from "../text/Json.ts";
import { boundsContradiction, typesOf, type Contradiction } from "./SchemaBounds.ts";
import { APPLICATORS } from "./SchemaKeywords.ts";

/** Keywords below which a contradiction can be meant. */
const MEANT_BELOW: ReadonlySet<string> = new Set(["not", "if"]);

/** Keywords of all drafts whose values hold schemas. */
const HOLDERS: ReadonlyMap<string, "schema" | "list" | "map"> = new Map(
  (["2019-09", "2020-12"] as const).flatMap((dialect) =>
    [...APPLICATORS[dialect]].map(([keyword, { shape }]) => [keyword, shape] as const)
  )
);

/** The schemas that a keyword holds, with their pointers. */
const heldBy = (
  keyword: string,
  value: Schema.Json,
  path: string
): ReadonlyArray<readonly [Schema.Json, string]> => {
  const shape = MEANT_BELOW.has(keyword) ? undefined : HOLDERS.get(keyword);
  if (shape === undefined || typeof value !== "object" || value === null) return [];
  return shape === "schema" && !Array.isArray(value)
    ? [[value, pointerBelow(path, keyword)]]
    : Object.entries(value).map(([step, held]) => [held, pointerBelow(path, keyword, step)]);
};

/** Bounds that contradict each other in one place; a place of other types only is left alone. */
export const boundsMistake = (schema: Schema.Json, path: string): Contradiction | null => {
  if (!isJsonObject(schema)) return null;
  const keywords = Object.keys(schema);
  if (keywords.some((keyword) => /^(?:max|exclusiveMax|min|exclusiveMin)/u.test(keyword))) {
    for (const type of typesOf([{ schema, path }])) {
      const found = boundsContradiction([{ schema, path }], type);
      if (found !== null) return found;
    }
  }
  for (const keyword of keywords) {
    for (const [held, at] of heldBy(keyword, schema[keyword] ?? null, path)) {
      const found = boundsMistake(held, at);
      if (found !== null) return found;
    }
  }
  return null;
};
