/** SchemaChecker with ajv in worker processes, which are ended if a check takes too long. */
import {
  brokenBound,
  boundsProblem,
  SCHEMA_PROBLEM_REASONS,
  type SchemaProblem
} from "@winnow/core/domain/json-schema/SchemaLimits";
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";
import { FAULTS_MAX, SchemaChecker, SchemaRefused, type SchemaFault } from "@winnow/core/ports/SchemaChecker";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Schema from "effect/Schema";
import type { SandboxMissing } from "@winnow/isolation/sandbox/Sandbox";
import { jsonFrame } from "@winnow/isolation/process/Frames";
import { answerReader, type WorkerEnded } from "@winnow/isolation/worker/WorkerProcess";
import { openWorkerPool, type WorkerOptions } from "@winnow/isolation/worker/WorkerPool";
import {
  CHECK_ANSWER_BYTES_MAX,
  CHECK_PROCESSOR_MS,
  CHECKER_BUFFERS_MB,
  VALUE_BOUNDS
} from "./CheckLimits.ts";
import type { SchemaVerdict } from "./SchemaVerdict.ts";
import type { SchemaTask } from "./SchemaWorker.ts";

const refused = (problem: SchemaProblem): SchemaRefused => new SchemaRefused(problem);

const tooCostly = (message: string): SchemaRefused => refused({ reason: "too_costly", path: "", message });

/** A value beyond these limits is rejected before it is serialised. */
const boundValue = (value: Schema.Json): Effect.Effect<void, SchemaRefused> =>
  brokenBound(value, VALUE_BOUNDS) === null
    ? Effect.void
    : tooCostly("The value is too large or nested too deeply to be validated against the schema.");

const boundSchema = (schema: JsonObject): Effect.Effect<void, SchemaRefused> => {
  const problem = boundsProblem(schema);
  return problem === null ? Effect.void : refused(problem);
};

const TOO_SLOW = `Validation takes longer than ${CHECK_PROCESSOR_MS / 1_000} s: simplify the schema.`;
const TOO_LARGE = "Validation takes too much memory: simplify the schema.";

const refusedAfter = ({ reason }: WorkerEnded): SchemaRefused =>
  tooCostly(reason === "timeout" ? TOO_SLOW : TOO_LARGE);

const CHECKS = {
  entry: "./SchemaWorker",
  from: import.meta.url,
  buffersMb: CHECKER_BUFFERS_MB,
  answerBytesMax: CHECK_ANSWER_BYTES_MAX,
  processorMs: CHECK_PROCESSOR_MS
};

const readAnswer = answerReader<SchemaVerdict, SchemaVerdict>(
  Schema.Union([
    Schema.Struct({
      problem: Schema.Struct({
        reason: Schema.Literals(SCHEMA_PROBLEM_REASONS),
        path: Schema.String,
        message: Schema.String
      })
    }),
    Schema.Struct({
      faults: Schema.Array(
        Schema.Struct({
          path: Schema.String,
          message: Schema.String,
          isUnchecked: Schema.optionalKey(Schema.Literal(true))
        })
      )
    })
  ])
);

const make = Effect.fnUntraced(function* (options: WorkerOptions) {
  const pool = yield* openWorkerPool(CHECKS, options);

  const ask = Effect.fnUntraced(function* (
    schema: JsonObject,
    value: string | null
  ): Effect.fn.Return<ReadonlyArray<SchemaFault>, SchemaRefused> {
    yield* boundSchema(schema);
    const task: SchemaTask = { schema: JSON.stringify(schema), value, faultsMax: FAULTS_MAX };
    const answer = yield* pool
      .run(jsonFrame(task))
      .pipe(Effect.flatMap(readAnswer), Effect.mapError(refusedAfter));
    return "problem" in answer ? yield* refused(answer.problem) : answer.faults;
  });

  return SchemaChecker.of({
    check: Effect.fn("SchemaChecker.check")((schema: JsonObject) => Effect.asVoid(ask(schema, null))),
    validate: Effect.fn("SchemaChecker.validate")(function* (schema, value) {
      yield* boundValue(value);
      return yield* ask(schema, JSON.stringify(value));
    })
  });
});

/** Fails if the sandbox is required but does not work. */
export const layerWith = (options: WorkerOptions): Layer.Layer<SchemaChecker, SandboxMissing> =>
  Layer.effect(SchemaChecker, make(options));

/** Workers start on demand; idle ones do not keep the process alive. */
export const layer: Layer.Layer<SchemaChecker> = Layer.orDie(layerWith({}));
