/**
 * What a stand-in for a model sees of a request: the task, the schema, and the content between the fences.
 * Words of strangers that got out of their fence would be read as part of the task here, so that tests see it.
 */
import { type Json, isObject, type JsonObject } from "../projection/Shape.ts";

export interface SeenRequest {
  /** Everything outside the fences. */
  readonly task: string;
  /** Everything within, in its order, without the facts about the source. */
  readonly content: string;
  /** Of the answer; null when none was asked for. */
  readonly schema: JsonObject | null;
  /** `image_url` and `input_audio` among the parts. */
  readonly partTypes: ReadonlySet<string>;
  /** Messages so far; a repair turn has an answer of the model among them. */
  readonly isRepair: boolean;
}

const FENCED = /<<<content ([\w-]+): ([^\n]*)>>>\n([\s\S]*?)\n<<<end \1>>>/gu;

/** Fences that hold no content of the source. */
const BESIDE_CONTENT = new Set(["facts about the source", "faults of the answer"]);

/** Ours, before comments and cues; no words of the content. */
const MARKS = /^(?:\[\d+(?::\d\d)+\]|\[#\d+\] [^:\n]*:) ?/gmu;

const textsOf = (content: unknown): ReadonlyArray<string> => {
  if (typeof content === "string") return [content];
  if (!Array.isArray(content)) return [];
  return content.flatMap((part: { readonly text?: unknown }) =>
    typeof part?.text === "string" ? [part.text] : []
  );
};

const typesOf = (content: unknown): ReadonlyArray<string> =>
  Array.isArray(content) ? content.map((part: { readonly type?: unknown }) => String(part?.type)) : [];

const lastLineObject = (text: string): JsonObject | null => {
  const line = text.trimEnd().split("\n").at(-1) ?? "";
  try {
    const value = JSON.parse(line) as Json;
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
};

interface Message {
  readonly role?: unknown;
  readonly content?: unknown;
}

/** The body of a chat completion. */
export const seen = (body: JsonObject): SeenRequest => {
  const messages = (Array.isArray(body["messages"]) ? body["messages"] : []) as ReadonlyArray<Message>;
  const texts = messages
    .filter(({ role }) => role !== "assistant")
    .flatMap(({ content }) => textsOf(content));
  const system = messages.filter(({ role }) => role === "system").flatMap(({ content }) => textsOf(content));
  const fences = texts.flatMap((text) => [...text.matchAll(FENCED)]);
  const format = body["response_format"] as
    | { readonly json_schema?: { readonly schema?: JsonObject } }
    | undefined;
  return {
    task: texts.map((text) => text.replaceAll(FENCED, "")).join("\n"),
    content: fences
      .filter(([, , label = ""]) => !BESIDE_CONTENT.has(label))
      .map(([, , , text]) => (text ?? "").replaceAll(MARKS, ""))
      .join("\n\n"),
    schema: format?.json_schema?.schema ?? lastLineObject(system.join("\n")),
    partTypes: new Set(messages.flatMap(({ content }) => typesOf(content))),
    isRepair: messages.some(({ role }) => role === "assistant")
  };
};
