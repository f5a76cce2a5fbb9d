/**
 * Extracts the text of a completion from any of the formats servers use, and whether it was truncated or a refusal.
 */
import { isObject, type Json, type JsonObject, memberOf } from "../projection/Shape.ts";

export interface CompletionText {
  readonly text: string;
  readonly isCut: boolean;
  readonly refusal: "refused" | "filtered" | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** An error in a response with status 200. */
export class FaultInside extends Error {
  readonly fault: JsonObject;

  constructor(fault: JsonObject) {
    super("The response contains an error.");
    this.fault = fault;
  }
}

const objectOr = (value: Json | undefined): JsonObject =>
  isObject(value ?? null) ? (value as JsonObject) : {};
const listOr = (value: Json | undefined): ReadonlyArray<Json> => (Array.isArray(value) ? value : []);
const textOr = (value: Json | undefined): string => (typeof value === "string" ? value : "");

/** A string or a list of parts, of which only text counts; reasoning comes as separate parts. */
const textOf = (content: Json | undefined): string =>
  typeof content === "string"
    ? content
    : listOr(content)
        .map(objectOr)
        .filter(({ type }) => type === undefined || type === "text" || type === "output_text")
        .map((part) => textOr(memberOf(part, "text")))
        .join("");

const argumentsOf = (message: JsonObject): string =>
  listOr(memberOf(message, "tool_calls"))
    .map((one) => memberOf(objectOr(memberOf(objectOr(one), "function")), "arguments"))
    .map((given) => (isObject(given ?? null) ? JSON.stringify(given) : textOr(given)))
    .join("");

const parsed = (text: string): Json => {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
};

/** Joins an unrequested stream to one completion. */
const joined = (pieces: ReadonlyArray<JsonObject>): JsonObject => {
  const choices = pieces.map((piece) => objectOr(listOr(memberOf(piece, "choices"))[0]));
  const finish = choices.map((choice) => memberOf(choice, "finish_reason")).findLast((each) => each !== null);
  const content = choices.map((choice) => textOf(objectOr(memberOf(choice, "delta"))["content"])).join("");
  return { choices: [{ message: { content }, finish_reason: finish ?? null }] };
};

const SERVER_SENT = /^data:\s*(\{.*\})\s*$/gmu;

/** Servers label JSON as text and stream without being asked. Null if it is not a completion. */
const framed = (answer: unknown): JsonObject | null => {
  if (typeof answer !== "string") return isObject(answer as Json) ? (answer as JsonObject) : null;
  const whole = parsed(answer.replace(/^\ufeff/u, ""));
  if (isObject(whole)) return whole;
  const pieces = [...answer.matchAll(SERVER_SENT)].map(([, json = ""]) => objectOr(parsed(json)));
  return pieces.length === 0 ? null : joined(pieces);
};

const faultIn = (frame: JsonObject): JsonObject | null => {
  const choice = objectOr(listOr(memberOf(frame, "choices"))[0]);
  const fault = memberOf(frame, "error") ?? memberOf(choice, "error") ?? null;
  if (typeof fault === "string") return { message: fault };
  return isObject(fault) ? fault : null;
};

const FILTERED = new Set([
  "content_filter",
  "safety",
  "prohibited_content",
  "blocklist",
  "recitation",
  "spii"
]);

/** @throws FaultInside; null if it is not a completion */
export const completionText = (answer: unknown): CompletionText | null => {
  const frame = framed(answer);
  if (frame === null) return null;
  const fault = faultIn(frame);
  if (fault !== null) throw new FaultInside(fault);
  const [first] = listOr(memberOf(frame, "choices"));
  if (first === undefined) return null;
  const choice = objectOr(first);
  const message = objectOr(memberOf(choice, "message"));
  const finish = textOr(memberOf(choice, "finish_reason")).toLowerCase();
  const refused = textOr(memberOf(message, "refusal")) !== "" || finish === "refusal";
  const content = textOf(memberOf(message, "content"));
  const usage = objectOr(memberOf(frame, "usage"));
  const count = (name: string): number => Number(memberOf(usage, name)) || 0;
  return {
    text: content.trim() === "" ? argumentsOf(message) : content,
    isCut: finish === "length" || finish === "max_tokens",
    refusal: FILTERED.has(finish) ? "filtered" : refused ? "refused" : null,
    inputTokens: count("prompt_tokens"),
    outputTokens: count("completion_tokens")
  };
};
