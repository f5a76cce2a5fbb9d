/**
 * Caches inspections, so that probe, submit and run share one, and merges concurrent inspections of one URL. An
 * inspection that nobody waits for any more is stopped.
 *
 * Accounts take turns (runtime/FairPermits): an inspection starts as soon as any of its callers gets a permit.
 */
import type { Failed } from "@winnow/core/domain/source/Failed";
import { Busy } from "@winnow/core/domain/request/Refusal";
import { CurrentRun, type Run } from "@winnow/core/ports/CurrentRun";
import type { InspectOptions, KnownSource } from "@winnow/core/ports/Downloader";
import * as Clock from "effect/Clock";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Fiber from "effect/Fiber";
import type * as Scope from "effect/Scope";
import { LRUCache } from "lru-cache";
import { type FairPermits, makeFairPermits, type Release } from "@winnow/isolation/runtime/FairPermits";
import type { DownloadLimits } from "../DownloadLimits.ts";
import { failed } from "../failures/classify.ts";
import type { PageReading } from "@winnow/pages/facts/PageReading";
import type { Inspection } from "./Inspection.ts";

/** How long the port guarantees to cache an inspection; media addresses in it live longer. */
export const INSPECTION_TTL_MS = 600_000;

/** Failures are cached just long enough to merge a burst of requests. */
export const FAILED_INSPECTION_TTL_MS = 5_000;

/** Maximum memory of all cached inspections; one of a large platform takes 0.5 to 3 MB. */
const CACHE_BYTES_MAX = 128 * 2 ** 20;

/** Maximum cached inspections. */
const CACHED_MAX = 1_000;

/**
 * Maximum callers that wait for a permit, in total and per account; callers with a limited wait are rejected beyond
 * it. An account that has none there may always wait with one.
 */
export const QUEUED_MAX = 1_024;
export const QUEUED_OF_ACCOUNT_MAX = 64;

/** Retry-After for callers that waited too long. */
const BUSY_RETRY_SECONDS = 10;

const busy = Busy.of(BUSY_RETRY_SECONDS);

/** The permit of one inspection, and its working time: time spent waiting, as for the browser, does not count. */
export interface InspectionPermit {
  /** Releases the permit early if the rest waits for another one; it is not acquired again. */
  readonly release: Release;
  /** Time does not count as work until {@link resume}. */
  readonly pause: Effect.Effect<void>;
  readonly resume: Effect.Effect<void>;
  /** Since it started. */
  readonly workedMs: Effect.Effect<number>;
}

const makeInspectionPermit = (release: Release, beganAtMs: number): InspectionPermit => {
  let pausedMs = 0;
  let pausedSinceMs: number | null = null;
  return {
    release,
    pause: Effect.map(Clock.currentTimeMillis, (nowMs) => {
      pausedSinceMs ??= nowMs;
    }),
    resume: Effect.map(Clock.currentTimeMillis, (nowMs) => {
      pausedMs += nowMs - (pausedSinceMs ?? nowMs);
      pausedSinceMs = null;
    }),
    workedMs: Effect.map(Clock.currentTimeMillis, (nowMs) => (pausedSinceMs ?? nowMs) - beganAtMs - pausedMs)
  };
};

interface PermitLimits {
  /** Maximum working time from now; default: none. */
  readonly timeoutMs?: number;
  /** Maximum waiting time, including the wait so far; default: none. */
  readonly waitMaxMs?: number;
  readonly waitedMs?: number;
}

const NEVER = Number.POSITIVE_INFINITY;

/** Fails once the inspection has worked, or its caller has waited, for too long. */
export const failOnTimeout = Effect.fnUntraced(function* (
  { workedMs }: InspectionPermit,
  { timeoutMs = NEVER, waitMaxMs = NEVER, waitedMs = 0 }: PermitLimits
): Effect.fn.Return<never, Failed | Busy> {
  if (timeoutMs === NEVER && waitMaxMs === NEVER) return yield* Effect.never;
  const startMs = yield* Clock.currentTimeMillis;
  const workedBeforeMs = yield* workedMs;
  for (;;) {
    const spentMs = (yield* workedMs) - workedBeforeMs;
    const idleMs = waitedMs + (yield* Clock.currentTimeMillis) - startMs - spentMs;
    if (spentMs >= timeoutMs) return yield* failed("timeout");
    if (idleMs >= waitMaxMs) return yield* busy;
    yield* Effect.sleep(Math.max(1, Math.min(timeoutMs - spentMs, waitMaxMs - idleMs)));
  }
});

interface Finished {
  readonly exit: Exit.Exit<Inspection, Failed>;
  readonly startedAtMs: number;
}

const charsOf = ({ text: { markdown, plain, wholePage } }: PageReading): number =>
  plain.length +
  markdown.length +
  (wholePage === null ? 0 : wholePage.text.length + wholePage.markdown.length);

const sourceSizeBytes = (source: Inspection["source"]): number => {
  switch (source._tag) {
    case "Video":
      return [source.info, ...source.extraMedia.videos].reduce(
        (sum, { raw }) => sum + JSON.stringify(raw).length * 3,
        0
      );
    case "Photos":
      return source.images.join("").length * 2;
    case "Webpage":
      // All of it is in its sections again.
      return charsOf(source.page) * 4;
  }
};

/** Approximate memory. */
const sizeBytesOf = ({ details, source }: Inspection): number =>
  JSON.stringify(details).length * 3 + sourceSizeBytes(source);

const makeFinished = Effect.map(
  Clock.Clock,
  (clock) =>
    new LRUCache<string, Finished>({
      max: CACHED_MAX,
      maxSize: CACHE_BYTES_MAX,
      // A size of 0 is not accepted.
      sizeCalculation: ({ exit }) => (Exit.isSuccess(exit) ? Math.max(1, sizeBytesOf(exit.value)) : 1),
      ttl: INSPECTION_TTL_MS,
      ttlAutopurge: true,
      ttlResolution: 0,
      // It takes 0, where clocks of tests begin, for no time, and would look every millisecond for what has expired.
      perf: { now: () => 1 + clock.currentTimeMillisUnsafe() }
    })
);

/** An inspection that somebody waits for. */
interface Wanted {
  readonly started: Deferred.Deferred<InspectionPermit>;
  readonly result: Deferred.Deferred<Inspection, Failed>;
  fiber: Fiber.Fiber<unknown, unknown> | null;
  callers: number;
}

export type Inspect = (
  url: string,
  permit: InspectionPermit,
  known?: KnownSource
) => Effect.Effect<Inspection, Failed>;

/** Inspections that somebody waits for; results are stored in `finished`. */
const makeWanted = Effect.fnUntraced(function* (
  inspect: Inspect,
  finished: Effect.Success<typeof makeFinished>
) {
  const scope = yield* Effect.scope;
  const wanted = new Map<string, Wanted>();

  const drop = (url: string, inspection: Wanted): boolean =>
    wanted.get(url) === inspection && wanted.delete(url);

  const join = (url: string): Wanted => {
    const inspection = wanted.get(url) ?? {
      started: Deferred.makeUnsafe(),
      result: Deferred.makeUnsafe(),
      fiber: null,
      callers: 0
    };
    wanted.set(url, inspection);
    inspection.callers += 1;
    return inspection;
  };

  /** Starts it with the permit, which is released if another caller's permit came first. Uninterruptible. */
  const start = Effect.fnUntraced(function* (
    url: string,
    inspection: Wanted,
    { known }: InspectOptions,
    release: Release
  ) {
    if (Deferred.isDoneUnsafe(inspection.started)) return yield* release;
    const startedAtMs = yield* Clock.currentTimeMillis;
    const permit = makeInspectionPermit(release, startedAtMs);
    inspection.fiber = yield* Effect.interruptible(inspect(url, permit, known)).pipe(
      Effect.onExit((exit) => {
        const isFinal = drop(url, inspection) && !Exit.hasInterrupts(exit) && !Exit.hasDies(exit);
        const ttl = Exit.isSuccess(exit) ? INSPECTION_TTL_MS : FAILED_INSPECTION_TTL_MS;
        if (isFinal) finished.set(url, { exit, startedAtMs }, { ttl });
        return Deferred.done(inspection.result, exit);
      }),
      Effect.ensuring(release),
      Effect.forkIn(scope)
    );
    yield* Deferred.succeed(inspection.started, permit);
  });

  /** The last caller stops it. */
  const leave = (url: string, inspection: Wanted): Effect.Effect<void> => {
    inspection.callers -= 1;
    return inspection.callers > 0 || !drop(url, inspection) || inspection.fiber === null
      ? Effect.void
      : Fiber.interrupt(inspection.fiber);
  };

  return { join, start, leave };
});

export interface InspectionCache {
  /** Uses one in progress, or a cached one that started at `notBeforeMs` or later. */
  readonly get: (url: string, options: InspectOptions) => Effect.Effect<Inspection, Failed | Busy>;
  /** Inspects anew for a run whose inspection is of no use to it, and caches that instead. */
  readonly renew: (
    url: string,
    options: InspectOptions,
    inspect: Inspect
  ) => Effect.Effect<Inspection, Failed>;
}

export const permitsOf = (limits: DownloadLimits): FairPermits =>
  makeFairPermits(limits.inspectionsAtOnceMax, {
    ofAccountMax: limits.inspectionsOfAccountMax,
    forNewcomers: limits.inspectionsForNewcomers
  });

export const makeInspectionCache = Effect.fnUntraced(function* (
  permits: FairPermits,
  inspect: Inspect
): Effect.fn.Return<InspectionCache, never, Scope.Scope> {
  const finished = yield* makeFinished;
  const wanted = yield* makeWanted(inspect, finished);

  /** Whether a caller must be rejected instead of waiting. */
  const isQueueFull = ({ accountId }: Run, { waitMaxMs }: InspectOptions): boolean =>
    waitMaxMs !== undefined &&
    permits.waitingOf(accountId) >= (permits.waiting() < QUEUED_MAX ? QUEUED_OF_ACCOUNT_MAX : 1);

  /** The permit with which the inspection works: this caller's, or that of another who got one first. */
  const waitForStart = Effect.fnUntraced(function* (
    url: string,
    inspection: Wanted,
    options: InspectOptions
  ) {
    if (Deferred.isDoneUnsafe(inspection.started)) return yield* Deferred.await(inspection.started);
    const run = yield* CurrentRun;
    if (isQueueFull(run, options)) return yield* busy;
    const own = Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(permits.acquire(run.accountId, restore), (release) =>
        wanted.start(url, inspection, options, release)
      )
    );
    const waiting = Effect.raceFirst(own, Effect.asVoid(Deferred.await(inspection.started)));
    const { waitMaxMs } = options;
    yield* waitMaxMs === undefined
      ? waiting
      : Effect.timeoutOrElse(waiting, { duration: waitMaxMs, orElse: () => Effect.fail(busy) });
    return yield* Deferred.await(inspection.started);
  });

  const get = Effect.fnUntraced(function* (url: string, options: InspectOptions) {
    const known = finished.get(url);
    if (known !== undefined && known.startedAtMs >= (options.notBeforeMs ?? 0)) return yield* known.exit;
    const requestedAtMs = yield* Clock.currentTimeMillis;
    return yield* Effect.acquireUseRelease(
      Effect.sync(() => wanted.join(url)),
      Effect.fnUntraced(function* (inspection) {
        const permit = yield* waitForStart(url, inspection, options);
        const waitedMs = (yield* Clock.currentTimeMillis) - requestedAtMs;
        const { result } = inspection;
        return yield* Effect.raceFirst(
          Deferred.await(result),
          failOnTimeout(permit, { ...options, waitedMs })
        );
      }),
      (inspection) => Effect.suspend(() => wanted.leave(url, inspection))
    );
  });

  const renew: InspectionCache["renew"] = (url, { known }, inspectAnew) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        finished.delete(url);
        const release = yield* permits.acquire((yield* CurrentRun).accountId, restore);
        const startedAtMs = yield* Clock.currentTimeMillis;
        const permit = makeInspectionPermit(release, startedAtMs);
        const exit = yield* Effect.exit(restore(inspectAnew(url, permit, known)));
        yield* release;
        if (Exit.isSuccess(exit)) finished.set(url, { exit, startedAtMs }, { ttl: INSPECTION_TTL_MS });
        return yield* exit;
      })
    );

  return { get, renew };
});
