/**
 * Validates untrusted schemas and data safely: no schema or value blocks the event loop for more than 50 ms,
 * takes more than 2 s, accesses the network or lets a pattern backtrack for long.
 *
 * JSON Schema draft-04 to 2020-12. Failures of the checker itself are defects.
 */
import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { SCHEMA_PROBLEM_REASONS } from "../domain/json-schema/SchemaLimits.ts";
import type { JsonObject } from "../domain/json-schema/SchemaRules.ts";

/** The schema cannot be used. */
export class SchemaRefused extends Schema.TaggedError<SchemaRefused>()("SchemaRefused", {
  /** Stable code for `details.reason`. */
  reason: Schema.Literals(SCHEMA_PROBLEM_REASONS),
  /** RFC 6901 pointer to the error in the schema; "" is its root. */
  path: Schema.String,
  /** The error and what to do, in plain English. */
  message: Schema.String
}) {}

/** A violation of the schema. */
export interface SchemaFault {
  /** RFC 6901 pointer into the value; "" is its root. */
  readonly path: string;
  /** Completes "The value at <path> ...". */
  readonly message: string;
  /** True if it could not be checked in time and no violation is known. Absent for a violation. */
  readonly isUnchecked?: true;
}

/** Without those that could not be checked. */
export const provenFaults = (faults: ReadonlyArray<SchemaFault>): ReadonlyArray<SchemaFault> =>
  faults.filter(({ isUnchecked }) => isUnchecked !== true);

/** Maximum number of reported errors: enough to repair a model's output, few enough to show to a model. */
export const FAULTS_MAX = 20;

export class SchemaChecker extends Context.Service<
  SchemaChecker,
  {
    /**
     * Checks whether the schema is usable, and no mistake at one place keeps every value from fulfilling it. Its size has already been checked (domain/json-schema/SchemaRules). Accounts take turns,
     * so that one account's costly schemas do not delay another's.
     */
    readonly check: (schema: JsonObject) => Effect.Effect<void, SchemaRefused>;

    /**
     * The errors of a value, at most {@link FAULTS_MAX}, and what could not be checked in time; empty if it
     * conforms.
     *
     * @fails SchemaRefused as `check`, but without `contradiction`: no value fits then; also `too_costly` if validating this value takes too long
     */
    readonly validate: (
      schema: JsonObject,
      value: Schema.Json
    ) => Effect.Effect<ReadonlyArray<SchemaFault>, SchemaRefused>;
  }
>()("@winnow/core/ports/SchemaChecker") {}
