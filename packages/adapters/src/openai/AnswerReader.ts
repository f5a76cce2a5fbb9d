/**
 * Projects schemas and reads answers in worker threads: both may be as large and as odd as strangers make
 * them, and must not hold the process up. What takes too long ends its worker and nothing else.
 */
import type { JsonObject } from "@winnow/core/domain/SchemaRules";
import type { AnalysisFailed, Proposal } from "@winnow/core/ports/Analyst";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import { withinLimit } from "../worker/ProcessorTime.ts";
import { makeWorkerPool } from "../worker/WorkerPool.ts";
import type { AnswerSchema, AnswerTask, AskedSchema, Read, WrittenText } from "./AnswerReading.ts";
import { invalidOutput, modelError } from "./LlmFailures.ts";
import type { Answer } from "./Question.ts";

/** Computing of one task; usual ones take some milliseconds. */
const TASK_PROCESSOR_MS = 2_000;

/** A far net by the clock. */
export const TASK_TIMEOUT_MS = 30_000;

/** Tasks at once in one process: the sections of a long content are read side by side. */
const WORKERS_MAX = 2;

/** A net only: sizes of schemas and answers are bounded. */
const WORKER_HEAP_MB = 512;

const UNREADABLE = invalidOutput("The output of the language model could not be parsed.");
const NOT_MERGED = invalidOutput("The model's outputs for the sections of the content could not be merged.");
const TOO_COMPLICATED = modelError("The schema is too complex for a language model.");

export class AnswerReader extends Context.Service<
  AnswerReader,
  {
    /** The schema of a whole answer, verdict and evidence with the data. */
    readonly answerSchema: (asked: AskedSchema<JsonObject>) => Effect.Effect<AnswerSchema, AnalysisFailed>;

    /** @param mend whether values are coerced that can mean one thing only */
    readonly answer: (
      asked: AskedSchema<JsonObject>,
      written: WrittenText,
      mend: boolean
    ) => Effect.Effect<Read<Answer>, AnalysisFailed>;

    readonly merge: (answers: ReadonlyArray<Answer>) => Effect.Effect<Answer, AnalysisFailed>;

    readonly proposal: (written: WrittenText) => Effect.Effect<Read<Proposal>, AnalysisFailed>;
  }
>()("@winnow/adapters/openai/AnswerReader") {}

/** Schemas of a run are asked with again and again, section by section. */
const makeMemory = () => {
  const texts = new WeakMap<JsonObject, string>();
  return ({ schema, isGuided }: AskedSchema<JsonObject>): AskedSchema => {
    const text = texts.get(schema) ?? JSON.stringify(schema);
    texts.set(schema, text);
    return { schema: text, isGuided };
  };
};

/** Workers start when first needed, and end with the scope. */
export const makeAnswerReader: Effect.Effect<AnswerReader["Service"], never, Scope.Scope> = Effect.gen(
  function* () {
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
      answer: Effect.fn("AnswerReader.answer")((asked, written, mend) =>
        ask<Read<Answer>>({ _tag: "Answer", asked: asTexts(asked), written, mend }, UNREADABLE)
      ),
      merge: Effect.fn("AnswerReader.merge")((answers) =>
        ask<Answer>({ _tag: "Merge", answers: JSON.stringify(answers) }, NOT_MERGED)
      ),
      proposal: Effect.fn("AnswerReader.proposal")((written) =>
        ask<Read<Proposal>>({ _tag: "Proposal", written }, UNREADABLE)
      )
    });
  }
);
