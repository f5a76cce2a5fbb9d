/** Checks schemas submitted by callers; saved and predefined schemas have already been checked. */
import * as Effect from "effect/Effect";
import { InvalidRequest } from "../../domain/request/Refusal.ts";
import type { SchemaProblem } from "../../domain/json-schema/SchemaLimits.ts";
import { meaningProblem } from "../../domain/json-schema/SchemaMeaning.ts";
import type { JsonObject } from "../../domain/json-schema/SchemaRules.ts";
import { SchemaChecker } from "../../ports/SchemaChecker.ts";

const invalidSchema = ({ reason, path, message }: SchemaProblem) =>
  new InvalidRequest({
    message: `\`schema\`${path === "" ? "" : ` at ${path}`}: ${message}`,
    details: { param: "schema", reason, path }
  });

/** @fails InvalidRequest {param: "schema", reason, path}: reason and path as in SchemaProblem */
export const checkGivenSchema = Effect.fnUntraced(function* (
  schema: JsonObject,
  accountId: string
): Effect.fn.Return<void, InvalidRequest, SchemaChecker> {
  yield* Effect.mapError(
    SchemaChecker.use((checker) => checker.check(schema, accountId)),
    invalidSchema
  );
  const problem = meaningProblem(schema);
  if (problem !== null) return yield* invalidSchema(problem);
});
