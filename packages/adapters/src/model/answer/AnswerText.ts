/**
 * Finds the JSON object in a model's output: bare, in a code fence, within prose, encoded twice, or with small errors.
 * Reasoning is never used as the answer. Pure. Tests: reading.test.ts.
 */
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";
import { isObject } from "../schema/Shape.ts";
import { objectsWithin, parsedJson } from "./JsonInText.ts";
import { withoutThoughts } from "./Thoughts.ts";

/** A line ends at a line feed or carriage return: JSON may hold every other separator. */
const FENCE_LINE = /(?<![^\n\r])\s*```[\w-]*\s*(?![^\n\r])/gu;

/** Members that models wrap their answer in. */
const WRAPPERS = new Set(["answer", "result", "response", "output", "json", "object", "final", "arguments"]);

/** A single member that contains the answer, or its JSON text. */
const unwrapped = (object: JsonObject): JsonObject => {
  const [[name, inner] = ["", null], ...others] = Object.entries(object);
  if (others.length > 0 || !WRAPPERS.has(name.toLowerCase())) return object;
  const value = typeof inner === "string" ? parsedJson(inner) : inner;
  return isObject(value ?? null) ? (value as JsonObject) : object;
};

export interface Wanted {
  /** Whether an object is the answer. The last match is used, or the last object if none matches. */
  readonly isAnswer: (object: JsonObject) => boolean;
  /** Whether the text was cut off; it is not completed then. */
  readonly isCut: boolean;
}

const objectsIn = (text: string, isCut: boolean): ReadonlyArray<JsonObject> => {
  const whole = parsedJson(text);
  if (isObject(whole ?? null)) return [whole as JsonObject];
  if (typeof whole === "string") return objectsIn(whole.trim(), isCut);
  return objectsWithin(text.replaceAll(FENCE_LINE, ""), isCut);
};

/** Null if there is none. */
export const objectIn = (answer: string, { isAnswer, isCut }: Wanted): JsonObject | null => {
  const text = answer
    .replace(/^\ufeff/u, "")
    .replaceAll(FENCE_LINE, "")
    .trim();
  const whole = parsedJson(text);
  const objects = objectsIn(whole === undefined ? withoutThoughts(text).trim() : text, isCut).map(unwrapped);
  const hasMembers = (object: JsonObject): boolean => Object.keys(object).length > 0;
  return objects.findLast(isAnswer) ?? objects.findLast(hasMembers) ?? objects.at(-1) ?? null;
};
