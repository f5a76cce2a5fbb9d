/** Checks schemas submitted by callers; saved and predefined schemas have already been checked. */
import * as Effect from "effect/Effect";
import { InvalidRequest } from "../domain/Refusal.ts";
import type { JsonObject } from "../domain/SchemaRules.ts";
import { SchemaChecker } from "../ports/SchemaChecker.ts";

/** @fails InvalidRequest {param: "schema", reason, path}: reason and path as in SchemaRefused */
export const checkGivenSchema = (schema: JsonObject): Effect.Effect<void, InvalidRequest, SchemaChecker> =>
  SchemaChecker.use((checker) => checker.check(schema)).pipe(
    Effect.mapError(
      ({ reason, path, message }) =>
        new InvalidRequest({
          message: `\`schema\`${path === "" ? "" : ` at ${path}`}: ${message}`,
          details: { param: "schema", reason, path }
        })
    )
  );
