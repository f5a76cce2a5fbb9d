/**
 * Projects schemas and parses answers in worker processes: both are untrusted and may be large, and must not block the
 * server. A task that takes too long only ends its worker.
 */
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import type * as Scope from "effect/Scope";
import type { Failed } from "@winnow/core/domain/source/Failed";
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";
import type { Proposal } from "@winnow/core/ports/Analyst";
import type { SandboxMissing } from "@winnow/isolation/sandbox/Sandbox";
import { jsonFrame, readJson } from "@winnow/isolation/process/Frames";
import { openWorkerPool, type WorkerOptions } from "@winnow/isolation/worker/WorkerPool";
import type { Answer } from "../inputs/mergeAnswers.ts";
import type { AnswerSchema, AnswerTask, RequestedSchema, Parsed, WrittenText } from "./AnswerParsing.ts";
import { invalidOutput, modelError } from "../../model-server/LlmFailures.ts";

/** Processor time of one task; usual ones take some milliseconds. */
const TASK_PROCESSOR_MS = 2_000;

/** Memory of one worker outside its heap: the JSON of a schema and an answer. */
const WORKER_BUFFERS_MB = 128;

/** JSON of one result in bytes, which is hardly longer than the model's output. */
const RESULT_BYTES_MAX = 32_000_000;

const ANSWERS = {
  entry: "./AnswerWorker",
  from: import.meta.url,
  buffersMb: WORKER_BUFFERS_MB,
  answerBytesMax: RESULT_BYTES_MAX,
  processorMs: TASK_PROCESSOR_MS
};

const UNREADABLE = invalidOutput("The output of the language model could not be parsed.");
const NOT_MERGED = invalidOutput("The model's outputs for the sections of the content could not be merged.");
const TOO_COMPLICATED = modelError("The schema is too complex for a language model.");

export class AnswerReader extends Context.Service<
  AnswerReader,
  {
    /** The schema of a whole answer: verdict, evidence and data. */
    readonly answerSchema: (requested: RequestedSchema<JsonObject>) => Effect.Effect<AnswerSchema, Failed>;

    /** @param coerce whether values with only one possible meaning are coerced */
    readonly answer: (
      asked: RequestedSchema<JsonObject>,
      written: WrittenText,
      coerce: boolean
    ) => Effect.Effect<Parsed<Answer>, Failed>;

    readonly merge: (answers: ReadonlyArray<Answer>) => Effect.Effect<Answer, Failed>;

    readonly proposal: (written: WrittenText) => Effect.Effect<Parsed<Proposal>, Failed>;
  }
>()("@winnow/adapters/model/answer/AnswerReader") {}

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
const makeAnswerReader = Effect.fnUntraced(function* (
  options: WorkerOptions
): Effect.fn.Return<AnswerReader["Service"], SandboxMissing, Scope.Scope> {
  const pool = yield* openWorkerPool(ANSWERS, options);
  const asTexts = makeMemory();
  const guided = new WeakMap<JsonObject, AnswerSchema>();
  const unguided = new WeakMap<JsonObject, AnswerSchema>();

  const ask = <A>(task: AnswerTask, failure: Failed): Effect.Effect<A, Failed> =>
    pool.run(jsonFrame(task)).pipe(
      Effect.mapError(() => failure),
      Effect.map((answer) => readJson(answer) as A)
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

/** Fails if the sandbox is required but does not work. */
export const layerWith = (options: WorkerOptions): Layer.Layer<AnswerReader, SandboxMissing> =>
  Layer.effect(AnswerReader, makeAnswerReader(options));

export const layer: Layer.Layer<AnswerReader> = Layer.orDie(layerWith({}));
