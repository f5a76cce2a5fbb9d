/**
 * What a JSON Schema and its prompt must be before anything else is looked at, inline or saved (contract 4).
 */
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import { refuse } from "./BodyFields.ts";
import { valueAt } from "./JsonPointer.ts";
import type { InvalidRequest } from "./Refusal.ts";

/** Longest schema, in bytes of its JSON as UTF-8 (specification, "Limits": 100KB). */
export const SCHEMA_BYTES_MAX = 100 * 1_024;

/** Longest prompt, in bytes of UTF-8 (specification, "Limits": 20KB). */
export const PROMPT_BYTES_MAX = 20 * 1_024;

export const JsonObject = Schema.Record(Schema.String, Schema.Json);
export type JsonObject = typeof JsonObject.Type;

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const utf8Bytes = (text: string): number => new TextEncoder().encode(text).length;

const tooLarge = (param: string, maxBytes: number): Result.Result<never, InvalidRequest> =>
  refuse(param, `\`${param}\` is longer than ${maxBytes} bytes.`, { reason: "too_large", maxBytes });

/** Keywords that bear on objects only. */
const OBJECT_KEYWORDS = [
  "properties",
  "required",
  "additionalProperties",
  "patternProperties",
  "propertyNames",
  "unevaluatedProperties",
  "dependentRequired",
  "dependentSchemas",
  "minProperties",
  "maxProperties"
];

/** What a local reference points at (RFC 6901); undefined for anchors, other documents and nothing at all. */
export const pointedAt = (root: JsonObject, reference: string): unknown =>
  reference === "#" || reference.startsWith("#/") ? valueAt(root, reference.slice(1)) : undefined;

/** Follows each reference once, so that circles end; what cannot be followed here is taken as fit. */
const makeDescribesObject = (root: JsonObject) => {
  const known = new Map<string, boolean>();
  const follow = (reference: string): boolean => {
    const before = known.get(reference);
    if (before !== undefined) return before;
    known.set(reference, false);
    const target = pointedAt(root, reference);
    const fits = target === undefined || describesObject(target);
    known.set(reference, fits);
    return fits;
  };
  const describesObject = (schema: unknown): boolean => {
    if (!isJsonObject(schema)) return false;
    const { type, $ref, allOf, anyOf, oneOf } = schema;
    if (type !== undefined) return [type].flat().every((name) => name === "object");
    if (typeof $ref === "string") return follow($ref);
    if (OBJECT_KEYWORDS.some((keyword) => Object.hasOwn(schema, keyword))) return true;
    if (Array.isArray(allOf) && allOf.some(describesObject)) return true;
    const choices = anyOf ?? oneOf;
    return Array.isArray(choices) && choices.length > 0 && choices.every(describesObject);
  };
  return describesObject;
};

/**
 * The first rules over a schema, inline or saved: those that need no compiler. Whether it can be used at all
 * is asked of ports/SchemaChecker next.
 *
 * @fails InvalidRequest {param: "schema", reason: "too_large" | "not_an_object"}
 */
export const checkSchema = (schema: JsonObject): Result.Result<void, InvalidRequest> => {
  if (utf8Bytes(JSON.stringify(schema)) > SCHEMA_BYTES_MAX) return tooLarge("schema", SCHEMA_BYTES_MAX);
  return makeDescribesObject(schema)(schema)
    ? Result.succeed(undefined)
    : refuse("schema", '`schema` must describe an object: give its root `"type": "object"`.', {
        reason: "not_an_object"
      });
};

/** @fails InvalidRequest {param: "prompt", reason: "too_large"} */
export const checkPrompt = (prompt: string): Result.Result<void, InvalidRequest> =>
  utf8Bytes(prompt) > PROMPT_BYTES_MAX ? tooLarge("prompt", PROMPT_BYTES_MAX) : Result.succeed(undefined);
