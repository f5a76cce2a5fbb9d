/**
 * The JSON objects within a text, also as models write them without enforcement: comments, other quotes, unquoted
 * names, missing commas and ends. What was cut off is not completed, what the model left out is not taken for whole,
 * and no text is read that is not written. Pure. Tests: reading.test.ts.
 */
import { jsonrepair } from "jsonrepair";
import { brokenBound } from "@winnow/core/domain/json-schema/SchemaLimits";
import { leavesOf } from "@winnow/core/domain/text/Json";
import { parseJsonNumbers } from "@winnow/core/domain/text/JsonNumbers";
import { VALUE_BOUNDS } from "../../schema-check/CheckLimits.ts";
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";
import { isObject, type Json, numberWritten } from "../schema/Shape.ts";

const DEPTH = {
  ...VALUE_BOUNDS,
  nodesMax: Number.POSITIVE_INFINITY,
  charsMax: Number.POSITIVE_INFINITY
};

/** Undefined if it is not JSON, or nested too deep. */
export const parsedJson = (text: string): Json | undefined => {
  try {
    const value = parseJsonNumbers(text, numberWritten) as Json;
    return brokenBound(value, DEPTH) === null ? value : undefined;
  } catch {
    return undefined;
  }
};

/** An item or member that stands for those which the model did not write. */
const LEFT_OUT = /[[{,]\s*(?:\.{3}|…)/u;

/** `{"a": NaN}` and `[-Infinity]` are no JSON, and would become texts. */
const NOT_A_NUMBER = /(?<=[:,[]\s{0,9})(?:NaN|-?Infinity)(?=\s*[,\]}])/gu;

const ESCAPES: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

const unescaped = (text: string): string =>
  text.replaceAll(/\\(?:u([\da-fA-F]{4})|(["'`\\/bfnrt]))/gu, (_, code?: string, char = "") =>
    code === undefined ? (ESCAPES[char] ?? char) : String.fromCharCode(Number.parseInt(code, 16))
  );

const repairedJson = (text: string): Json | undefined => {
  if (LEFT_OUT.test(text)) return undefined;
  try {
    const value = parsedJson(jsonrepair(text.replaceAll(NOT_A_NUMBER, "null")));
    if (value === undefined) return undefined;
    // Guessing where quotes belong, the repair may change a text.
    const written = [text, unescaped(text)];
    const isWritten = (leaf: unknown): boolean =>
      typeof leaf !== "string" || written.some((each) => each.includes(leaf));
    return leavesOf(value).every((leaf) => isWritten(leaf.value)) ? value : undefined;
  } catch {
    return undefined;
  }
};

/** More of an object behind an end within it. */
const GOES_ON = /^\s*[,"']/u;

/**
 * The end of the object that starts here. One that lacks its last ends is over where nothing more of it follows; null
 * if it stops elsewhere.
 */
const endOf = (text: string, start: number): number | null => {
  let [depth, quoted, innerEnd] = [0, false, start];
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (char === "\\" && quoted) at++;
    else if (char === '"') quoted = !quoted;
    else if (!quoted && (char === "{" || char === "[")) depth++;
    else if (!quoted && (char === "}" || char === "]")) {
      innerEnd = at + 1;
      if (--depth === 0) return innerEnd;
    }
  }
  // A quote within a text hides all ends behind it.
  if (quoted) return text.trimEnd().endsWith("}") ? text.length : null;
  return innerEnd > start && !GOES_ON.test(text.slice(innerEnd)) ? innerEnd : null;
};

/** Maximum positions tried as the start of an object, since prose may contain braces. */
const STARTS_MAX = 50;

/** Gives the end of the whole object from a position on that a later one is in; 0 if there is none. */
export const makeEndAround = (text: string): ((from: number, at: number) => number) => {
  let tries = 0;
  return (from, at) => {
    let start = text.indexOf("{", from);
    while (start !== -1 && start < at && tries < STARTS_MAX) {
      tries += 1;
      const end = endOf(text, start);
      if (end !== null && end > at) return parsedJson(text.slice(start, end)) === undefined ? 0 : end;
      start = text.indexOf("{", end ?? start + 1);
    }
    return 0;
  };
};

/** Characters that are repaired: jsonrepair takes quadratic time, and minutes beyond 130,000. */
const REPAIRED_CHARS_MAX = 100_000;

/** The first name of an object, `{"a":`, `{'a':` or `{a:`: what is within it is a part, even if it cannot be read. */
const MEMBER = /\{\s*(?:"(?:[^"\\]|\\.){0,200}"|'[^'\n]{0,200}'|[^{}"':\n]{1,200})\s*:/uy;

const hasMember = (text: string, start: number): boolean => {
  MEMBER.lastIndex = start;
  return MEMBER.test(text);
};

/** All top-level objects, in order; only whole and valid ones of a text that was cut off. */
export const objectsWithin = (text: string, isCut: boolean): ReadonlyArray<JsonObject> => {
  const found: Array<JsonObject> = [];
  let repairableChars = isCut ? 0 : REPAIRED_CHARS_MAX;
  const repaired = (candidate: string): Json | undefined => {
    repairableChars -= candidate.length;
    return repairableChars < 0 ? undefined : repairedJson(candidate);
  };
  let start = text.indexOf("{");
  for (let tries = 0; start !== -1 && tries < STARTS_MAX; tries++) {
    const end = endOf(text, start);
    const written = end === null ? "" : text.slice(start, end);
    const value = parsedJson(written) ?? repaired(written);
    const objects = [value ?? []].flat().filter(isObject);
    found.push(...objects);
    const isPassed = objects.length > 0 || hasMember(text, start);
    start = text.indexOf("{", isPassed ? (end ?? text.length) : start + 1);
  }
  return found;
};
