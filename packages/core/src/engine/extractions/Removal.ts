/**
 * Deletes extractions with their files, on request or after the retention period. The row is deleted first and
 * records the files to remove in the same transaction, so that a crash in between loses none.
 */
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import { retentionOf } from "../../domain/money/Plan.ts";
import { ArtifactStore } from "../../ports/ArtifactStore.ts";
import { Plans } from "../../ports/Plans.ts";
import { Store, type Expired, type LeftFiles } from "../../ports/Store.ts";

/** Maximum extractions deleted per transaction, and runs whose files are removed concurrently. */
export const REMOVED_MAX = 500;

/** How long the files of an abandoned attempt are searched for again after their first removal. */
export const LATE_FILES_MS = 15 * 60_000;

/** Object stores need a round trip per file. */
const REMOVED_AT_ONCE = 4;

/** Failures are logged and retried by the next sweep. */
const removeFiles = Effect.fn("Removal.removeFiles")(
  function* (extractionIds: ReadonlyArray<string>) {
    const store = yield* Store;
    const artifacts = yield* ArtifactStore;
    yield* artifacts.removeExtractions(extractionIds);
    yield* store.forgetAbandonedFiles(extractionIds);
    return true;
  },
  Effect.catchCause((cause) =>
    Effect.as(
      Effect.logWarning("Files of deleted extractions could not be removed; will retry", cause),
      false
    )
  )
);

/** Deletes an ended extraction; false if there is none. */
export const deleteOver = Effect.fn("Removal.deleteOver")(function* (accountId: string, id: string) {
  const store = yield* Store;
  const deleted = Option.getOrNull(yield* store.deleteExtraction(accountId, id));
  if (deleted !== null && deleted.abandoned !== null) yield* removeFiles([deleted.abandoned]);
  return deleted !== null;
});

/** Removes files that no extraction serves; continues while there are many and removal succeeds. */
const removeAbandoned = Effect.fn("Removal.removeAbandoned")(function* () {
  const store = yield* Store;
  const batch = Effect.gen(function* () {
    const ids = yield* store.findAbandonedFiles(REMOVED_MAX);
    return ids.length > 0 && (yield* removeFiles(ids)) && ids.length === REMOVED_MAX;
  });
  yield* Effect.repeat(batch, { while: (isMore) => isMore });
});

/** Deletes extractions past their retention with their files, in batches, until none is left. */
const deleteExpired = Effect.fn("Removal.deleteExpired")(function* () {
  const store = yield* Store;
  const retention = retentionOf((yield* Plans).book());
  const nowMs = yield* Clock.currentTimeMillis;
  let after: string | null = null;
  do {
    const { removed, next }: Expired = yield* store.removeExpired({
      nowMs,
      retention,
      after,
      limit: REMOVED_MAX
    });
    if (removed.length > 0) yield* removeAbandoned();
    after = next;
  } while (after !== null);
});

/**
 * Removes files that an attempt stored but no result names, because its process was killed or frozen, or its
 * storage was unavailable. A frozen process may store more when it resumes, and be killed before it removes them.
 */
const removeLeft = Effect.fn("Removal.removeLeft")(
  function* ({ extractionId, attempt, removedAtMs }: LeftFiles) {
    const store = yield* Store;
    const artifacts = yield* ArtifactStore;
    const owner = { extractionId, attempt };
    const nowMs = yield* Clock.currentTimeMillis;
    yield* artifacts.removeAttempt(owner);
    const isOver = removedAtMs !== null && nowMs - removedAtMs >= LATE_FILES_MS;
    yield* isOver ? store.forgetLeftFiles(owner) : store.noteRemoval(owner, nowMs);
  },
  Effect.catchCause((cause) =>
    Effect.logWarning("Orphaned files of an attempt could not be removed; will retry", cause)
  )
);

/** One round of retention and of pending removals. */
export const sweepRemovals = Effect.fn("Removal.sweep")(function* () {
  const store = yield* Store;
  yield* deleteExpired();
  yield* removeAbandoned();
  const unnamed = yield* store.findLeftFiles(REMOVED_MAX);
  yield* Effect.forEach(unnamed, removeLeft, { concurrency: REMOVED_AT_ONCE, discard: true });
});
