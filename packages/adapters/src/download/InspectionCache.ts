/**
 * Keeps looks for a while, so that probe, submit and run share one, and makes looks at one URL at the same
 * time one look. A look that nobody waits for any more is stopped.
 *
 * A look begins when the turn of one who asks for it comes (shares/FairPermits); whoever else waits for the same
 * one then leaves the line.
 */
import type { Busy } from "@winnow/core/domain/Refusal";
import type { DownloadFailed, InspectOptions } from "@winnow/core/ports/Downloader";
import * as Clock from "effect/Clock";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Fiber from "effect/Fiber";
import * as Scope from "effect/Scope";
import type { FairPermits, Restore } from "../shares/FairPermits.ts";
import { type Inspection, inspectionSizeBytes } from "./Inspection.ts";
import { makeInspectionLine } from "./InspectionLine.ts";
import { type InspectionTurn, makeInspectionTurn, overrun } from "./InspectionTurn.ts";

/** How long the port promises to keep a look; addresses of media inside it live longer. */
export const INSPECTION_TTL_MS = 600_000;

/** A failure is kept just long enough that a burst of the same request is one look. */
export const FAILED_INSPECTION_TTL_MS = 5_000;

/** Memory of all kept looks together; one of a large platform takes 0.5 to 3 MB. */
const KEPT_BYTES_MAX = 128 * 2 ** 20;

/** Kept looks; small ones would otherwise pile up. */
const KEPT_MAX = 1_000;

interface Entry {
  readonly result: Deferred.Deferred<Inspection, DownloadFailed>;
  readonly turn: InspectionTurn;
  waiting: number;
  readonly startedAtMs: number;
  /** Null while the look is under way. */
  expiresAtMs: number | null;
  sizeBytes: number;
  fiber: Fiber.Fiber<unknown, unknown> | null;
}

export interface InspectionCache {
  /** One that is under way will do; a kept one that began before `notBeforeMs` will not. */
  readonly get: (url: string, options: InspectOptions) => Effect.Effect<Inspection, DownloadFailed | Busy>;
  /** Forgets a finished look, so that the next `get` looks again. */
  readonly forget: (url: string) => Effect.Effect<void>;
}

const isRecent = ({ expiresAtMs, startedAtMs }: Entry, notBeforeMs: number): boolean =>
  expiresAtMs === null || startedAtMs >= notBeforeMs;

const evict = (entries: Map<string, Entry>, nowMs: number): void => {
  let keptBytes = 0;
  for (const { sizeBytes } of entries.values()) keptBytes += sizeBytes;
  for (const [url, entry] of entries) {
    const surplus = entries.size > KEPT_MAX || keptBytes > KEPT_BYTES_MAX;
    if (entry.expiresAtMs === null || (entry.expiresAtMs > nowMs && !surplus)) continue;
    entries.delete(url);
    keptBytes -= entry.sizeBytes;
  }
};

/** The looks that are kept or under way. */
const makeKept = () => {
  /** Oldest first. */
  const entries = new Map<string, Entry>();

  const drop = (url: string, entry: Entry): void => {
    if (entries.get(url) === entry) entries.delete(url);
  };

  const settle = Effect.fnUntraced(function* (
    url: string,
    entry: Entry,
    exit: Exit.Exit<Inspection, DownloadFailed>
  ) {
    const nowMs = yield* Clock.currentTimeMillis;
    entry.expiresAtMs = nowMs + (Exit.isSuccess(exit) ? INSPECTION_TTL_MS : FAILED_INSPECTION_TTL_MS);
    entry.sizeBytes = Exit.isSuccess(exit) ? inspectionSizeBytes(exit.value) : 0;
    if (Exit.hasInterrupts(exit) || Exit.hasDies(exit)) drop(url, entry);
    evict(entries, nowMs);
    yield* Deferred.done(entry.result, exit);
  });

  return {
    add: (url: string, entry: Entry): void => {
      entries.delete(url); // Set alone would leave it at its old place.
      entries.set(url, entry);
    },
    recent: (url: string, { notBeforeMs = 0 }: InspectOptions, nowMs: number): Entry | undefined => {
      evict(entries, nowMs);
      const kept = entries.get(url);
      return kept !== undefined && isRecent(kept, notBeforeMs) ? kept : undefined;
    },
    settle,
    drop,
    forget: (url: string): void => {
      const entry = entries.get(url);
      if (entry !== undefined && entry.expiresAtMs !== null) entries.delete(url);
    }
  };
};

export const makeInspectionCache = Effect.fnUntraced(function* (
  permits: FairPermits,
  inspect: (url: string, turn: InspectionTurn) => Effect.Effect<Inspection, DownloadFailed>
): Effect.fn.Return<InspectionCache, never, Scope.Scope> {
  const scope = yield* Effect.scope;
  const kept = makeKept();
  const line = makeInspectionLine(permits);

  const start = Effect.fnUntraced(function* (url: string, turn: InspectionTurn) {
    const entry: Entry = {
      result: Deferred.makeUnsafe(),
      turn,
      waiting: 0,
      startedAtMs: yield* Clock.currentTimeMillis,
      expiresAtMs: null,
      sizeBytes: 0,
      fiber: null
    };
    kept.add(url, entry);
    yield* line.begin(url);
    entry.fiber = yield* Effect.interruptible(inspect(url, turn)).pipe(
      Effect.onExit((exit) => kept.settle(url, entry, exit)),
      Effect.ensuring(turn.giveBack),
      Effect.forkIn(scope)
    );
    return entry;
  });

  const leave = (url: string, entry: Entry) =>
    Effect.suspend(() => {
      entry.waiting -= 1;
      if (entry.waiting > 0 || entry.expiresAtMs !== null || entry.fiber === null) return Effect.void;
      kept.drop(url, entry);
      return Fiber.interrupt(entry.fiber);
    });

  /** The look that is kept or under way, or a new one once a turn has come. */
  const enter = Effect.fnUntraced(function* (url: string, options: InspectOptions, restore: Restore) {
    for (;;) {
      const found = kept.recent(url, options, yield* Clock.currentTimeMillis);
      if (found !== undefined) return found;
      const giveBack = yield* line.awaitTurn(url, options, restore);
      if (giveBack === null) continue;
      const begun = kept.recent(url, options, yield* Clock.currentTimeMillis);
      if (begun === undefined)
        return yield* start(url, yield* makeInspectionTurn(options.accountId, giveBack));
      yield* giveBack;
      return begun;
    }
  });

  const get: InspectionCache["get"] = (url, options) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const askedAtMs = yield* Clock.currentTimeMillis;
        const entry = yield* enter(url, options, restore);
        entry.waiting += 1;
        const limits = { ...options, waitedMs: (yield* Clock.currentTimeMillis) - askedAtMs };
        return yield* restore(
          Effect.raceFirst(Deferred.await(entry.result), overrun(entry.turn, limits))
        ).pipe(Effect.ensuring(leave(url, entry)));
      })
    );

  return { get, forget: (url) => Effect.sync(() => kept.forget(url)) };
});
