/**
 * One question, one checked answer: the call, the way back to the caller's schema, coercions, and one turn
 * in which the model may mend the rest.
 */
import { randomBytes } from "node:crypto";
import type { SourceFacts } from "@winnow/core/domain/SourceFacts";
import type { AnalysisFailed } from "@winnow/core/ports/Analyst";
import { provenFaults, SchemaChecker, type SchemaFault } from "@winnow/core/ports/SchemaChecker";
import * as Effect from "effect/Effect";
import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import { AnswerReader } from "./AnswerReader.ts";
import type { AnswerSchema, AskedSchema, Read, WrittenText } from "./AnswerReading.ts";
import type { Reading } from "./inputs/analyseLong.ts";
import type { InputPart } from "./InputPart.ts";
import { LlmClient } from "./LlmClient.ts";
import { type InputTooLong, invalidOutput, type ModalityRefused, refusedByModel } from "./LlmFailures.ts";
import { isDeclining } from "./ProviderVerdicts.ts";
import type { JsonObject } from "./projection/Shape.ts";
import { extractionTask, messagesOf, repairOf } from "./Prompts.ts";
import type { Answer } from "./Question.ts";
import { withoutThoughts } from "./Thoughts.ts";

export interface Question {
  /** Content in the order it is to be read. */
  readonly parts: ReadonlyArray<InputPart>;
  /** What the answer's data must conform to. */
  readonly schema: JsonObject;
  /** Guidance of the caller; null when there is none. */
  readonly prompt: string | null;
  /** Title, uploader, date and the like are told to the model too, as content. */
  readonly facts: SourceFacts;
  readonly reading: Reading;
}

/** Tokens of one answer: some 30 KB of JSON. */
export const OUTPUT_TOKENS = 8_192;

/** Of an answer that was cut, asked again. */
const LONG_OUTPUT_TOKENS = 32_768;

const NOT_CONFORMING = invalidOutput("The output of the language model does not match the schema.");
const NOT_CHECKED = invalidOutput(
  "The output of the language model could not be validated against the schema."
);

const TOO_LONG = invalidOutput("The output of the language model was cut off at its token limit.");

/** Tried as it is; an answer that met the limit is asked for once more with a larger one. */
const written = Effect.fnUntraced(function* (
  messages: ReadonlyArray<ChatCompletionMessageParam>,
  { json, isStrict }: Pick<AnswerSchema, "json" | "isStrict">
): Effect.fn.Return<WrittenText, AnalysisFailed | InputTooLong | ModalityRefused, LlmClient> {
  const client = yield* LlmClient;
  const strongest = isStrict ? "strict_schema" : "json_schema";
  const schema = JSON.parse(json) as JsonObject;
  const request = { messages, schema, strongest, maxOutputTokens: OUTPUT_TOKENS } as const;
  const first = yield* client.complete(request);
  return first.isCut ? yield* client.complete({ ...request, maxOutputTokens: LONG_OUTPUT_TOKENS }) : first;
});

/** A word that content cannot know. */
export const freshWord = Effect.sync(() => randomBytes(9).toString("base64url"));

/** Asks, reads, and lets the model mend its answer once. */
export const askUntilRead = Effect.fnUntraced(function* <A, R>(
  messages: ReadonlyArray<ChatCompletionMessageParam>,
  schema: Pick<AnswerSchema, "json" | "isStrict">,
  read: (written: WrittenText) => Effect.Effect<Read<A>, AnalysisFailed, R>
): Effect.fn.Return<A, AnalysisFailed | InputTooLong | ModalityRefused, LlmClient | R> {
  let asked = messages;
  for (let turn = 1; ; turn++) {
    const text = yield* written(asked, schema);
    const result = yield* read(text);
    if ("read" in result) return result.read;
    if (text.isCut) return yield* TOO_LONG;
    if (isDeclining(withoutThoughts(text.text))) return yield* refusedByModel;
    if (turn === 2) return yield* NOT_CONFORMING;
    asked = [...messages, ...repairOf(yield* freshWord, text.text, result.faults)];
  }
});

const atData = ({ path, message }: SchemaFault): SchemaFault => ({ path: `/data${path}`, message });

/** A conforming answer, as it came or coerced; else the faults of what came. */
const conforming = (asked: AskedSchema<JsonObject>) =>
  Effect.fnUntraced(function* (text: WrittenText) {
    const reader = yield* AnswerReader;
    const checker = yield* SchemaChecker;
    const attempt = Effect.fnUntraced(function* (
      mend: boolean
    ): Effect.fn.Return<Read<Answer>, AnalysisFailed> {
      const found = yield* reader.answer(asked, text, mend);
      if ("faults" in found || found.read.outcome !== "ok") return found;
      const { extraction } = found.read;
      const told = yield* Effect.mapError(checker.validate(asked.schema, extraction), () => NOT_CHECKED);
      const faults = provenFaults(told);
      return faults.length === 0 ? found : { faults: faults.map(atData) };
    });
    const plain = yield* attempt(false);
    return "read" in plain ? plain : yield* attempt(true);
  });

/** Without guidance nothing can ask for more than the schema names. */
export const askedSchema = (schema: JsonObject, prompt: string | null): AskedSchema<JsonObject> => ({
  schema,
  isGuided: prompt !== null
});

export const ask = Effect.fn("OpenAiAnalyst.ask")(function* (question: Question) {
  const { schema, prompt, facts, parts, reading } = question;
  const asked = askedSchema(schema, prompt);
  const answerSchema = yield* AnswerReader.use((reader) => reader.answerSchema(asked));
  const messages = messagesOf({
    word: yield* freshWord,
    task: extractionTask(reading),
    schemaJson: answerSchema.json,
    notes: answerSchema.notes,
    prompt,
    facts,
    parts
  });
  return yield* askUntilRead(messages, answerSchema, conforming(asked));
});
