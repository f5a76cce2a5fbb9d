/** Reads the JSON of servers, whatever its shape: what is not as expected is empty. Tests: ServerFault.test.ts, reading.test.ts. */
import { isJsonObject } from "@winnow/core/domain/text/Json";
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";
import type * as Schema from "effect/Schema";

type Json = Schema.Json | undefined;

export const objectIn = (value: Json): JsonObject => (isJsonObject(value) ? value : {});
export const listIn = (value: Json): ReadonlyArray<Schema.Json> => (Array.isArray(value) ? value : []);
export const textIn = (value: Json): string | null => (typeof value === "string" ? value : null);

/** The text itself if it is no JSON. */
export const jsonIn = (text: string): Schema.Json => {
  try {
    return JSON.parse(text) as Schema.Json;
  } catch {
    return text;
  }
};
