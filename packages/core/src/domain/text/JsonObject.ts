/** Objects among JSON values. Loads nothing: the worker processes that read schemas would wait for it. */
import type * as Schema from "effect/Schema";

export const isJsonObject = (value: unknown): value is { readonly [name: string]: Schema.Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);
