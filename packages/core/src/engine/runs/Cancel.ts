/**
 * Cancels runs, and the items of a batch one after the other; the sweeper finishes what a process that ended left over.
 */
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import { decideBatchStatus } from "../../domain/run/BatchSubmission.ts";
import type { Extraction } from "../../domain/run/Extraction.ts";
import { decideCancel } from "../../domain/result/Settlement.ts";
import { eventOf } from "../../domain/run/RunProgress.ts";
import { isTerminal } from "../../domain/run/Transition.ts";
import { Store } from "../../ports/Store.ts";
import { NotFound } from "../../domain/request/Refusal.ts";
import { RunFeed } from "../../ports/RunFeed.ts";
import { isId } from "../Ids.ts";

/** Maximum interrupted cancels that one sweep finishes. */
const CANCELS_MAX = 10;

export const announceEnd = Effect.fnUntraced(function* (
  extraction: Pick<Extraction, "id" | "status" | "attempt">
) {
  const feed = yield* RunFeed;
  yield* feed.publish(extraction.id, eventOf(extraction));
});

export const endRun = Effect.fn("Runs.end")(function* (accountId: string, id: string) {
  if (!isId("ext", id)) return yield* NotFound.of("extraction");
  const store = yield* Store;
  const nowMs = yield* Clock.currentTimeMillis;
  const { value: found } = yield* store.transact(accountId, decideCancel(id, nowMs));
  if (found === null) return yield* NotFound.of("extraction");
  return found;
});

export const cancel = (accountId: string, id: string) => Effect.tap(endRun(accountId, id), announceEnd);

const cancelItems = Effect.fnUntraced(function* (accountId: string, batchId: string) {
  const store = yield* Store;
  for (const { extractionId, status } of yield* store.listBatchItems(accountId, batchId)) {
    if (extractionId === null || status === null || isTerminal(status)) continue;
    // An item deleted meanwhile needs no cancel.
    yield* Effect.ignore(cancel(accountId, extractionId), { log: false });
  }
});

/** @fails NotFound no such batch */
export const cancelBatch = Effect.fn("Cancel.cancelBatch")(function* (accountId: string, id: string) {
  const store = yield* Store;
  const nowMs = yield* Clock.currentTimeMillis;
  yield* store.transact(accountId, decideBatchStatus(id, "cancelled", nowMs));
  yield* cancelItems(accountId, id);
});

export const finishCancels = Effect.fnUntraced(function* () {
  const store = yield* Store;
  for (const { accountId, id } of yield* store.findCancelledBatches(CANCELS_MAX)) {
    yield* cancelItems(accountId, id);
  }
});
