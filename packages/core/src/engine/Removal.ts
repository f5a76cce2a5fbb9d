/**
 * Deletes extractions with their files: at their owner's wish, and when their time is over. The row goes
 * first and leaves word of files that nobody serves any more, so that a crash in between loses none.
 */
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import { retentionOf } from "../domain/Plan.ts";
import { ArtifactStore } from "../ports/ArtifactStore.ts";
import { Plans } from "../ports/Plans.ts";
import { Store, type Expired, type LeftFiles } from "../ports/Store.ts";

/** Extractions that one transaction deletes, and runs whose files are removed together. */
export const REMOVED_MAX = 500;

/** How long files of an attempt that its own process did not end are looked for, after they were first removed. */
export const LATE_FILES_MS = 15 * 60_000;

/** Stores of objects take a round trip each. */
const REMOVED_AT_ONCE = 4;

/** What fails is told to the log and tried again by the next sweep. */
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

/** Deletes an extraction that is over; false when there is none. */
export const deleteOver = Effect.fn("Removal.deleteOver")(function* (accountId: string, id: string) {
  const store = yield* Store;
  const deleted = Option.getOrNull(yield* store.deleteExtraction(accountId, id));
  if (deleted !== null && deleted.abandoned !== null) yield* removeFiles([deleted.abandoned]);
  return deleted !== null;
});

/** Removes files that nobody serves any more; goes on while there are many and they can be removed. */
const removeAbandoned = Effect.fn("Removal.removeAbandoned")(function* () {
  const store = yield* Store;
  const batch = Effect.gen(function* () {
    const ids = yield* store.findAbandonedFiles(REMOVED_MAX);
    return ids.length > 0 && (yield* removeFiles(ids)) && ids.length === REMOVED_MAX;
  });
  yield* Effect.repeat(batch, { while: (isMore) => isMore });
});

/** Deletes what was over longer ago than results are kept, with its files: batch by batch, until none is left. */
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
 * Files that an attempt stored and no result names: its process was killed or frozen, or its storage was away. One
 * that was frozen may store more when it goes on, and be killed before it removes them.
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

/** One round of retention, and of what earlier removals and attempts left. */
export const sweepRemovals = Effect.fn("Removal.sweep")(function* () {
  const store = yield* Store;
  yield* deleteExpired();
  yield* removeAbandoned();
  const unnamed = yield* store.findLeftFiles(REMOVED_MAX);
  yield* Effect.forEach(unnamed, removeLeft, { concurrency: REMOVED_AT_ONCE, discard: true });
});
