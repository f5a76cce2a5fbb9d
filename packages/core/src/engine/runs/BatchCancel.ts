/** Cancels the items of a batch, one after the other; the sweeper finishes what a process that ended left over. */
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import { decideBatchStatus } from "../../domain/run/BatchSubmission.ts";
import type { Extraction } from "../../domain/run/Extraction.ts";
import { isTerminal } from "../../domain/run/Transition.ts";
import { Store } from "../../ports/Store.ts";
import type { NotFound } from "../../domain/request/Refusal.ts";

/** Maximum interrupted cancels that one sweep finishes. */
const CANCELS_MAX = 10;

type Cancel<R> = (accountId: string, id: string) => Effect.Effect<Extraction, NotFound, R>;

const cancelItems = Effect.fnUntraced(function* <R>(cancel: Cancel<R>, accountId: string, batchId: string) {
  const store = yield* Store;
  for (const { extractionId, status } of yield* store.listBatchItems(accountId, batchId)) {
    if (extractionId === null || status === null || isTerminal(status)) continue;
    // An item deleted meanwhile needs no cancel.
    yield* Effect.ignore(cancel(accountId, extractionId), { log: false });
  }
});

/** @fails NotFound no such batch */
export const cancelBatch = Effect.fn("BatchCancel.cancelBatch")(function* <R>(
  cancel: Cancel<R>,
  accountId: string,
  id: string
) {
  const store = yield* Store;
  const nowMs = yield* Clock.currentTimeMillis;
  yield* store.transact(accountId, { batchId: id }, decideBatchStatus("cancelled", nowMs));
  yield* cancelItems(cancel, accountId, id);
});

export const finishCancels = Effect.fnUntraced(function* <R>(cancel: Cancel<R>) {
  const store = yield* Store;
  for (const { accountId, id } of yield* store.findCancelledBatches(CANCELS_MAX)) {
    yield* cancelItems(cancel, accountId, id);
  }
});
