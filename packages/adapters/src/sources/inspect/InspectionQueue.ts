/**
 * The queue for inspections that are neither cached nor in progress: accounts take turns, and all callers for a URL
 * leave the queue once any inspection of it starts.
 */
import type { Busy } from "@winnow/core/domain/request/Refusal";
import type { InspectOptions } from "@winnow/core/ports/Downloader";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import type { FairPermits, Release, Restore } from "../../runtime/FairPermits.ts";
import { busy } from "./InspectionPermit.ts";

/**
 * Maximum callers in the queue, in total and per account; callers with a limited wait are rejected beyond it. An
 * account that has none there may always wait with one.
 */
export const QUEUED_MAX = 1_024;
export const QUEUED_OF_ACCOUNT_MAX = 64;

export interface InspectionQueue {
  /** A permit; null if another caller's inspection of the URL has started first. */
  readonly acquire: (
    url: string,
    options: InspectOptions,
    restore: Restore
  ) => Effect.Effect<Release | null, Busy>;
  /** Signals that an inspection of the URL starts. */
  readonly begin: (url: string) => Effect.Effect<void>;
}

/** Whether a caller must be rejected instead of waiting. */
const isQueueFull = (permits: FairPermits, { accountId, waitMaxMs }: InspectOptions): boolean =>
  waitMaxMs !== undefined &&
  permits.waitingOf(accountId) >= (permits.waiting() < QUEUED_MAX ? QUEUED_OF_ACCOUNT_MAX : 1);

const failAfter = (waitMaxMs: number | undefined): Effect.Effect<never, Busy> =>
  waitMaxMs === undefined ? Effect.never : Effect.andThen(Effect.sleep(waitMaxMs), Effect.fail(busy));

export const makeInspectionQueue = (permits: FairPermits): InspectionQueue => {
  /** Signals by URL, only while somebody waits for it; completed when an inspection starts. */
  const pending = new Map<string, { readonly started: Deferred.Deferred<void>; waiting: number }>();

  const enter = (url: string) => {
    const entry = pending.get(url) ?? { started: Deferred.makeUnsafe<void>(), waiting: 0 };
    pending.set(url, entry);
    entry.waiting += 1;
    const leave = Effect.sync(() => {
      entry.waiting -= 1;
      if (entry.waiting === 0 && pending.get(url) === entry) pending.delete(url);
    });
    return { started: Deferred.await(entry.started), leave };
  };

  return {
    acquire: (url, options, restore) =>
      Effect.suspend(() => {
        if (isQueueFull(permits, options)) return Effect.fail(busy);
        const { started, leave } = enter(url);
        let acquired: Release | null = null;
        const permit = Effect.uninterruptibleMask((inner) =>
          Effect.map(permits.acquire(options.accountId, inner), (release) => {
            acquired = release;
          })
        );
        return restore(Effect.raceAllFirst([permit, started, failAfter(options.waitMaxMs)])).pipe(
          Effect.onError(() => acquired ?? Effect.void),
          Effect.map(() => acquired),
          Effect.ensuring(leave)
        );
      }),
    begin: (url) =>
      Effect.suspend(() => {
        const entry = pending.get(url);
        pending.delete(url);
        return entry === undefined ? Effect.void : Effect.asVoid(Deferred.succeed(entry.started, undefined));
      })
  };
};
