/**
 * Handles stuck runs: those with a lost job are enqueued again, those past all limits fail, so that every run ends.
 * Deletes data past its retention.
 */
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Schedule from "effect/Schedule";
import type { RunJob } from "../../domain/run/Decision.ts";
import type { Extraction } from "../../domain/run/Extraction.ts";
import { decideExpire } from "../../domain/result/Settlement.ts";
import { JobQueue } from "../../ports/JobQueue.ts";
import { Store } from "../../ports/Store.ts";
import { sweepRemovals } from "../extractions/Removal.ts";
import { EngineSettings } from "../EngineSettings.ts";
import { announceEnd, finishCancels } from "./Runs.ts";

export const SWEEP_INTERVAL_MS = 15_000;

/** Interval of the removal of data past its retention. */
export const REMOVAL_INTERVAL_MS = 60_000;

/** A pending run as old as this may have lost its job; enqueueing one that has not changes nothing. */
export const PENDING_STALLED_MS = 60_000;

/** On top of a run's own limit: time for its worker to end it by itself. */
export const EXPIRY_GRACE_MS = 120_000;

/** Maximum runs per sweep; the next sweep continues. */
const SWEPT_MAX = 200;

/** One sweep; returns the number of runs it failed. */
export const sweep = Effect.fn("Sweeper.sweep")(function* () {
  const store = yield* Store;
  const queue = yield* JobQueue;
  const { runTimeoutMs } = yield* EngineSettings;
  const nowMs = yield* Clock.currentTimeMillis;
  const startedBeforeMs = nowMs - runTimeoutMs - EXPIRY_GRACE_MS;
  const expire = ({ accountId, extractionId }: RunJob) =>
    store.transact(accountId, decideExpire(extractionId, startedBeforeMs, nowMs)).pipe(
      Effect.map(({ value }) => value),
      Effect.orDie
    );
  const stalled = yield* store.findStalled({
    pendingBeforeMs: nowMs - PENDING_STALLED_MS,
    startedBeforeMs,
    limit: SWEPT_MAX
  });
  const expired: Array<Extraction> = [];
  for (const { status, ...job } of stalled) {
    if (status === "pending") {
      yield* queue.enqueue(job);
    } else {
      const failed = yield* expire(job);
      if (failed !== null) expired.push(failed);
    }
  }
  return expired;
});

const tolerant = Effect.catchCause((cause) => Effect.logWarning("The sweeper failed", cause));

/** Removes data past its retention, in a separate loop so that a large backlog does not delay sweeps. */
export const removeOnSchedule = tolerant(sweepRemovals()).pipe(
  Effect.repeat(Schedule.spaced(REMOVAL_INTERVAL_MS))
);

/** Runs sweeps in a loop. A failed sweep is logged, and the next one runs as usual. */
export const sweepOnSchedule = sweep().pipe(
  Effect.flatMap((expired) => Effect.forEach(expired, announceEnd, { discard: true })),
  Effect.andThen(finishCancels()),
  tolerant,
  Effect.repeat(Schedule.spaced(SWEEP_INTERVAL_MS))
);
