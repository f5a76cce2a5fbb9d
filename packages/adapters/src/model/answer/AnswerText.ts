/**
 * Finds the JSON object in a model's output: bare, in a code fence, within prose, encoded twice, or with small errors.
 * Reasoning, in the marks that models and servers use, is never used as the answer. Pure.
 */
import { isObject, type JsonObject } from "../schema/Shape.ts";
import { objectsWithin, parsedJson } from "./JsonInText.ts";

const NAME = "(?:seed:)?(?:think(?:ing)?|thoughts?|reasoning|reflection|analysis|scratchpad)";

/** Group 1 matches the start of reasoning, and nothing at its end. */
const MARKS = new RegExp(
  [
    `<(?!/)()${NAME}(?:\\s[^<>]{0,200})?>`,
    `</${NAME}\\s*>`,
    "\\[()THINK\\]|\\[/THINK\\]",
    "◁()think▷|◁/think▷",
    "<\\|()(?:begin_of_thought|START_THINKING)\\|>|<\\|(?:end_of_thought|END_THINKING)\\|>"
  ].join("|"),
  "giu"
);

/** Harmony format: channels of one message, of which `final` is the answer. */
const FINAL = /<\|channel\|>\s*final\b[^<]{0,100}<\|message\|>/gu;
const CHANNEL = /<\|(?:channel|start|message)\|>/u;
const MESSAGE_END = /<\|(?:end|return|call|start|channel)\|>/u;

/** What remains of it if a server removed the marks. */
const BARE_FINAL = /^\s*analysis[\s\S]*?assistant\s?final(?=\s*[[{`])/u;

/** Null without channels; empty if the final channel never began. */
const finalChannel = (text: string): string | null => {
  if (!CHANNEL.test(text)) return null;
  const last = [...text.matchAll(FINAL)].at(-1);
  if (last === undefined) return "";
  const message = text.slice(last.index + last[0].length);
  const end = MESSAGE_END.exec(message);
  return end === null ? message : message.slice(0, end.index);
};

/**
 * The text outside of all reasoning. Everything before an unmatched end, and after an unmatched start, is
 * reasoning.
 */
const outside = (text: string): string => {
  let visible = "";
  let from = 0;
  let inThoughts = false;
  for (const mark of text.matchAll(MARKS)) {
    const isStart = mark.slice(1).some((group) => group !== undefined);
    if (!inThoughts) visible = isStart ? visible + text.slice(from, mark.index) : "";
    inThoughts = isStart;
    from = mark.index + mark[0].length;
  }
  return inThoughts ? visible : visible + text.slice(from);
};

export const withoutThoughts = (text: string): string =>
  finalChannel(text) ?? outside(text.replace(BARE_FINAL, ""));

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
  const text = answer.replace(/^\ufeff/u, "").trim();
  const whole = parsedJson(text);
  const objects = objectsIn(whole === undefined ? withoutThoughts(text).trim() : text, isCut).map(unwrapped);
  const hasMembers = (object: JsonObject): boolean => Object.keys(object).length > 0;
  return objects.findLast(isAnswer) ?? objects.findLast(hasMembers) ?? objects.at(-1) ?? null;
};
