/** Whether a JSON Schema can be used, for use without Effect. Tests: projectSchema.test.ts. */
import { isJsonObject } from "@winnow/core/domain/text/Json";
import { meaningProblem } from "@winnow/core/domain/json-schema/SchemaMeaning";
import { checkSchema as checkRules } from "@winnow/core/domain/json-schema/SchemaRules";
import { CurrentRun, runFor } from "@winnow/core/ports/CurrentRun";
import { SchemaChecker } from "@winnow/core/ports/SchemaChecker";
import * as Effect from "effect/Effect";
import * as ManagedRuntime from "effect/ManagedRuntime";
import { layer } from "./WorkerSchemaChecker.ts";

/** `pointer` is an RFC 6901 pointer into the schema, "" its root; `reason` one of `details.reason` of the API. */
export type SchemaCheck =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: string; readonly pointer: string; readonly message: string };

/** Started by the first call; idle workers do not keep a process alive. */
const runtime = ManagedRuntime.make(layer);

const refusedBy = (reason: unknown, pointer: string, message: string): SchemaCheck => ({
  ok: false,
  reason: String(reason),
  pointer,
  message
});

/** Checks a schema as a submit does. Never rejects because of the schema's content. */
export const checkSchema = (schema: unknown): Promise<SchemaCheck> => {
  if (!isJsonObject(schema)) {
    return Promise.resolve(refusedBy("not_an_object", "", "A schema must be a JSON object."));
  }
  const check = Effect.gen(function* () {
    yield* Effect.fromResult(checkRules(schema));
    yield* SchemaChecker.use((checker) => checker.check(schema));
    const problem = meaningProblem(schema);
    if (problem !== null) return refusedBy(problem.reason, problem.path, problem.message);
    return { ok: true } satisfies SchemaCheck as SchemaCheck;
  });
  return runtime.runPromise(
    Effect.catchTags(check, {
      InvalidRequest: ({ details, message }) => Effect.succeed(refusedBy(details?.["reason"], "", message)),
      SchemaRefused: ({ reason, path, message }) => Effect.succeed(refusedBy(reason, path, message))
    }).pipe(Effect.provideService(CurrentRun, runFor("")))
  );
};
