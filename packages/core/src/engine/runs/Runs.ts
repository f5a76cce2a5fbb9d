/**
 * What is done with a run from any process, whichever executes it (engine/runs/Worker): it is cancelled, deleted and
 * watched. Tests: Cancel.test.ts, RunWatch.test.ts, the server's batches.test.ts.
 */
import * as Clock from "effect/Clock";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import type * as Scope from "effect/Scope";
import type * as Stream from "effect/Stream";
import { decideBatchStatus } from "../../domain/run/BatchSubmission.ts";
import type { Extraction } from "../../domain/run/Extraction.ts";
import { decideCancel } from "../../domain/result/Settlement.ts";
import { eventOf, type RunEvent } from "../../domain/run/RunProgress.ts";
import { isTerminal } from "../../domain/run/Transition.ts";
import { Store } from "../../ports/Store.ts";
import { NotFound } from "../../domain/request/Refusal.ts";
import { ArtifactStore } from "../../ports/ArtifactStore.ts";
import { RunFeed } from "../../ports/RunFeed.ts";
import { deleteOver } from "../extractions/Removal.ts";
import { isId } from "../Ids.ts";
import { watchRun } from "./ProgressFeed.ts";

export class Runs extends Context.Service<
  Runs,
  {
    /**
     * Cancels a run with a full refund and returns the extraction; one that has ended is not changed. Its worker stops
     * when the feed notifies it, or soon after, when it looks by itself.
     */
    readonly cancel: (accountId: string, id: string) => Effect.Effect<Extraction, NotFound>;

    /**
     * Cancels a batch: nothing of it starts any more, and each item that has not ended is cancelled with its refund.
     * If this process ends before that, the sweeper of another continues.
     */
    readonly cancelBatch: (accountId: string, id: string) => Effect.Effect<void, NotFound>;

    /** Cancels a live run first. Deletes result, prompt, idempotency key and files; ledger entries remain. */
    readonly remove: (accountId: string, id: string) => Effect.Effect<void, NotFound>;

    /**
     * Progress events of a run in any process, from its present state up to the event of its end; only that one if it
     * has already ended.
     */
    readonly watch: (
      accountId: string,
      id: string
    ) => Effect.Effect<Stream.Stream<RunEvent>, NotFound, Scope.Scope>;
  }
>()("@winnow/core/engine/runs/Runs") {}

/** Maximum interrupted cancels that one sweep finishes. */
const CANCELS_MAX = 10;

export const announceEnd = Effect.fnUntraced(function* (
  extraction: Pick<Extraction, "id" | "status" | "attempt">
) {
  const feed = yield* RunFeed;
  yield* feed.publish(extraction.id, eventOf(extraction));
});

const end = Effect.fn("Runs.end")(function* (accountId: string, id: string) {
  if (!isId("ext", id)) return yield* NotFound.of("extraction");
  const store = yield* Store;
  const nowMs = yield* Clock.currentTimeMillis;
  const { value: found } = yield* store.transact(accountId, decideCancel(id, nowMs));
  if (found === null) return yield* NotFound.of("extraction");
  return found;
});

const cancel = (accountId: string, id: string) => Effect.tap(end(accountId, id), announceEnd);

const cancelItems = Effect.fnUntraced(function* (accountId: string, batchId: string) {
  const store = yield* Store;
  for (const { extractionId, status } of yield* store.listBatchItems(accountId, batchId)) {
    if (extractionId === null || status === null || isTerminal(status)) continue;
    // An item deleted meanwhile needs no cancel.
    yield* Effect.ignore(cancel(accountId, extractionId), { log: false });
  }
});

const cancelBatch = Effect.fn("Runs.cancelBatch")(function* (accountId: string, id: string) {
  const store = yield* Store;
  const nowMs = yield* Clock.currentTimeMillis;
  yield* store.transact(accountId, decideBatchStatus(id, "cancelled", nowMs));
  yield* cancelItems(accountId, id);
});

/** Of batches, that processes which ended left over. */
export const finishCancels = Effect.fnUntraced(function* () {
  const store = yield* Store;
  for (const { accountId, id } of yield* store.findCancelledBatches(CANCELS_MAX)) {
    yield* cancelItems(accountId, id);
  }
});

type Needs = Store | ArtifactStore | RunFeed;

const make = Effect.gen(function* () {
  const ports = Context.pick(Store, ArtifactStore, RunFeed)(yield* Effect.context<Needs>());

  return Runs.of({
    cancel: (accountId, id) => Effect.provide(cancel(accountId, id), ports),
    cancelBatch: (accountId, id) => Effect.provide(cancelBatch(accountId, id), ports),
    remove: Effect.fn("Runs.remove")(function* (accountId, id) {
      const found = yield* end(accountId, id);
      yield* deleteOver(accountId, id);
      // When it is gone, because watchers read the result of what has ended.
      yield* announceEnd(found);
    }, Effect.provide(ports)),
    watch: (accountId, id) => Effect.provide(watchRun(accountId, id), ports)
  });
});

export const layer: Layer.Layer<Runs, never, Needs> = Layer.effect(Runs, make);
