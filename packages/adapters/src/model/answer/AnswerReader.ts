/**
 * Answers in worker processes: schemas and answers are untrusted and may be large, and must not block the server. An
 * answer crosses once. A task that takes too long only ends its worker. Tests: OpenAiAnalyst.test.ts.
 */
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import type * as Scope from "effect/Scope";
import type { Failed } from "@winnow/core/domain/source/Failed";
import type { SandboxMissing } from "@winnow/isolation/sandbox/Sandbox";
import { jsonFrame, jsonOf } from "@winnow/isolation/process/Frames";
import { openWorkerPool, type WorkerOptions } from "@winnow/isolation/worker/WorkerPool";
import { CHECK_PROCESSOR_MS } from "../../schema-check/CheckLimits.ts";
import { Answers } from "./Answers.ts";
import type { AnswerCall, AnswerFunctions } from "./AnswerWorker.ts";
import { invalidOutput, modelError } from "../../model-server/LlmFailures.ts";

/** Processor time of reading an answer, without its check; usual ones take some milliseconds. */
const READING_PROCESSOR_MS = 2_000;

/** Memory of one worker outside its heap: the JSON of a schema and an answer. */
const WORKER_BUFFERS_MB = 128;

/** JSON of one result in bytes, which is hardly longer than the model's output. */
const RESULT_BYTES_MAX = 32_000_000;

const POOL = {
  entry: "./AnswerWorker",
  from: import.meta.url,
  buffersMb: WORKER_BUFFERS_MB,
  answerBytesMax: RESULT_BYTES_MAX,
  processorMs: READING_PROCESSOR_MS + CHECK_PROCESSOR_MS
};

/** Of each function, if its worker ends before it answers. */
const FAILURES: Readonly<Record<keyof AnswerFunctions, Failed>> = {
  answerSchemaOf: modelError("The schema is too complex for a language model."),
  readAnswer: invalidOutput("The output of the language model could not be validated against the schema."),
  checkedAnswer: invalidOutput("The output of the language model could not be validated against the schema."),
  mergeAnswers: invalidOutput("The model's outputs for the sections of the content could not be merged."),
  parseProposal: invalidOutput("The output of the language model could not be parsed.")
};

/** Workers start on demand and end with the scope. */
const makeAnswers = Effect.fnUntraced(function* (
  options: WorkerOptions
): Effect.fn.Return<Answers["Service"], SandboxMissing, Scope.Scope> {
  const pool = yield* openWorkerPool(POOL, options);
  const asked =
    <Name extends keyof AnswerFunctions>(name: Name) =>
    (...given: Parameters<AnswerFunctions[Name]>): Effect.Effect<ReturnType<AnswerFunctions[Name]>, Failed> =>
      pool.run(jsonFrame({ name, given } satisfies AnswerCall)).pipe(
        Effect.flatMap((answer) => Effect.try(() => jsonOf(answer) as ReturnType<AnswerFunctions[Name]>)),
        Effect.mapError(() => FAILURES[name]),
        Effect.withSpan(`Answers.${name}`)
      );
  return Answers.of({
    answerSchemaOf: asked("answerSchemaOf"),
    readAnswer: asked("readAnswer"),
    checkedAnswer: asked("checkedAnswer"),
    mergeAnswers: asked("mergeAnswers"),
    parseProposal: asked("parseProposal")
  });
});

/** Fails if the sandbox is required but does not work. */
export const layerWith = (options: WorkerOptions): Layer.Layer<Answers, SandboxMissing> =>
  Layer.effect(Answers, makeAnswers(options));

export const layer: Layer.Layer<Answers> = Layer.orDie(layerWith({}));
