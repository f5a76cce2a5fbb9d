/**
 * Permits for something scarce in this process, shared out among accounts (core's domain/FairLine): no account
 * alone has more than half of them, and who waits is served in turn.
 */
import { makeFairLine } from "@winnow/core/domain/FairLine";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";

/** Gives the permit back; a second time changes nothing. */
export type GiveBack = Effect.Effect<void>;

/** Makes a part of what is not interruptible the caller's to stop, as `Effect.uninterruptibleMask` gives it. */
export type Restore = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>;

export interface FairPermits {
  /**
   * Waits for the account's turn, in a region that is not interruptible; `restore` makes the waiting so, and may
   * end it with an error. Whoever gives up waiting loses the place and nothing else.
   */
  readonly take: (accountId: string, restore: Restore) => Effect.Effect<GiveBack>;
  /** Waits for a permit, and holds it while the effect runs. */
  readonly withPermit: (accountId: string) => Restore;
  /** How many wait, in all and of the account. */
  readonly waiting: () => number;
  readonly waitingOf: (accountId: string) => number;
}

/** `permitsMax`: two at least, for an account alone has half of them. */
export const makeFairPermits = (permitsMax: number): FairPermits => {
  const line = makeFairLine<Deferred.Deferred<void>>(permitsMax);

  const serve = Effect.sync(() => {
    for (let next = line.take(); next !== undefined; next = line.take()) {
      Deferred.doneUnsafe(next.item, Effect.void);
    }
  });

  const makeGiveBack = (accountId: string): GiveBack => {
    let isHeld = true;
    return Effect.suspend(() => {
      if (!isHeld) return Effect.void;
      isHeld = false;
      line.giveBack(accountId);
      return serve;
    });
  };

  const take: FairPermits["take"] = (accountId, restore) =>
    Effect.suspend(() => {
      const turn = Deferred.makeUnsafe<void>();
      const giveBack = makeGiveBack(accountId);
      line.join(accountId, turn);
      const withdraw = Effect.suspend(() => {
        if (Deferred.isDoneUnsafe(turn)) return giveBack;
        line.leave(accountId, turn);
        // Others may have more now that one account less waits.
        return serve;
      });
      return serve.pipe(
        Effect.andThen(
          Effect.suspend(() => (Deferred.isDoneUnsafe(turn) ? Effect.void : restore(Deferred.await(turn))))
        ),
        Effect.onError(() => withdraw),
        Effect.as(giveBack)
      );
    });

  return {
    take,
    withPermit: (accountId) => (effect) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(take(accountId, restore), (giveBack) => Effect.ensuring(restore(effect), giveBack))
      ),
    waiting: line.waiting,
    waitingOf: line.waitingOf
  };
};
