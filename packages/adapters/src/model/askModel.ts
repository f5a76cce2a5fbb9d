/** Asks one question: the call, and one turn in which the model repairs a wrong answer. Tests: answers.test.ts. */
import * as Effect from "effect/Effect";
import { randomBytes } from "node:crypto";
import { Failed } from "@winnow/core/domain/source/Failed";
import type { SourceFacts } from "@winnow/core/domain/source/SourceFacts";
import type { TimeRange } from "@winnow/core/domain/source/TimeRange";
import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import { Answers } from "./answer/Answers.ts";
import type { AnswerSchema, RequestedSchema, Parsed, WrittenText } from "./answer/AnswerParsing.ts";
import type { AnalysisStep } from "./inputs/analyseLong.ts";
import type { InputPart } from "./inputs/InputItems.ts";
import { type Completion, LlmClient } from "./provider/LlmClient.ts";
import {
  type InputTooLong,
  invalidOutput,
  type ModalityRefused,
  refusedByModel,
  isDeclining
} from "../model-server/LlmFailures.ts";
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";
import { extractionTask, messagesOf, repairOf } from "./Prompts.ts";
import { withoutThoughts } from "./answer/Thoughts.ts";

export interface Question {
  /** Content in reading order. */
  readonly parts: ReadonlyArray<InputPart>;
  /** Of the data, and of the whole answer. */
  readonly schema: RequestedSchema & AnswerSchema;
  /** The caller's guidance; null if there is none. */
  readonly prompt: string | null;
  /** Title, uploader, date and so on are sent to the model as content. */
  readonly facts: SourceFacts;
  /** As of the request. */
  readonly range: TimeRange | undefined;
  readonly step: AnalysisStep;
}

/** Maximum tokens of an answer: about 30 KB of JSON. */
export const OUTPUT_TOKENS = 8_192;

/** Maximum tokens of the retry after a truncated answer. */
const LONG_OUTPUT_TOKENS = 32_768;

const NOT_CONFORMING = invalidOutput("The output of the language model does not match the schema.");

const NO_ROOM = new Failed({
  reason: "invalid_model_output",
  message: "The context of the language model ended within its output.",
  hint: "Simplify the schema, or ask the operator of this server for a model with a larger context."
});

const TOO_LONG = invalidOutput("The output of the language model was cut off at its token limit.");

const THOUGHT_TOO_LONG = new Failed({
  reason: "invalid_model_output",
  message: "The language model spent its whole answer on thinking, twice, and wrote none.",
  hint: "Ask the operator of this server to limit the thinking of its language model, or to use one that does not think."
});

/** If an answer is truncated, it is requested once more with a higher limit, and less thinking if that was all. */
const completed = Effect.fnUntraced(function* (
  messages: ReadonlyArray<ChatCompletionMessageParam>,
  { json, isStrict }: Pick<AnswerSchema, "json" | "isStrict">
): Effect.fn.Return<Completion, Failed | InputTooLong | ModalityRefused, LlmClient> {
  const client = yield* LlmClient;
  const schema = JSON.parse(json) as JsonObject;
  const request = { messages, schema, isStrict, maxOutputTokens: OUTPUT_TOKENS } as const;
  const first = yield* client.complete(request);
  const thinksLess = first.isThoughtAlone;
  // A higher limit makes no room where there is none.
  if (!first.isCut || (first.isContextFull && !thinksLess)) return first;
  const second = yield* client.complete({ ...request, maxOutputTokens: LONG_OUTPUT_TOKENS, thinksLess });
  return second.isCut && second.isThoughtAlone ? yield* THOUGHT_TOO_LONG : second;
});

/** A random string that content cannot guess. */
export const randomBoundary = Effect.sync(() => randomBytes(9).toString("base64url"));

/** Asks, parses, and lets the model repair its answer once. */
export const askUntilRead = Effect.fnUntraced(function* <A, R>(
  messages: ReadonlyArray<ChatCompletionMessageParam>,
  schema: Pick<AnswerSchema, "json" | "isStrict">,
  read: (written: WrittenText) => Effect.Effect<Parsed<A>, Failed, R>
): Effect.fn.Return<A, Failed | InputTooLong | ModalityRefused, LlmClient | R> {
  let conversation = messages;
  for (let turn = 1; ; turn++) {
    const text = yield* completed(conversation, schema);
    const result = yield* read({ text: text.text, isCut: text.isCut });
    if ("read" in result) return result.read;
    if (text.isCut) return yield* text.isContextFull ? NO_ROOM : TOO_LONG;
    if (isDeclining(withoutThoughts(text.text))) return yield* refusedByModel;
    if (turn === 2) return yield* NOT_CONFORMING;
    conversation = [...messages, ...repairOf(yield* randomBoundary, text.text, result.faults)];
  }
});

export const ask = Effect.fn("OpenAiAnalyst.ask")(function* (question: Question) {
  const { schema, prompt, facts, range, parts, step: reading } = question;
  const messages = messagesOf({
    word: yield* randomBoundary,
    task: extractionTask(reading),
    schemaJson: schema.json,
    notes: schema.notes,
    prompt,
    facts,
    range,
    parts
  });
  const answers = yield* Answers;
  return yield* askUntilRead(messages, schema, (text) => answers.readAnswer(schema, text));
});
