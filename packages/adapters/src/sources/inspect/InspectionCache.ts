/**
 * Caches inspections, so that probe, submit and run share one, and coalesces concurrent inspections of one URL. An
 * inspection nobody waits for is stopped.
 *
 * An inspection starts once one of its callers gets a permit (shares/FairPermits); the other callers then leave the
 * queue.
 */
import type { Busy } from "@winnow/core/domain/request/Refusal";
import type { DownloadFailed, InspectOptions, KnownSource } from "@winnow/core/ports/Downloader";
import * as Clock from "effect/Clock";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Fiber from "effect/Fiber";
import * as Scope from "effect/Scope";
import { LRUCache } from "lru-cache";
import type { FairPermits, Restore } from "../../runtime/FairPermits.ts";
import { type Inspection, inspectionSizeBytes } from "./Inspection.ts";
import { makeInspectionQueue } from "./InspectionQueue.ts";
import {
  type InspectionPermit,
  makeInspectionPermit,
  failOnTimeout,
  type PermitLimits
} from "./InspectionPermit.ts";

/** How long the port guarantees to cache an inspection; media addresses in it live longer. */
export const INSPECTION_TTL_MS = 600_000;

/** Failures are cached just long enough to coalesce a burst of requests. */
export const FAILED_INSPECTION_TTL_MS = 5_000;

/** Maximum memory of all cached inspections; one of a large platform takes 0.5 to 3 MB. */
const CACHE_BYTES_MAX = 128 * 2 ** 20;

/** Minimum interval between purges of expired entries, which are expensive when there are many. */
const DROP_INTERVAL_MS = 5_000;

/** Maximum cached inspections. */
const CACHED_MAX = 1_000;

/** An inspection in progress. */
interface InFlightInspection {
  readonly result: Deferred.Deferred<Inspection, DownloadFailed>;
  readonly permit: InspectionPermit;
  readonly startedAtMs: number;
  waiting: number;
  fiber: Fiber.Fiber<unknown, unknown> | null;
}

interface CachedInspection {
  readonly exit: Exit.Exit<Inspection, DownloadFailed>;
  readonly startedAtMs: number;
  readonly expiresAtMs: number;
}

export interface InspectionCache {
  /** Uses one in progress, or a cached one that started at `notBeforeMs` or later. */
  readonly get: (url: string, options: InspectOptions) => Effect.Effect<Inspection, DownloadFailed | Busy>;
  /** Drops a finished inspection, so that the next `get` starts a new one. */
  readonly forget: (url: string) => Effect.Effect<void>;
}

const sizeOf = ({ exit }: CachedInspection): number =>
  // The cache does not accept a size of 0.
  Exit.isSuccess(exit) ? Math.max(1, inspectionSizeBytes(exit.value)) : 1;

/** Finished inspections; the caller provides the clock. */
const makeFinishedInspections = () => {
  const finished = new LRUCache<string, CachedInspection>({
    max: CACHED_MAX,
    maxSize: CACHE_BYTES_MAX,
    sizeCalculation: sizeOf
  });

  let droppedAtMs = 0;
  const dropExpired = (nowMs: number): void => {
    if (nowMs - droppedAtMs < DROP_INTERVAL_MS) return;
    droppedAtMs = nowMs;
    for (const [url, { expiresAtMs }] of finished.entries()) if (expiresAtMs <= nowMs) finished.delete(url);
  };

  return {
    recent: (
      url: string,
      { notBeforeMs = 0 }: InspectOptions,
      nowMs: number
    ): CachedInspection | undefined => {
      const found = finished.get(url);
      return found !== undefined && found.expiresAtMs > nowMs && found.startedAtMs >= notBeforeMs
        ? found
        : undefined;
    },
    keep: (
      url: string,
      { startedAtMs }: InFlightInspection,
      exit: CachedInspection["exit"],
      nowMs: number
    ): void => {
      dropExpired(nowMs);
      const ttlMs = Exit.isSuccess(exit) ? INSPECTION_TTL_MS : FAILED_INSPECTION_TTL_MS;
      finished.set(url, { exit, startedAtMs, expiresAtMs: nowMs + ttlMs });
    },
    forget: (url: string): void => {
      finished.delete(url);
    }
  };
};

type Inspect = (
  url: string,
  permit: InspectionPermit,
  known?: KnownSource
) => Effect.Effect<Inspection, DownloadFailed>;

/** Inspections in progress; results are passed to `keep`. */
const makeInFlightInspections = Effect.fnUntraced(function* (
  inspect: Inspect,
  keep: ReturnType<typeof makeFinishedInspections>["keep"]
) {
  const scope = yield* Effect.scope;
  const inFlight = new Map<string, InFlightInspection>();

  const drop = (url: string, inspection: InFlightInspection): void => {
    if (inFlight.get(url) === inspection) inFlight.delete(url);
  };

  const settle = Effect.fnUntraced(function* (
    url: string,
    inspection: InFlightInspection,
    exit: CachedInspection["exit"]
  ) {
    const nowMs = yield* Clock.currentTimeMillis;
    const isAwaited = inFlight.get(url) === inspection;
    drop(url, inspection);
    if (isAwaited && !Exit.hasInterrupts(exit) && !Exit.hasDies(exit)) keep(url, inspection, exit, nowMs);
    yield* Deferred.done(inspection.result, exit);
  });

  const start = Effect.fnUntraced(function* (url: string, permit: InspectionPermit, known?: KnownSource) {
    const inspection: InFlightInspection = {
      result: Deferred.makeUnsafe(),
      permit,
      startedAtMs: yield* Clock.currentTimeMillis,
      waiting: 0,
      fiber: null
    };
    inFlight.set(url, inspection);
    inspection.fiber = yield* Effect.interruptible(inspect(url, permit, known)).pipe(
      Effect.onExit((exit) => settle(url, inspection, exit)),
      Effect.ensuring(permit.release),
      Effect.forkIn(scope)
    );
    return inspection;
  });

  const leave = (url: string, inspection: InFlightInspection) =>
    Effect.suspend(() => {
      inspection.waiting -= 1;
      if (inspection.waiting > 0 || inspection.fiber === null || inFlight.get(url) !== inspection)
        return Effect.void;
      drop(url, inspection);
      return Fiber.interrupt(inspection.fiber);
    });

  const join = (url: string, inspection: InFlightInspection, limits: PermitLimits, restore: Restore) => {
    inspection.waiting += 1;
    return restore(
      Effect.raceFirst(Deferred.await(inspection.result), failOnTimeout(inspection.permit, limits))
    ).pipe(Effect.ensuring(leave(url, inspection)));
  };

  return { at: (url: string) => inFlight.get(url), start, join };
});

export const makeInspectionCache = Effect.fnUntraced(function* (
  permits: FairPermits,
  inspect: Inspect
): Effect.fn.Return<InspectionCache, never, Scope.Scope> {
  const finished = makeFinishedInspections();
  const inFlight = yield* makeInFlightInspections(inspect, finished.keep);
  const queue = makeInspectionQueue(permits);

  const find = Effect.fnUntraced(function* (url: string, options: InspectOptions) {
    return finished.recent(url, options, yield* Clock.currentTimeMillis) ?? inFlight.at(url);
  });

  /** A cached inspection, the one in progress, or a new one once there is a permit. */
  const enter = Effect.fnUntraced(function* (url: string, options: InspectOptions, restore: Restore) {
    for (;;) {
      const found = yield* find(url, options);
      if (found !== undefined) return found;
      const release = yield* queue.acquire(url, options, restore);
      if (release === null) continue;
      const running = yield* find(url, options);
      if (running !== undefined) {
        yield* release;
        return running;
      }
      const permit = yield* makeInspectionPermit(options.accountId, release);
      const inspection = yield* inFlight.start(url, permit, options.known);
      yield* queue.begin(url);
      return inspection;
    }
  });

  const get: InspectionCache["get"] = (url, options) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const requestedAtMs = yield* Clock.currentTimeMillis;
        const inspection = yield* enter(url, options, restore);
        if ("exit" in inspection) return yield* inspection.exit;
        const waitedMs = (yield* Clock.currentTimeMillis) - requestedAtMs;
        return yield* inFlight.join(url, inspection, { ...options, waitedMs }, restore);
      })
    );

  return { get, forget: (url) => Effect.sync(() => finished.forget(url)) };
});
