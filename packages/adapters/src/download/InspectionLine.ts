/**
 * The line of those who ask for a look that is neither kept nor under way: by account in turn, and out of the line
 * again once anybody's look at the same URL begins.
 */
import type { Busy } from "@winnow/core/domain/Refusal";
import type { InspectOptions } from "@winnow/core/ports/Downloader";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import type { FairPermits, GiveBack, Restore } from "../shares/FairPermits.ts";
import { busy } from "./InspectionTurn.ts";

/** Askers in line, in all and of one account; one that may not wait for ever is refused then. */
const IN_LINE_MAX = 1_024;
export const IN_LINE_OF_ACCOUNT_MAX = 64;

export interface InspectionLine {
  /** The permit of the turn that has come; null when somebody else's look at the URL has begun first. */
  readonly awaitTurn: (
    url: string,
    options: InspectOptions,
    restore: Restore
  ) => Effect.Effect<GiveBack | null, Busy>;
  /** A look at the URL begins. */
  readonly begin: (url: string) => Effect.Effect<void>;
}

/** Whether one that would wait for its turn is to be refused instead. */
const isCrowded = (permits: FairPermits, { accountId, waitMaxMs }: InspectOptions): boolean =>
  waitMaxMs !== undefined &&
  (permits.waiting() >= IN_LINE_MAX || permits.waitingOf(accountId) >= IN_LINE_OF_ACCOUNT_MAX);

const tooLong = (waitMaxMs: number | undefined): Effect.Effect<never, Busy> =>
  waitMaxMs === undefined ? Effect.never : Effect.andThen(Effect.sleep(waitMaxMs), Effect.fail(busy));

export const makeInspectionLine = (permits: FairPermits): InspectionLine => {
  /** Done when a look at the URL begins; only of URLs that somebody is in line for. */
  const beginnings = new Map<string, { readonly begun: Deferred.Deferred<void>; askers: number }>();

  const enter = (url: string) => {
    const beginning = beginnings.get(url) ?? { begun: Deferred.makeUnsafe<void>(), askers: 0 };
    beginnings.set(url, beginning);
    beginning.askers += 1;
    const leave = Effect.sync(() => {
      beginning.askers -= 1;
      if (beginning.askers === 0 && beginnings.get(url) === beginning) beginnings.delete(url);
    });
    return { begun: Deferred.await(beginning.begun), leave };
  };

  return {
    awaitTurn: (url, options, restore) =>
      Effect.suspend(() => {
        if (isCrowded(permits, options)) return Effect.fail(busy);
        const { begun, leave } = enter(url);
        let taken: GiveBack | null = null;
        const turn = Effect.uninterruptibleMask((inner) =>
          Effect.map(permits.take(options.accountId, inner), (giveBack) => {
            taken = giveBack;
          })
        );
        return restore(Effect.raceAllFirst([turn, begun, tooLong(options.waitMaxMs)])).pipe(
          Effect.onError(() => taken ?? Effect.void),
          Effect.map(() => taken),
          Effect.ensuring(leave)
        );
      }),
    begin: (url) =>
      Effect.suspend(() => {
        const beginning = beginnings.get(url);
        beginnings.delete(url);
        return beginning === undefined
          ? Effect.void
          : Effect.asVoid(Deferred.succeed(beginning.begun, undefined));
      })
  };
};
