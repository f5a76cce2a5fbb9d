/**
 * What an account may do, and at what rates, outside of a decision of its store.
 */
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import { planOf, type AccountPlan } from "../domain/Plan.ts";
import { Plans } from "../ports/Plans.ts";
import { Store } from "../ports/Store.ts";

/** Of an account that is not there: the default plan. */
export const accountPlan = Effect.fnUntraced(function* (
  accountId: string
): Effect.fn.Return<AccountPlan, never, Store> {
  const account = yield* (yield* Store).getAccount(accountId);
  return planOf(
    (yield* Plans).book(),
    Option.getOrElse(account, () => ({})),
    yield* Clock.currentTimeMillis
  );
});
