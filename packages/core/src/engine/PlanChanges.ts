/**
 * What new plans allow more counts at once: runs that wait get the slots of a raised limit without a decision of their
 * account that would come upon them. Looks at its start, too, since plans may have changed while nothing ran.
 */
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Schedule from "effect/Schedule";
import { decidePromotion } from "../domain/AccountChange.ts";
import { Plans } from "../ports/Plans.ts";
import { Store } from "../ports/Store.ts";

/** Accounts of one look; the next one goes on after them. */
const ACCOUNTS_MAX = 1_000;

/** Between two tries while the database is away. */
const RETRY = Schedule.spaced("5 seconds");

/** A view shows a few of those that wait, so that a limit that was raised by many takes several. */
export const promoteWaiting = (store: Store["Service"], accountId: string) =>
  Effect.map(store.transact(accountId, {}, decidePromotion), ({ value }) => value).pipe(
    Effect.repeat({ until: (promoted) => promoted === 0 })
  );

/** Every account with runs that wait, one after another. */
const promoteAll = (store: Store["Service"]) =>
  Effect.gen(function* () {
    for (let after: string | null = ""; after !== null;) {
      const found: ReadonlyArray<string> = yield* store.findWaitingAccounts({ after, limit: ACCOUNTS_MAX });
      for (const accountId of found) {
        yield* Effect.ignore(promoteWaiting(store, accountId)); // an account that is gone has none
      }
      after = found.length < ACCOUNTS_MAX ? null : (found.at(-1) ?? null);
    }
  }).pipe(
    Effect.tapCause((cause) =>
      Effect.logWarning("Raised limits could not be applied to waiting runs; will retry", cause)
    ),
    Effect.sandbox,
    Effect.retry(RETRY)
  );

/** Until the scope closes. */
export const layer: Layer.Layer<never, never, Store> = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* Store;
    const { book, replacementOf = () => Effect.never } = yield* Plans;
    const round = Effect.suspend(() => {
      const current = book();
      return Effect.andThen(promoteAll(store), replacementOf(current));
    });
    yield* Effect.forkScoped(Effect.forever(round));
  })
);
