/**
 * Building blocks of the predefined schemas. Their ids never change what they mean (docs/contract.md): once one is released,
 * a change of its fields or prompt is another entry with the next version. Tests: SchemaRules.test.ts.
 */
import type * as Schema from "effect/Schema";
import type { SavedSchema } from "../SavedSchema.ts";
import type { JsonObject } from "../SchemaRules.ts";

/** Prefix of their ids; ids of saved schemas never begin with it. */
const NAMESPACE = "winnow.predefined";

const PUBLISHED_AT_MS = Date.UTC(2026, 10, 1);

export const text = (description: string): JsonObject => ({ type: "string", description });
export const maybe = (type: string, description: string): JsonObject => ({
  type: [type, "null"],
  description
});
export const list = (items: JsonObject, description: string): JsonObject => ({
  type: "array",
  items,
  description
});

/** All members are required, as strict modes of providers demand, and no others are allowed. */
export const object = (properties: Readonly<Record<string, JsonObject>>): JsonObject => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false
});

/** `example` conforms to the schema and becomes its `examples`. */
export const predefined = (
  name: string,
  version: number,
  prompt: string,
  properties: Readonly<Record<string, JsonObject>>,
  example: Schema.Json
): SavedSchema => ({
  id: `${NAMESPACE}.${name}.v${version}`,
  name,
  schema: { ...object(properties), examples: [example] },
  prompt,
  version,
  createdAtMs: PUBLISHED_AT_MS
});
