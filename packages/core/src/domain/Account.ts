/**
 * An account: whose balance pays and whose two slots run.
 */
import * as Schema from "effect/Schema";
import { Credits } from "./Credits.ts";

/** Extractions of an account that may be pending or running at once (specification, "Limits"). */
export const SLOTS_MAX = 2;

/** Extractions of an account that may wait, unless the operator sets another number (contract 4). */
export const WAITING_MAX_DEFAULT = 1_000;

export const Account = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  balance: Credits,
  /** Pending and running extractions, 0 to {@link SLOTS_MAX}. */
  slotsUsed: Schema.Int,
  /** Whether the first-top-up bonus was granted; it is once per account. */
  bonusGranted: Schema.Boolean,
  createdAtMs: Schema.Int
});
export type Account = typeof Account.Type;
