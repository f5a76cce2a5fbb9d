/**
 * Keeps looks for a while, so that probe, submit and run share one, and makes looks at one URL at the same
 * time one look. A look that nobody waits for any more is stopped.
 */
import type { DownloadFailed } from "@winnow/core/ports/Downloader";
import * as Clock from "effect/Clock";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Fiber from "effect/Fiber";
import * as Scope from "effect/Scope";
import { type Look, sizeOfLook } from "./Look.ts";

/** How long the port promises to keep a look; addresses of media inside it live longer. */
export const LOOK_TTL_MS = 600_000;

/** A failure is kept just long enough that a burst of the same request is one look. */
export const FAILED_LOOK_TTL_MS = 5_000;

/** Memory of all kept looks together; one of a large platform takes 0.5 to 3 MB. */
const KEPT_BYTES_MAX = 128 * 2 ** 20;

/** Kept looks; small ones would otherwise pile up. */
const KEPT_MAX = 1_000;

interface Entry {
  readonly result: Deferred.Deferred<Look, DownloadFailed>;
  waiting: number;
  readonly startedAtMs: number;
  /** Null while the look is under way. */
  expiresAtMs: number | null;
  sizeBytes: number;
  fiber: Fiber.Fiber<unknown, unknown> | null;
}

export interface LookCache {
  /** One that is under way will do; a kept one that began before `notBeforeMs` will not. */
  readonly get: (url: string, notBeforeMs?: number) => Effect.Effect<Look, DownloadFailed>;
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

export const makeLookCache = Effect.fnUntraced(function* (
  look: (url: string) => Effect.Effect<Look, DownloadFailed>
): Effect.fn.Return<LookCache, never, Scope.Scope> {
  const scope = yield* Effect.scope;
  /** Oldest first. */
  const entries = new Map<string, Entry>();

  const forgetEntry = (url: string, entry: Entry): void => {
    if (entries.get(url) === entry) entries.delete(url);
  };

  const settle = Effect.fnUntraced(function* (
    url: string,
    entry: Entry,
    exit: Exit.Exit<Look, DownloadFailed>
  ) {
    const nowMs = yield* Clock.currentTimeMillis;
    entry.expiresAtMs = nowMs + (Exit.isSuccess(exit) ? LOOK_TTL_MS : FAILED_LOOK_TTL_MS);
    entry.sizeBytes = Exit.isSuccess(exit) ? sizeOfLook(exit.value) : 0;
    if (Exit.hasInterrupts(exit) || Exit.hasDies(exit)) forgetEntry(url, entry);
    evict(entries, nowMs);
    yield* Deferred.done(entry.result, exit);
  });

  const start = Effect.fnUntraced(function* (url: string, startedAtMs: number) {
    const entry: Entry = {
      result: Deferred.makeUnsafe(),
      waiting: 0,
      startedAtMs,
      expiresAtMs: null,
      sizeBytes: 0,
      fiber: null
    };
    entries.delete(url); // Set alone would leave it at its old place.
    entries.set(url, entry);
    entry.fiber = yield* Effect.interruptible(look(url)).pipe(
      Effect.onExit((exit) => settle(url, entry, exit)),
      Effect.forkIn(scope)
    );
    return entry;
  });

  const leave = (url: string, entry: Entry) =>
    Effect.suspend(() => {
      entry.waiting -= 1;
      if (entry.waiting > 0 || entry.expiresAtMs !== null || entry.fiber === null) return Effect.void;
      forgetEntry(url, entry);
      return Fiber.interrupt(entry.fiber);
    });

  const get: LookCache["get"] = (url, notBeforeMs = 0) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const nowMs = yield* Clock.currentTimeMillis;
        evict(entries, nowMs);
        const kept = entries.get(url);
        const entry = kept !== undefined && isRecent(kept, notBeforeMs) ? kept : yield* start(url, nowMs);
        entry.waiting += 1;
        return yield* restore(Deferred.await(entry.result)).pipe(Effect.ensuring(leave(url, entry)));
      })
    );

  const forget = (url: string) =>
    Effect.sync(() => {
      const entry = entries.get(url);
      if (entry !== undefined && entry.expiresAtMs !== null) entries.delete(url);
    });

  return { get, forget };
});
