/** What does not fit together in what a server keeps. */

/**
 * `balance`: an account's balance is not the sum of its ledger. `ledger`: an entry's balance does not follow from the
 * one before. `charge`: an extraction's credits are not those of its ledger entries. `slots`, `waiting`: counts of an
 * account's runs are wrong. `ending`: a run has ended without its result or failure, or has not ended and has one.
 * `missing_file`: a result names a file that is not there, or of another size. `unnamed_file`: files of an attempt
 * that no extraction names.
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
  /** Of the account, the extraction, or the attempt as `extraction/attempt`. */
  readonly id: string;
  /** One sentence for the operator. */
  readonly detail: string;
}

/** Of each kind that are looked for: who has more has another problem. */
export const FOUND_MAX = 1_000;
