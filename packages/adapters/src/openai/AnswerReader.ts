/**
 * Projects schemas and parses answers in worker threads: both are untrusted and may be large, and must not block
 * the process. A task that takes too long only ends its worker.
 */
import type { JsonObject } from "@winnow/core/domain/SchemaRules";
import type { AnalysisFailed, Proposal } from "@winnow/core/ports/Analyst";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import type * as Scope from "effect/Scope";
import { withinLimit } from "../worker/ProcessorTime.ts";
import { makeWorkerPool } from "../worker/WorkerPool.ts";
import type { AnswerSchema, AnswerTask, RequestedSchema, Parsed, WrittenText } from "./AnswerParsing.ts";
import { invalidOutput, modelError } from "./LlmFailures.ts";
import type { Answer } from "./Question.ts";

/** Processor time of one task; usual ones take some milliseconds. */
const TASK_PROCESSOR_MS = 2_000;

/** Wall-clock limit, as a safety net. */
export const TASK_TIMEOUT_MS = 30_000;

/** Concurrent tasks per process, for the sections of long content. */
const WORKERS_MAX = 2;

/** A safety net only: sizes of schemas and answers are bounded. */
const WORKER_HEAP_MB = 512;

const UNREADABLE = invalidOutput("The output of the language model could not be parsed.");
const NOT_MERGED = invalidOutput("The model's outputs for the sections of the content could not be merged.");
const TOO_COMPLICATED = modelError("The schema is too complex for a language model.");

export class AnswerReader extends Context.Service<
  AnswerReader,
  {
    /** The schema of a whole answer: verdict, evidence and data. */
    readonly answerSchema: (
      requested: RequestedSchema<JsonObject>
    ) => Effect.Effect<AnswerSchema, AnalysisFailed>;

    /** @param coerce whether values with only one possible meaning are coerced */
    readonly answer: (
      asked: RequestedSchema<JsonObject>,
      written: WrittenText,
      coerce: boolean
    ) => Effect.Effect<Parsed<Answer>, AnalysisFailed>;

    readonly merge: (answers: ReadonlyArray<Answer>) => Effect.Effect<Answer, AnalysisFailed>;

    readonly proposal: (written: WrittenText) => Effect.Effect<Parsed<Proposal>, AnalysisFailed>;
  }
>()("@winnow/adapters/openai/AnswerReader") {}

/** The schemas of a run are used again for every section. */
const makeMemory = () => {
  const texts = new WeakMap<JsonObject, string>();
  return ({ schema, isGuided }: RequestedSchema<JsonObject>): RequestedSchema => {
    const text = texts.get(schema) ?? JSON.stringify(schema);
    texts.set(schema, text);
    return { schema: text, isGuided };
  };
};

/** Workers start on demand and end with the scope. */
const makeAnswerReader: Effect.Effect<AnswerReader["Service"], never, Scope.Scope> = Effect.gen(function* () {
  const pool = yield* makeWorkerPool<AnswerTask, string>({
    entry: "./AnswerWorker",
    from: import.meta.url,
    workersMax: WORKERS_MAX,
    heapMb: WORKER_HEAP_MB,
    saysReady: true
  });
  const asTexts = makeMemory();
  const guided = new WeakMap<JsonObject, AnswerSchema>();
  const unguided = new WeakMap<JsonObject, AnswerSchema>();

  const ask = <A>(task: AnswerTask, failure: AnalysisFailed): Effect.Effect<A, AnalysisFailed> =>
    pool
      .run(
        task,
        withinLimit<string, AnalysisFailed>({
          processorMs: TASK_PROCESSOR_MS,
          wallMs: TASK_TIMEOUT_MS,
          orElse: () => Effect.fail(failure)
        })
      )
      .pipe(
        Effect.catchTag("WorkerEnded", () => Effect.fail(failure)),
        Effect.map((message) => JSON.parse(message) as A)
      );

  return AnswerReader.of({
    answerSchema: Effect.fn("AnswerReader.answerSchema")(function* (asked) {
      const known = asked.isGuided ? guided : unguided;
      const before = known.get(asked.schema);
      if (before !== undefined) return before;
      const made = yield* ask<AnswerSchema>({ _tag: "Wire", asked: asTexts(asked) }, TOO_COMPLICATED);
      known.set(asked.schema, made);
      return made;
    }),
    answer: Effect.fn("AnswerReader.answer")((requested, written, coerce) =>
      ask<Parsed<Answer>>({ _tag: "Answer", asked: asTexts(requested), written, coerce }, UNREADABLE)
    ),
    merge: Effect.fn("AnswerReader.merge")((answers) =>
      ask<Answer>({ _tag: "Merge", answers: JSON.stringify(answers) }, NOT_MERGED)
    ),
    proposal: Effect.fn("AnswerReader.proposal")((written) =>
      ask<Parsed<Proposal>>({ _tag: "Proposal", written }, UNREADABLE)
    )
  });
});

export const layer: Layer.Layer<AnswerReader> = Layer.effect(AnswerReader, makeAnswerReader);
