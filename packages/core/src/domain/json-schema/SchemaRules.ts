/** The first checks of a JSON Schema and its prompt, inline or saved. */
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import { refuse } from "../request/BodyFields.ts";
import { isJsonObject, pointedAt } from "../text/Json.ts";
import { KEYWORDS } from "./SchemaKeywords.ts";
import type { InvalidRequest } from "../request/Refusal.ts";

/** Longest schema, in bytes of its JSON as UTF-8. */
export const SCHEMA_BYTES_MAX = 100 * 1_024;

/** Longest prompt, in bytes of UTF-8. */
export const PROMPT_BYTES_MAX = 20 * 1_024;

export const JsonObject = Schema.Record(Schema.String, Schema.Json);
export type JsonObject = typeof JsonObject.Type;

const utf8Bytes = (text: string): number => new TextEncoder().encode(text).length;

const tooLarge = (param: string, maxBytes: number): Result.Result<never, InvalidRequest> =>
  refuse(param, `\`${param}\` is longer than ${maxBytes} bytes.`, { reason: "too_large", maxBytes });

/** Keywords that apply to objects only. */
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

/** Whether a schema allows objects, forbids them, or does not restrict them. */
type ObjectRule = "allows" | "forbids" | "silent";

const all = (rules: ReadonlyArray<ObjectRule>): ObjectRule => {
  if (rules.includes("forbids")) return "forbids";
  return rules.includes("allows") ? "allows" : "silent";
};

const some = (rules: ReadonlyArray<ObjectRule>): ObjectRule => {
  if (rules.includes("allows")) return "allows";
  return rules.includes("silent") ? "silent" : "forbids";
};

const ofType = (type: unknown): ObjectRule => {
  if (type === undefined) return "silent";
  return [type].flat().includes("object") ? "allows" : "forbids";
};

const ofValues = (values: unknown): ObjectRule => {
  if (!Array.isArray(values)) return "silent";
  return values.some(isJsonObject) ? "allows" : "forbids";
};

/**
 * Whether the root consists of custom names, such as `{"Recipe": {"type": "object"}}`: no keywords, so that any
 * object is valid, but the names tell a model what to extract.
 */
export const hasCustomNames = (root: JsonObject): boolean =>
  Object.entries(root).some(([name, value]) => !KEYWORDS.has(name) && isJsonObject(value));

/** Follows each reference once, so that cycles end; references that cannot be followed here are accepted. */
const makeObjectRule = (root: JsonObject) => {
  const known = new Map<string, ObjectRule>();
  const follow = (reference: string): ObjectRule => {
    const before = known.get(reference);
    if (before !== undefined) return before;
    known.set(reference, "silent");
    const target = pointedAt(root, reference);
    const rule = target === undefined ? "allows" : objectRuleOf(target);
    known.set(reference, rule);
    return rule;
  };
  const objectRuleOf = (schema: unknown): ObjectRule => {
    if (schema === false) return "forbids";
    if (!isJsonObject(schema)) return "silent";
    const { type, $ref, allOf, anyOf, oneOf } = schema;
    const stated = all([
      ofType(type),
      ofValues(schema["enum"]),
      ...(Object.hasOwn(schema, "const") ? [ofValues([schema["const"]])] : []),
      ...(typeof $ref === "string" ? [follow($ref)] : []),
      ...(Array.isArray(allOf) ? allOf.map(objectRuleOf) : []),
      ...[anyOf, oneOf].flatMap((choices) =>
        Array.isArray(choices) ? [some(choices.map(objectRuleOf))] : []
      )
    ]);
    const isAboutObjects = OBJECT_KEYWORDS.some((keyword) => Object.hasOwn(schema, keyword));
    return stated === "silent" && isAboutObjects ? "allows" : stated;
  };
  return objectRuleOf;
};

/**
 * The first checks of a schema, inline or saved: those that need no compiler. ports/SchemaChecker then decides
 * whether it is usable.
 *
 * @fails InvalidRequest {param: "schema", reason: "too_large" | "not_an_object"}
 */
export const checkSchema = (schema: JsonObject): Result.Result<void, InvalidRequest> => {
  if (utf8Bytes(JSON.stringify(schema)) > SCHEMA_BYTES_MAX) return tooLarge("schema", SCHEMA_BYTES_MAX);
  const rule = makeObjectRule(schema)(schema);
  return rule === "allows" || (rule === "silent" && hasCustomNames(schema))
    ? Result.succeed(undefined)
    : refuse("schema", '`schema` must allow an object: give its root `"type": "object"`.', {
        reason: "not_an_object"
      });
};

/** @fails InvalidRequest {param: "prompt", reason: "too_large"} */
export const checkPrompt = (prompt: string): Result.Result<void, InvalidRequest> =>
  utf8Bytes(prompt) > PROMPT_BYTES_MAX ? tooLarge("prompt", PROMPT_BYTES_MAX) : Result.succeed(undefined);
