/** Kinds of inconsistent data. */

/**
 * `balance`: an account's balance is not the sum of its ledger. `ledger`: an entry's balance does not follow from
 * the previous one. `charge`: an extraction's credits do not match its ledger entries. `slots`, `waiting`: an
 * account's counts of runs are wrong. `ending`: a run has ended without a result or failure, or has not ended but
 * has one. `missing_file`: a file named by a result is missing or has another size. `unnamed_file`: files of an
 * attempt that no extraction names.
 */
export type InconsistencyKind =
  | "balance"
  | "ledger"
  | "charge"
  | "slots"
  | "waiting"
  | "ending"
  | "missing_file"
  | "unnamed_file";

export interface Inconsistency {
  readonly kind: InconsistencyKind;
  /** Id of the account, the extraction, or the attempt as `extraction/attempt`. */
  readonly id: string;
  /** One sentence for the operator. */
  readonly detail: string;
}

/** Maximum reported per kind; more than this indicates another problem. */
export const FOUND_MAX = 1_000;
