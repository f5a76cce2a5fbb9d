/** The text of a completion, in any of the formats servers use; whether it was cut or a refusal. Tests: reading.test.ts. */
import { isExactNumber, parseJsonNumbers } from "@winnow/core/domain/text/JsonNumbers";
import { listIn, objectIn, textIn } from "../../model-server/AnyJson.ts";
import { FaultInside } from "../../model-server/ServerFault.ts";
import { propertyOf } from "@winnow/core/domain/text/Json";
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";
import { isObject, type Json } from "../schema/Shape.ts";

export interface CompletionText {
  readonly text: string;
  readonly isCut: boolean;
  /** The model wrote thoughts and nothing else. */
  readonly isThoughtAlone: boolean;
  readonly refusal: "refused" | "filtered" | null;
  /** 0 if the server reports none. */
  readonly inputTokens: number;
  /** Those of the input that the server had kept; some servers do not count them among the input. */
  readonly cachedTokens: number;
  readonly outputTokens: number;
}

/** A stream that ended without saying so, or with a piece that is no JSON. */
export class StreamBroken extends Error {}

const textOr = (value: Json | undefined): string => textIn(value) ?? "";

/** A string or a list of parts, of which only text counts; reasoning comes as separate parts. */
const textOf = (content: Json | undefined): string =>
  typeof content === "string"
    ? content
    : listIn(content)
        .map(objectIn)
        .filter(({ type }) => type === undefined || type === "text" || type === "output_text")
        .map((part) => textOr(propertyOf(part, "text")))
        .join("");

const argumentsOf = (message: JsonObject): string =>
  listIn(propertyOf(message, "tool_calls"))
    .map((one) => propertyOf(objectIn(propertyOf(objectIn(one), "function")), "arguments"))
    .map((given) => (isObject(given ?? null) ? JSON.stringify(given) : textOr(given)))
    .join("");

/** What `JSON.stringify` writes as it is. */
const { rawJSON: rawJson } = JSON as unknown as { readonly rawJSON: (text: string) => unknown };

/** Arguments of tools may be an object, whose numbers are the model's. */
const parsed = (text: string): Json => {
  try {
    return parseJsonNumbers(text, (written) =>
      isExactNumber(written) ? Number(written) : rawJson(written)
    ) as Json;
  } catch {
    return null;
  }
};

/** Joins the pieces of a stream to one completion. */
const joined = (pieces: ReadonlyArray<JsonObject>): JsonObject => {
  const choices = pieces.map((piece) => objectIn(listIn(propertyOf(piece, "choices"))[0]));
  const deltas = choices.map((choice) => objectIn(propertyOf(choice, "delta")));
  const textIn = (name: string): string => deltas.map((delta) => textOf(propertyOf(delta, name))).join("");
  const finish = choices
    .map((choice) => propertyOf(choice, "finish_reason"))
    .findLast((each) => each != null);
  const fault = pieces.map((piece) => propertyOf(piece, "error")).find((each) => each != null);
  const usage = pieces.map((piece) => propertyOf(piece, "usage")).findLast((each) => each != null);
  const calls = deltas.flatMap((delta) => listIn(propertyOf(delta, "tool_calls")));
  const message = {
    content: textIn("content"),
    refusal: textIn("refusal"),
    reasoning_content: textIn("reasoning_content") || textIn("reasoning"),
    tool_calls: calls
  };
  return {
    choices: [{ message, finish_reason: finish ?? null }],
    ...(usage == null ? {} : { usage }),
    ...(fault == null ? {} : { error: fault })
  };
};

/** What a line of a stream has after its field; null if it is another field, or empty. */
const fieldOf = (line: string, field: string): string | null =>
  line.startsWith(`${field}:`) ? line.slice(field.length + 1).trim() || null : null;

const pieceOf = (text: string): JsonObject => {
  const piece = parsed(text);
  if (piece === null) throw new StreamBroken();
  return objectIn(piece);
};

/** Servers also leave out the empty line between events. */
const piecesOf = (lines: ReadonlyArray<string>): ReadonlyArray<JsonObject> => {
  const whole = parsed(lines.join("\n"));
  return whole === null ? lines.map(pieceOf) : [objectIn(whole)];
};

const isStreamEnd = (data: string): boolean => data.startsWith("[DONE]");

/**
 * The pieces of a stream, in lines as HTML defines them ("Interpreting an event stream"): JSON may hold any other line
 * separator. llama.cpp names errors as a field of their own.
 */
const streamOf = (text: string): { readonly pieces: ReadonlyArray<JsonObject>; readonly ends: boolean } => {
  const pieces: Array<JsonObject> = [];
  let ends = false;
  for (const event of text.replaceAll(/\r\n?/gu, "\n").split("\n\n")) {
    const lines = event.split("\n");
    const data = lines.flatMap((line) => fieldOf(line, "data") ?? []);
    ends ||= data.some(isStreamEnd);
    pieces.push(...piecesOf(data.filter((each) => !isStreamEnd(each))));
    for (const fault of lines.flatMap((line) => fieldOf(line, "error") ?? []).map(pieceOf))
      pieces.push(Object.hasOwn(fault, "error") ? fault : { error: fault });
  }
  return { pieces, ends };
};

const isEnded = (completion: JsonObject): boolean =>
  Object.hasOwn(completion, "error") ||
  propertyOf(objectIn(listIn(propertyOf(completion, "choices"))[0]), "finish_reason") !== null;

/** Servers label JSON as text, stream without being asked, and do not although asked. Null if it is no completion. */
const framed = (answer: unknown): JsonObject | null => {
  if (typeof answer !== "string") return isObject(answer as Json) ? (answer as JsonObject) : null;
  const whole = parsed(answer.replace(/^\ufeff/u, ""));
  if (isObject(whole)) return whole;
  const { pieces, ends } = streamOf(answer);
  if (pieces.length === 0) return null;
  const completion = joined(pieces);
  if (!isEnded(completion) && !ends) throw new StreamBroken();
  return completion;
};

const faultIn = (frame: JsonObject): Json =>
  propertyOf(frame, "error") ??
  propertyOf(objectIn(listIn(propertyOf(frame, "choices"))[0]), "error") ??
  null;

const FILTERED = new Set([
  "content_filter",
  "safety",
  "prohibited_content",
  "blocklist",
  "recitation",
  "spii"
]);

/** Of OpenAI, Anthropic and Mistral. */
const CUT = new Set(["length", "max_tokens", "model_length"]);

/** Thoughts as servers separate them, or as a number of tokens only, or within the text. */
const thoughtIn = (message: JsonObject, usage: JsonObject, content: string): boolean => {
  const details = objectIn(propertyOf(usage, "completion_tokens_details"));
  const isSeparate =
    textOr(propertyOf(message, "reasoning_content") ?? propertyOf(message, "reasoning")).trim() !== "" ||
    Number(propertyOf(details, "reasoning_tokens")) > 0;
  return content.trim() === "" ? isSeparate : /^\s*<think(?:ing)?>(?!.*<\/think)/su.test(content);
};

/** @throws FaultInside, StreamBroken; null if it is not a completion */
export const completionText = (answer: unknown): CompletionText | null => {
  const frame = framed(answer);
  if (frame === null) return null;
  const fault = faultIn(frame);
  if (fault !== null) throw new FaultInside(fault);
  const [first] = listIn(propertyOf(frame, "choices"));
  if (first === undefined) return null;
  const choice = objectIn(first);
  const message = objectIn(propertyOf(choice, "message"));
  const finish = textOr(propertyOf(choice, "finish_reason")).toLowerCase();
  if (finish === "error") throw new FaultInside(null);
  const refused = textOr(propertyOf(message, "refusal")) !== "" || finish === "refusal";
  const content = textOf(propertyOf(message, "content"));
  const usage = objectIn(propertyOf(frame, "usage"));
  const count = (from: JsonObject, name: string): number => Number(propertyOf(from, name)) || 0;
  const text = content.trim() === "" ? argumentsOf(message) : content;
  return {
    text,
    isThoughtAlone: thoughtIn(message, usage, text),
    isCut: CUT.has(finish),
    refusal: FILTERED.has(finish) ? "filtered" : refused ? "refused" : null,
    inputTokens: count(usage, "prompt_tokens"),
    cachedTokens: count(objectIn(propertyOf(usage, "prompt_tokens_details")), "cached_tokens"),
    outputTokens: count(usage, "completion_tokens")
  };
};
