/**
 * Deletes extractions, on request or after the retention period, and removes the files that no extraction serves: of
 * those, and of attempts that did not settle. The store registers them before they are written, so that a crash at any
 * moment loses none.
 */
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import { retentionOf } from "../../domain/money/Plan.ts";
import { ArtifactStore } from "../../ports/ArtifactStore.ts";
import { Plans } from "../../ports/Plans.ts";
import { Store, type OrphanedFiles } from "../../ports/Store.ts";
import { findUnavailable } from "../../ports/Unavailable.ts";

/** Maximum extractions deleted per transaction, and attempts whose files are removed before the next are looked up. */
export const REMOVED_MAX = 500;

/** A frozen process may store files of an attempt that is over: they are removed again and again for this long. */
export const LATE_FILES_MS = 15 * 60_000;

/** Object stores need two round trips per attempt. */
const REMOVED_AT_ONCE = 4;

/** Dies if the storage is away; other failures concern these files only. */
const removeOrphan = Effect.fn("Removal.removeOrphan")(
  function* (orphan: OrphanedFiles) {
    const store = yield* Store;
    const { removeAttempt } = yield* ArtifactStore;
    yield* removeAttempt({ extractionId: orphan.extractionId, attempt: orphan.attempt });
    const nowMs = yield* Clock.currentTimeMillis;
    if (nowMs - orphan.endedAtMs >= LATE_FILES_MS) yield* store.forgetFiles(orphan);
  },
  Effect.catchCause((cause) =>
    findUnavailable(cause) === null
      ? Effect.logWarning("Orphaned files of an attempt could not be removed; will retry", cause)
      : Effect.failCause(cause)
  )
);

/** False if the storage was away: the next sweep continues. */
const removeFiles = (orphans: ReadonlyArray<OrphanedFiles>) =>
  Effect.forEach(orphans, removeOrphan, { concurrency: REMOVED_AT_ONCE, discard: true }).pipe(
    Effect.as(true),
    Effect.catchCause((cause) =>
      Effect.as(Effect.logWarning("Orphaned files could not be removed; will retry", cause), false)
    )
  );

/** Deletes an ended extraction; false if there is none. */
export const deleteOver = Effect.fn("Removal.deleteOver")(function* (accountId: string, id: string) {
  const store = yield* Store;
  const orphans = yield* store.deleteExtraction(accountId, id);
  if (Option.isSome(orphans)) yield* removeFiles(orphans.value);
  return Option.isSome(orphans);
});

/** Deletes extractions past their retention, in batches, until none is left. */
const deleteExpired = Effect.fn("Removal.deleteExpired")(function* () {
  const store = yield* Store;
  const retention = retentionOf((yield* Plans).book());
  const nowMs = yield* Clock.currentTimeMillis;
  let after: string | null = null;
  do {
    after = yield* store.removeExpired({ nowMs, retention, after, limit: REMOVED_MAX });
  } while (after !== null);
});

/** One round of retention and of pending removals; continues while there are many and the storage responds. */
export const sweepRemovals = Effect.fn("Removal.sweep")(function* () {
  const store = yield* Store;
  yield* deleteExpired();
  const batch = Effect.gen(function* () {
    const orphans = yield* store.takeOrphans({ nowMs: yield* Clock.currentTimeMillis, limit: REMOVED_MAX });
    return (yield* removeFiles(orphans)) && orphans.length === REMOVED_MAX;
  });
  yield* Effect.repeat(batch, { while: (isMore) => isMore });
});
