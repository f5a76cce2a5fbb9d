/** The check of a schema that comes in from outside; saved and predefined ones have had theirs. */
import * as Effect from "effect/Effect";
import { InvalidRequest } from "../domain/Refusal.ts";
import type { JsonObject } from "../domain/SchemaRules.ts";
import { SchemaChecker } from "../ports/SchemaChecker.ts";

/** @fails InvalidRequest {param: "schema", reason, path}: reasons and path as of SchemaRefused */
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
