/**
 * A SchemaChecker that accepts every schema and every value, unless the test says otherwise. As with an adapter, a call
 * outside of a run dies.
 */
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import type * as Schema from "effect/Schema";
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";
import { CurrentRun } from "@winnow/core/ports/CurrentRun";
import { SchemaChecker, type SchemaFault, type SchemaRefused } from "@winnow/core/ports/SchemaChecker";

export const layer = (
  faultsOf: (schema: JsonObject, value: Schema.Json) => ReadonlyArray<SchemaFault> = () => [],
  refusalOf: (schema: JsonObject) => SchemaRefused | null = () => null
): Layer.Layer<SchemaChecker> => {
  const check = (schema: JsonObject): Effect.Effect<void, SchemaRefused> =>
    Effect.flatMap(CurrentRun, () => {
      const refusal = refusalOf(schema);
      return refusal === null ? Effect.void : Effect.fail(refusal);
    });
  return Layer.succeed(
    SchemaChecker,
    SchemaChecker.of({
      check,
      validate: (schema, value) => Effect.as(check(schema), faultsOf(schema, value))
    })
  );
};
