/**
 * An account: whose balance pays and whose slots run.
 */
import * as Schema from "effect/Schema";
import { Credits } from "./Credits.ts";
import { LimitsGiven } from "./PlanLimits.ts";

/** A plan that an account was on until then, in Unix milliseconds. */
const FormerPlan = Schema.Struct({ plan: Schema.String, changedAtMs: Schema.Int });
export type FormerPlan = typeof FormerPlan.Type;

export const Account = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  balance: Credits,
  /** Pending and running extractions, 0 to `runningMax` of its plan; more while that was just lowered. */
  slotsUsed: Schema.Int,
  /** Whether the first-top-up bonus was granted; it is once per account. */
  bonusGranted: Schema.Boolean,
  /** Name of its plan (domain/Plan); absent for `default`. */
  plan: Schema.optionalKey(Schema.String),
  /** What it may do other than its plan says; absent for nothing. */
  limits: Schema.optionalKey(LimitsGiven),
  /** The plan before the last change, whose prices still hold for what was quoted, and those before it. */
  planBefore: Schema.optionalKey(
    Schema.Struct({ ...FormerPlan.fields, earlier: Schema.optionalKey(Schema.Array(FormerPlan)) })
  ),
  createdAtMs: Schema.Int
});
export type Account = typeof Account.Type;
