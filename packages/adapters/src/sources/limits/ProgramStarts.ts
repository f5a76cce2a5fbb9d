/**
 * Accounts take turns at starting the programs of inspections, which needs a processor. Waiting for the source, which
 * begins with the program's first connection, does not, so it holds no permit.
 */
import { availableParallelism } from "node:os";
import * as Effect from "effect/Effect";
import { makeFairPermits, type Restore } from "../../runtime/FairPermits.ts";

/** Programs that start at the same time. */
const STARTS_AT_ONCE_MAX = Math.max(2, availableParallelism());

/** A start takes about 20 ms of CPU time; a program that has not connected by then may never do so. */
export const START_TIMEOUT_MS = 1_000;

/** Runs the program once it is the account's turn. `connected`: completes with the program's first connection. */
export type StartInTurn = (accountId: string, connected: Effect.Effect<void>) => Restore;

export const makeProgramStarts = (startsAtOnceMax = STARTS_AT_ONCE_MAX): StartInTurn => {
  const permits = makeFairPermits(startsAtOnceMax);
  return (accountId, connected) => (program) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(permits.acquire(accountId, restore), (release) => {
        const started = Effect.raceFirst(connected, Effect.sleep(START_TIMEOUT_MS));
        const releaseEarly = started.pipe(Effect.andThen(release), Effect.andThen(Effect.never));
        return Effect.ensuring(restore(Effect.raceFirst(program, releaseEarly)), release);
      })
    );
};
