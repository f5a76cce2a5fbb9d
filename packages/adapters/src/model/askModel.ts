/**
 * Asks one question and validates the answer: the call, decoding to the caller's schema, coercions, and one repair
 * turn.
 */
import * as Effect from "effect/Effect";
import { randomBytes } from "node:crypto";
import { Failed } from "@winnow/core/domain/source/Failed";
import type { SourceFacts } from "@winnow/core/domain/source/SourceFacts";
import { provenFaults, SchemaChecker, type SchemaFault } from "@winnow/core/ports/SchemaChecker";
import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import { AnswerReader } from "./answer/AnswerReader.ts";
import type { Answer } from "./inputs/mergeAnswers.ts";
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
import type { JsonObject } from "./schema/Shape.ts";
import { extractionTask, messagesOf, repairOf } from "./Prompts.ts";
import { withoutThoughts } from "./answer/AnswerText.ts";

export interface Question {
  /** Content in reading order. */
  readonly parts: ReadonlyArray<InputPart>;
  /** Schema of the answer's data. */
  readonly schema: JsonObject;
  /** The caller's guidance; null if there is none. */
  readonly prompt: string | null;
  /** Title, uploader, date and so on are sent to the model as content. */
  readonly facts: SourceFacts;
  readonly step: AnalysisStep;
}

/** Maximum tokens of an answer: about 30 KB of JSON. */
export const OUTPUT_TOKENS = 8_192;

/** Maximum tokens of the retry after a truncated answer. */
const LONG_OUTPUT_TOKENS = 32_768;

const NOT_CONFORMING = invalidOutput("The output of the language model does not match the schema.");
const NOT_CHECKED = invalidOutput(
  "The output of the language model could not be validated against the schema."
);

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
const written = Effect.fnUntraced(function* (
  messages: ReadonlyArray<ChatCompletionMessageParam>,
  { json, isStrict }: Pick<AnswerSchema, "json" | "isStrict">
): Effect.fn.Return<Completion, Failed | InputTooLong | ModalityRefused, LlmClient> {
  const client = yield* LlmClient;
  const strongest = isStrict ? "strict_schema" : "json_schema";
  const schema = JSON.parse(json) as JsonObject;
  const request = { messages, schema, strongest, maxOutputTokens: OUTPUT_TOKENS } as const;
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
    const text = yield* written(conversation, schema);
    const result = yield* read({ text: text.text, isCut: text.isCut });
    if ("read" in result) return result.read;
    if (text.isCut) return yield* text.isContextFull ? NO_ROOM : TOO_LONG;
    if (isDeclining(withoutThoughts(text.text))) return yield* refusedByModel;
    if (turn === 2) return yield* NOT_CONFORMING;
    conversation = [...messages, ...repairOf(yield* randomBoundary, text.text, result.faults)];
  }
});

const atData = ({ path, message }: SchemaFault): SchemaFault => ({ path: `/data${path}`, message });

/** A valid answer, possibly after coercion; else the faults of the original. */
const conforming = (requested: RequestedSchema<JsonObject>) =>
  Effect.fnUntraced(function* (text: WrittenText) {
    const reader = yield* AnswerReader;
    const checker = yield* SchemaChecker;
    const attempt = Effect.fnUntraced(function* (coerce: boolean): Effect.fn.Return<Parsed<Answer>, Failed> {
      const found = yield* reader.answer(requested, text, coerce);
      if ("faults" in found || found.read.outcome !== "ok") return found;
      const { extraction } = found.read;
      const violations = yield* Effect.mapError(
        checker.validate(requested.schema, extraction),
        () => NOT_CHECKED
      );
      const faults = provenFaults(violations);
      return faults.length === 0 ? found : { faults: faults.map(atData) };
    });
    const plain = yield* attempt(false);
    return "read" in plain ? plain : yield* attempt(true);
  });

/** Without guidance, nothing can ask for more than the schema names. */
export const requestedSchema = (schema: JsonObject, prompt: string | null): RequestedSchema<JsonObject> => ({
  schema,
  isGuided: prompt !== null
});

export const ask = Effect.fn("OpenAiAnalyst.ask")(function* (question: Question) {
  const { schema, prompt, facts, parts, step: reading } = question;
  const requested = requestedSchema(schema, prompt);
  const answerSchema = yield* AnswerReader.use((reader) => reader.answerSchema(requested));
  const messages = messagesOf({
    word: yield* randomBoundary,
    task: extractionTask(reading),
    schemaJson: answerSchema.json,
    notes: answerSchema.notes,
    prompt,
    facts,
    parts
  });
  return yield* askUntilRead(messages, answerSchema, conforming(requested));
});
