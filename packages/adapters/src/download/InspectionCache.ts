/**
 * Keeps looks for a while, so that probe, submit and run share one, and makes looks at one URL at the same
 * time one look. A look that nobody waits for any more is stopped.
 *
 * A look begins when the turn of one who asks for it comes (shares/FairPermits); whoever else waits for the same
 * one then leaves the line.
 */
import type { Busy } from "@winnow/core/domain/Refusal";
import type { DownloadFailed, InspectOptions, KnownSource } from "@winnow/core/ports/Downloader";
import * as Clock from "effect/Clock";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Fiber from "effect/Fiber";
import * as Scope from "effect/Scope";
import { LRUCache } from "lru-cache";
import type { FairPermits, Restore } from "../shares/FairPermits.ts";
import { type Inspection, inspectionSizeBytes } from "./Inspection.ts";
import { makeInspectionLine } from "./InspectionLine.ts";
import { type InspectionTurn, makeInspectionTurn, overrun, type TurnLimits } from "./InspectionTurn.ts";

/** How long the port promises to keep a look; addresses of media inside it live longer. */
export const INSPECTION_TTL_MS = 600_000;

/** A failure is kept just long enough that a burst of the same request is one look. */
export const FAILED_INSPECTION_TTL_MS = 5_000;

/** Memory of all kept looks together; one of a large platform takes 0.5 to 3 MB. */
const KEPT_BYTES_MAX = 128 * 2 ** 20;

/** At most so often all kept looks are gone through for those that are over: of many, that takes longer than a look. */
const DROP_INTERVAL_MS = 5_000;

/** Kept looks; small ones would otherwise pile up. */
const KEPT_MAX = 1_000;

/** A look that has not ended. */
interface UnderWay {
  readonly result: Deferred.Deferred<Inspection, DownloadFailed>;
  readonly turn: InspectionTurn;
  readonly startedAtMs: number;
  waiting: number;
  fiber: Fiber.Fiber<unknown, unknown> | null;
}

interface Kept {
  readonly exit: Exit.Exit<Inspection, DownloadFailed>;
  readonly startedAtMs: number;
  readonly expiresAtMs: number;
}

export interface InspectionCache {
  /** One that is under way will do; a kept one that began before `notBeforeMs` will not. */
  readonly get: (url: string, options: InspectOptions) => Effect.Effect<Inspection, DownloadFailed | Busy>;
  /** Forgets a finished look, so that the next `get` looks again. */
  readonly forget: (url: string) => Effect.Effect<void>;
}

const sizeOf = ({ exit }: Kept): number =>
  // The cache takes nothing for nothing.
  Exit.isSuccess(exit) ? Math.max(1, inspectionSizeBytes(exit.value)) : 1;

/** The looks that have ended; the clock is the caller's. */
const makeKept = () => {
  const kept = new LRUCache<string, Kept>({
    max: KEPT_MAX,
    maxSize: KEPT_BYTES_MAX,
    sizeCalculation: sizeOf
  });

  let droppedAtMs = 0;
  const dropExpired = (nowMs: number): void => {
    if (nowMs - droppedAtMs < DROP_INTERVAL_MS) return;
    droppedAtMs = nowMs;
    for (const [url, { expiresAtMs }] of kept.entries()) if (expiresAtMs <= nowMs) kept.delete(url);
  };

  return {
    recent: (url: string, { notBeforeMs = 0 }: InspectOptions, nowMs: number): Kept | undefined => {
      const found = kept.get(url);
      return found !== undefined && found.expiresAtMs > nowMs && found.startedAtMs >= notBeforeMs
        ? found
        : undefined;
    },
    keep: (url: string, { startedAtMs }: UnderWay, exit: Kept["exit"], nowMs: number): void => {
      dropExpired(nowMs);
      const ttlMs = Exit.isSuccess(exit) ? INSPECTION_TTL_MS : FAILED_INSPECTION_TTL_MS;
      kept.set(url, { exit, startedAtMs, expiresAtMs: nowMs + ttlMs });
    },
    forget: (url: string): void => {
      kept.delete(url);
    }
  };
};

type Inspect = (
  url: string,
  turn: InspectionTurn,
  known?: KnownSource
) => Effect.Effect<Inspection, DownloadFailed>;

/** The looks under way; what becomes of them goes to `keep`. */
const makeLooks = Effect.fnUntraced(function* (inspect: Inspect, keep: ReturnType<typeof makeKept>["keep"]) {
  const scope = yield* Effect.scope;
  const underWay = new Map<string, UnderWay>();

  const drop = (url: string, look: UnderWay): void => {
    if (underWay.get(url) === look) underWay.delete(url);
  };

  const settle = Effect.fnUntraced(function* (url: string, look: UnderWay, exit: Kept["exit"]) {
    const nowMs = yield* Clock.currentTimeMillis;
    const isAwaited = underWay.get(url) === look;
    drop(url, look);
    if (isAwaited && !Exit.hasInterrupts(exit) && !Exit.hasDies(exit)) keep(url, look, exit, nowMs);
    yield* Deferred.done(look.result, exit);
  });

  const start = Effect.fnUntraced(function* (url: string, turn: InspectionTurn, known?: KnownSource) {
    const look: UnderWay = {
      result: Deferred.makeUnsafe(),
      turn,
      startedAtMs: yield* Clock.currentTimeMillis,
      waiting: 0,
      fiber: null
    };
    underWay.set(url, look);
    look.fiber = yield* Effect.interruptible(inspect(url, turn, known)).pipe(
      Effect.onExit((exit) => settle(url, look, exit)),
      Effect.ensuring(turn.giveBack),
      Effect.forkIn(scope)
    );
    return look;
  });

  const leave = (url: string, look: UnderWay) =>
    Effect.suspend(() => {
      look.waiting -= 1;
      if (look.waiting > 0 || look.fiber === null || underWay.get(url) !== look) return Effect.void;
      drop(url, look);
      return Fiber.interrupt(look.fiber);
    });

  const join = (url: string, look: UnderWay, limits: TurnLimits, restore: Restore) => {
    look.waiting += 1;
    return restore(Effect.raceFirst(Deferred.await(look.result), overrun(look.turn, limits))).pipe(
      Effect.ensuring(leave(url, look))
    );
  };

  return { at: (url: string) => underWay.get(url), start, join };
});

export const makeInspectionCache = Effect.fnUntraced(function* (
  permits: FairPermits,
  inspect: Inspect
): Effect.fn.Return<InspectionCache, never, Scope.Scope> {
  const kept = makeKept();
  const looks = yield* makeLooks(inspect, kept.keep);
  const line = makeInspectionLine(permits);

  const find = Effect.fnUntraced(function* (url: string, options: InspectOptions) {
    return kept.recent(url, options, yield* Clock.currentTimeMillis) ?? looks.at(url);
  });

  /** The look that is kept or under way, or a new one once a turn has come. */
  const enter = Effect.fnUntraced(function* (url: string, options: InspectOptions, restore: Restore) {
    for (;;) {
      const found = yield* find(url, options);
      if (found !== undefined) return found;
      const giveBack = yield* line.awaitTurn(url, options, restore);
      if (giveBack === null) continue;
      const begun = yield* find(url, options);
      if (begun !== undefined) {
        yield* giveBack;
        return begun;
      }
      const turn = yield* makeInspectionTurn(options.accountId, giveBack);
      const look = yield* looks.start(url, turn, options.known);
      yield* line.begin(url);
      return look;
    }
  });

  const get: InspectionCache["get"] = (url, options) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const askedAtMs = yield* Clock.currentTimeMillis;
        const look = yield* enter(url, options, restore);
        if ("exit" in look) return yield* look.exit;
        const waitedMs = (yield* Clock.currentTimeMillis) - askedAtMs;
        return yield* looks.join(url, look, { ...options, waitedMs }, restore);
      })
    );

  return { get, forget: (url) => Effect.sync(() => kept.forget(url)) };
});
