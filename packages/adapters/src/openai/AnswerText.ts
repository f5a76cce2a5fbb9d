/** The JSON object in what a model wrote: bare, in a code fence, after its thoughts, between words. Pure. */
import { type Json, isObject, type JsonObject } from "./projection/Shape.ts";

/** Deeper answers are no answers: what walks them calls itself. */
const DEPTH_MAX = 150;

/** Places to try as the start of the object: prose before it may hold braces. */
const STARTS_MAX = 20;

const isShallow = (text: string): boolean => {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === "\\" && quoted) at++;
    else if (char === '"') quoted = !quoted;
    else if (!quoted && (char === "{" || char === "[") && ++depth > DEPTH_MAX) return false;
    else if (!quoted && (char === "}" || char === "]")) depth--;
  }
  return true;
};

const parsed = (text: string): JsonObject | null => {
  if (!isShallow(text)) return null;
  try {
    const value = JSON.parse(text) as Json;
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
};

/** The end of the object that begins at `start`, after its brace; null when it does not end. */
const endOf = (text: string, start: number): number | null => {
  let depth = 0;
  let quoted = false;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (char === "\\" && quoted) at++;
    else if (char === '"') quoted = !quoted;
    else if (!quoted && char === "{") depth++;
    else if (!quoted && char === "}" && --depth === 0) return at + 1;
  }
  return null;
};

const THOUGHTS = /^\s*<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/u;

/** Null when there is none. */
export const objectIn = (answer: string): JsonObject | null => {
  const text = answer.replace(THOUGHTS, "").trim();
  const whole = parsed(text);
  if (whole !== null) return whole;
  let start = text.indexOf("{");
  for (let tries = 0; start !== -1 && tries < STARTS_MAX; tries++) {
    const end = endOf(text, start);
    const found = end === null ? null : parsed(text.slice(start, end));
    if (found !== null) return found;
    start = text.indexOf("{", start + 1);
  }
  return null;
};
