/**
 * The limits and rates of an account, outside of store decisions.
 *
 * Raised limits of new plans apply immediately: waiting runs get additional slots without waiting for another decision
 * of their account. Also at start-up, since plans may have changed while the server was down.
 */
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as Schedule from "effect/Schedule";
import { planOf, type AccountPlan, UNPLANNED } from "../../domain/money/Plan.ts";
import { decidePromotion } from "../../domain/run/AccountDecisions.ts";
import { Plans } from "../../ports/Plans.ts";
import { Store } from "../../ports/Store.ts";

/** For an unknown account: the default plan. */
export const accountPlan = Effect.fnUntraced(function* (
  accountId: string
): Effect.fn.Return<AccountPlan, never, Store> {
  const account = yield* (yield* Store).getAccount(accountId);
  return planOf(
    (yield* Plans).book(),
    Option.getOrElse(account, () => UNPLANNED),
    yield* Clock.currentTimeMillis
  );
});

/** Accounts per batch. */
const ACCOUNTS_MAX = 1_000;

/** Retry interval while the database is unavailable. */
const RETRY = Schedule.spaced("5 seconds");

/** A decision sees only a few waiting runs, so that a large raise takes several decisions. */
export const promoteWaiting = (accountId: string) =>
  Store.use((store) => store.transact(accountId, decidePromotion)).pipe(
    Effect.repeat({ until: ({ value: promoted }) => promoted === 0 })
  );

/** All accounts with waiting runs, one after another. */
const promoteAll = Effect.gen(function* () {
  const store = yield* Store;
  for (let after: string | null = ""; after !== null;) {
    const found: ReadonlyArray<string> = yield* store.findWaitingAccounts({ after, limit: ACCOUNTS_MAX });
    for (const accountId of found) {
      yield* Effect.ignore(promoteWaiting(accountId)); // a deleted account has no runs
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

/** Runs until the scope closes. */
export const layer: Layer.Layer<never, never, Store> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { book, replacementOf } = yield* Plans;
    const round = Effect.suspend(() => Effect.andThen(promoteAll, replacementOf(book())));
    yield* Effect.forkScoped(Effect.forever(round));
  })
);
