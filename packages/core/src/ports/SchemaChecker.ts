/**
 * Checks schemas and data that somebody else wrote, without harm: no schema and no value blocks the event
 * loop over 50 ms, costs over 2 s, reaches the network or makes a pattern backtrack (contract 4).
 *
 * JSON Schema 2020-12, and draft-07 where `$schema` says so. Failures of the checker itself are defects.
 */
import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { SCHEMA_FLAW_REASONS } from "../domain/SchemaLimits.ts";
import type { JsonObject } from "../domain/SchemaRules.ts";

/** The schema cannot be used. */
export class SchemaRefused extends Schema.TaggedError<SchemaRefused>()("SchemaRefused", {
  /** One stable word, for `details.reason`. */
  reason: Schema.Literals(SCHEMA_FLAW_REASONS),
  /** RFC 6901 pointer into the schema to the fault; "" is its root. */
  path: Schema.String,
  /** For people: the fault and what to do. */
  message: Schema.String
}) {}

/** Where a value does not fit. */
export interface SchemaFault {
  /** RFC 6901 pointer into the value; "" is its root. */
  readonly path: string;
  /** Completes "The value at <path> ...". */
  readonly message: string;
  /** Whether it fits could not be found out in time: nothing speaks against it. Absent: it does not fit. */
  readonly isUnchecked?: true;
}

/** Without what could not be checked. */
export const provenFaults = (faults: ReadonlyArray<SchemaFault>): ReadonlyArray<SchemaFault> =>
  faults.filter(({ isUnchecked }) => isUnchecked !== true);

/** Faults told of one value: enough to mend an answer, few enough to show to a model. */
export const FAULTS_MAX = 20;

export class SchemaChecker extends Context.Service<
  SchemaChecker,
  {
    /** Whether the schema can be used at all. Its size was checked before (domain/SchemaRules). */
    readonly check: (schema: JsonObject) => Effect.Effect<void, SchemaRefused>;

    /**
     * The faults of a value, at most {@link FAULTS_MAX}, and what could not be checked in time; none when it
     * conforms.
     *
     * @fails SchemaRefused as `check`; `too_costly` also when this value makes it so
     */
    readonly validate: (
      schema: JsonObject,
      value: Schema.Json
    ) => Effect.Effect<ReadonlyArray<SchemaFault>, SchemaRefused>;
  }
>()("@winnow/core/ports/SchemaChecker") {}
