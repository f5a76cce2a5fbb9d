/** Work of which each account does only so much at once, in the order in which it was asked for. */
import * as Effect from "effect/Effect";
import * as Semaphore from "effect/Semaphore";

interface Turns {
  readonly semaphore: Semaphore.Semaphore;
  /** Pieces of work that have a turn or wait for one. */
  users: number;
}

type InTurn = <A, E, R>(accountId: string, work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>;

export const makeAccountTurns = (turnsMax: number): InTurn => {
  const turns = new Map<string, Turns>();
  return (accountId, work) =>
    Effect.suspend(() => {
      const own = turns.get(accountId) ?? { semaphore: Semaphore.makeUnsafe(turnsMax), users: 0 };
      turns.set(accountId, own);
      own.users += 1;
      return Effect.ensuring(
        own.semaphore.withPermits(1)(work),
        Effect.sync(() => {
          own.users -= 1;
          if (own.users === 0) turns.delete(accountId);
        })
      );
    });
};
