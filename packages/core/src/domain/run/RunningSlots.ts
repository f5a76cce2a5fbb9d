/** The running slots of an account: first in, first out, within the plan's limit. */
import type { Account } from "../money/Account.ts";
import type { RunJob } from "./Decision.ts";
import { moved, type Extraction } from "./Extraction.ts";

export interface Promotion {
  readonly account: Account;
  readonly promoted: ReadonlyArray<Extraction>;
  readonly jobs: ReadonlyArray<RunJob>;
}

export const jobOf = (extraction: Extraction): RunJob => ({
  accountId: extraction.accountId,
  extractionId: extraction.id,
  traceparent: extraction.request.traceparent
});

/** Assigns free slots to the oldest waiting extractions. `waiting` must be in order of submission. */
export const promote = (
  account: Account,
  waiting: ReadonlyArray<Extraction>,
  runningMax: number
): Promotion => {
  const free = Math.max(0, runningMax - account.slotsUsed);
  const promoted = waiting.slice(0, free).map((extraction) => moved(extraction, "dispatch"));
  return {
    account: { ...account, slotsUsed: account.slotsUsed + promoted.length },
    promoted,
    jobs: promoted.map(jobOf)
  };
};
