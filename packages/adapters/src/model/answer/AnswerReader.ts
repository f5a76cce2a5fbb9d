/**
 * Worker processes that own a schema from its text to checked answers: schemas and answers are untrusted and may be
 * large, and must not block the server. An answer crosses once. A task that takes too long only ends its worker.
 */
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import type * as Scope from "effect/Scope";
import type { Failed } from "@winnow/core/domain/source/Failed";
import type { Proposal } from "@winnow/core/ports/Analyst";
import { FAULTS_MAX } from "@winnow/core/ports/SchemaChecker";
import type { SandboxMissing } from "@winnow/isolation/sandbox/Sandbox";
import { jsonFrame, readJson } from "@winnow/isolation/process/Frames";
import { openWorkerPool, type WorkerOptions } from "@winnow/isolation/worker/WorkerPool";
import { CHECK_PROCESSOR_MS } from "../../schema-check/CheckLimits.ts";
import type { Answer } from "../inputs/mergeAnswers.ts";
import type { AnswerSchema, RequestedSchema, Parsed, WrittenText } from "./AnswerParsing.ts";
import type { AnswerTask } from "./AnswerWorker.ts";
import { invalidOutput, modelError } from "../../model-server/LlmFailures.ts";

/** Processor time of reading an answer, without its check; usual ones take some milliseconds. */
const READING_PROCESSOR_MS = 2_000;

/** Memory of one worker outside its heap: the JSON of a schema and an answer. */
const WORKER_BUFFERS_MB = 128;

/** JSON of one result in bytes, which is hardly longer than the model's output. */
const RESULT_BYTES_MAX = 32_000_000;

const ANSWERS = {
  entry: "./AnswerWorker",
  from: import.meta.url,
  buffersMb: WORKER_BUFFERS_MB,
  answerBytesMax: RESULT_BYTES_MAX,
  processorMs: READING_PROCESSOR_MS + CHECK_PROCESSOR_MS
};

const NOT_CHECKED = invalidOutput(
  "The output of the language model could not be validated against the schema."
);
const UNREADABLE = invalidOutput("The output of the language model could not be parsed.");
const NOT_MERGED = invalidOutput("The model's outputs for the sections of the content could not be merged.");
const TOO_COMPLICATED = modelError("The schema is too complex for a language model.");

export class AnswerReader extends Context.Service<
  AnswerReader,
  {
    /** The schema of a whole answer: verdict, evidence and data. */
    readonly answerSchema: (asked: RequestedSchema) => Effect.Effect<AnswerSchema, Failed>;

    /** A valid answer, possibly after coercion of values with only one possible meaning; else its faults. */
    readonly answer: (asked: RequestedSchema, written: WrittenText) => Effect.Effect<Parsed<Answer>, Failed>;

    readonly merge: (answers: ReadonlyArray<Answer>) => Effect.Effect<Answer, Failed>;

    /** Whether an answer that code made is valid. */
    readonly check: (schema: string, answer: Answer) => Effect.Effect<Parsed<Answer>, Failed>;

    readonly proposal: (written: WrittenText) => Effect.Effect<Parsed<Proposal>, Failed>;
  }
>()("@winnow/adapters/model/answer/AnswerReader") {}

/** Workers start on demand and end with the scope. */
const makeAnswerReader = Effect.fnUntraced(function* (
  options: WorkerOptions
): Effect.fn.Return<AnswerReader["Service"], SandboxMissing, Scope.Scope> {
  const pool = yield* openWorkerPool(ANSWERS, options);

  const ask = <A>(task: AnswerTask, failure: Failed): Effect.Effect<A, Failed> =>
    pool.run(jsonFrame(task)).pipe(
      Effect.mapError(() => failure),
      Effect.map((answer) => readJson(answer) as A)
    );

  return AnswerReader.of({
    answerSchema: Effect.fn("AnswerReader.answerSchema")((asked) =>
      ask<AnswerSchema>({ _tag: "Wire", asked }, TOO_COMPLICATED)
    ),
    answer: Effect.fn("AnswerReader.answer")((asked, written) =>
      ask<Parsed<Answer>>({ _tag: "Answer", asked, written, faultsMax: FAULTS_MAX }, NOT_CHECKED)
    ),
    merge: Effect.fn("AnswerReader.merge")((answers) => ask<Answer>({ _tag: "Merge", answers }, NOT_MERGED)),
    check: Effect.fn("AnswerReader.check")((schema, answer) =>
      ask<Parsed<Answer>>({ _tag: "Check", schema, answer, faultsMax: FAULTS_MAX }, NOT_CHECKED)
    ),
    proposal: Effect.fn("AnswerReader.proposal")((written) =>
      ask<Parsed<Proposal>>({ _tag: "Proposal", written }, UNREADABLE)
    )
  });
});

/** Fails if the sandbox is required but does not work. */
export const layerWith = (options: WorkerOptions): Layer.Layer<AnswerReader, SandboxMissing> =>
  Layer.effect(AnswerReader, makeAnswerReader(options));

export const layer: Layer.Layer<AnswerReader> = Layer.orDie(layerWith({}));
