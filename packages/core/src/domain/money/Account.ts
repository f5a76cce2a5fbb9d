/** Accounts: each has a balance that pays for runs, and slots that limit how many execute. */
import * as Schema from "effect/Schema";
import { Credits } from "./Credits.ts";
import { LimitsGiven } from "./Plan.ts";

/** A plan the account was on until the given time, in Unix milliseconds. */
const FormerPlan = Schema.Struct({ plan: Schema.String, changedAtMs: Schema.Int });
export type FormerPlan = typeof FormerPlan.Type;

export const Account = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  balance: Credits,
  /** Credits of returned payments that the balance did not hold (domain/money/Payment). Above 0 only at balance 0. */
  owedCredits: Credits,
  /**
   * Number of pending and running extractions: 0 to the plan's `runningMax`, or more right after that limit was
   * lowered.
   */
  slotsUsed: Schema.Int,
  /** Whether the first-top-up bonus was granted; an account gets it once. */
  bonusGranted: Schema.Boolean,
  /** Name of the account's plan (domain/money/Plan); `default` if nobody chose one. */
  plan: Schema.String,
  /** Limits that override those of the plan. */
  limits: LimitsGiven,
  /** Previous plans, newest first. Their prices still apply to recent quotes. */
  plansBefore: Schema.Array(FormerPlan),
  /** Tokens of the language model that runs refunded in full used on a day (`YYYY-MM-DD`, UTC); null for none. */
  refundedModelUse: Schema.NullOr(Schema.Struct({ day: Schema.String, tokens: Schema.Int })),
  createdAtMs: Schema.Int
});
export type Account = typeof Account.Type;
