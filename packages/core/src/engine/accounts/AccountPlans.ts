/** The limits and rates of an account, outside of store decisions. */
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import { planOf, type AccountPlan } from "../../domain/money/Plan.ts";
import { Plans } from "../../ports/Plans.ts";
import { Store } from "../../ports/Store.ts";

/** For an unknown account: the default plan. */
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
