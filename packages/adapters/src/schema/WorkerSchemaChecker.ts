/** SchemaChecker with ajv and RE2 in worker threads, which are ended if a check takes too long. */
import { brokenBound, boundsProblem, type SchemaProblem } from "@winnow/core/domain/SchemaLimits";
import type { JsonObject } from "@winnow/core/domain/SchemaRules";
import { FAULTS_MAX, SchemaChecker, SchemaRefused, type SchemaFault } from "@winnow/core/ports/SchemaChecker";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import type * as Schema from "effect/Schema";
import { makeWorkerPool } from "../worker/WorkerPool.ts";
import { withinLimit } from "../worker/ProcessorTime.ts";
import {
  CHECK_PROCESSOR_MS,
  CHECK_TIMEOUT_MS,
  CHECKER_HEAP_MB,
  CHECKERS_MAX,
  VALUE_BOUNDS
} from "./CheckLimits.ts";
import type { SchemaAnswer, SchemaTask } from "./SchemaWorker.ts";

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

const inTime = withinLimit<SchemaAnswer, SchemaRefused>({
  processorMs: CHECK_PROCESSOR_MS,
  wallMs: CHECK_TIMEOUT_MS,
  orElse: () =>
    tooCostly(`Validation takes longer than ${CHECK_PROCESSOR_MS / 1_000} s: simplify the schema.`)
});

const make = Effect.gen(function* () {
  const pool = yield* makeWorkerPool<SchemaTask, SchemaAnswer>({
    entry: "./SchemaWorker",
    from: import.meta.url,
    workersMax: CHECKERS_MAX,
    heapMb: CHECKER_HEAP_MB,
    saysReady: true
  });

  const ask = Effect.fnUntraced(function* (
    schema: JsonObject,
    value: string | null
  ): Effect.fn.Return<ReadonlyArray<SchemaFault>, SchemaRefused> {
    yield* boundSchema(schema);
    const task = { schema: JSON.stringify(schema), value, faultsMax: FAULTS_MAX };
    const answer = yield* pool
      .run(task, inTime)
      .pipe(
        Effect.catchTag("WorkerEnded", () =>
          tooCostly("Validation takes too much memory: simplify the schema.")
        )
      );
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

/** Workers start on demand; idle ones do not keep the process alive. */
export const layer: Layer.Layer<SchemaChecker> = Layer.effect(SchemaChecker, make);
