/**
 * Permits for a scarce resource of this process, shared fairly among accounts (core's domain/run/FairQueue): no account
 * ever holds more than half of them, even when nobody else waits, and waiting accounts take turns.
 */
import { type FairShares, makeFairQueue } from "@winnow/core/domain/run/FairQueue";
import { CurrentRun } from "@winnow/core/ports/CurrentRun";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";

/** Releases the permit; repeated calls have no effect. */
export type Release = Effect.Effect<void>;

/** Makes part of an uninterruptible region interruptible, as provided by `Effect.uninterruptibleMask`. */
export type Restore = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>;

export interface FairPermits {
  /**
   * Waits for a permit in an uninterruptible region; `restore` makes the wait interruptible, and may fail it. An
   * interrupted wait only loses its place in the queue.
   */
  readonly acquire: (accountId: string, restore: Restore) => Effect.Effect<Release>;
  /** Waits for a permit, and holds it while the effect runs. */
  readonly withPermit: (accountId: string) => Restore;
  /** Number of waiters, in total and of the account. */
  readonly waiting: () => number;
  readonly waitingOf: (accountId: string) => number;
}

/** Waits for a permit of the run's account, and holds it while the effect runs. */
export const inTurnOfRun =
  ({ withPermit }: FairPermits): Restore =>
  (effect) =>
    Effect.flatMap(CurrentRun, ({ accountId }) => withPermit(accountId)(effect));

/** `permitsMax`: at least two, because an account gets at most half of them. */
export const makeFairPermits = (permitsMax: number, shares: FairShares = {}): FairPermits => {
  const queue = makeFairQueue<Deferred.Deferred<void>>(permitsMax, shares);

  const serve = Effect.sync(() => {
    for (let next = queue.dequeue(); next !== undefined; next = queue.dequeue()) {
      Deferred.doneUnsafe(next.item, Effect.void);
    }
  });

  const makeRelease = (accountId: string): Release => {
    let isHeld = true;
    return Effect.suspend(() => {
      if (!isHeld) return Effect.void;
      isHeld = false;
      queue.release(accountId);
      return serve;
    });
  };

  const acquire: FairPermits["acquire"] = (accountId, restore) =>
    Effect.suspend(() => {
      const turn = Deferred.makeUnsafe<void>();
      const release = makeRelease(accountId);
      queue.enqueue(accountId, turn);
      const withdraw = Effect.suspend(() => {
        if (Deferred.isDoneUnsafe(turn)) return release;
        queue.remove(accountId, turn);
        // Others may get more now that fewer accounts wait.
        return serve;
      });
      return serve.pipe(
        Effect.andThen(
          Effect.suspend(() => (Deferred.isDoneUnsafe(turn) ? Effect.void : restore(Deferred.await(turn))))
        ),
        Effect.onError(() => withdraw),
        Effect.as(release)
      );
    });

  return {
    acquire,
    withPermit: (accountId) => (effect) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(acquire(accountId, restore), (giveBack) => Effect.ensuring(restore(effect), giveBack))
      ),
    waiting: queue.waiting,
    waitingOf: queue.waitingOf
  };
};
