/**
 * What an account may do, and at what rates, outside of a decision of its store.
 */
import * as Clock from "effect/Clock";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import type { Account } from "../domain/Account.ts";
import { planOf, type AccountPlan } from "../domain/Plan.ts";
import { Plans } from "../ports/Plans.ts";
import { Store } from "../ports/Store.ts";

/** The account of the request that this fiber serves, as it was when the request was let in. */
export class RequestAccount extends Context.Reference<(() => Account) | null>(
  "@winnow/core/engine/RequestAccount",
  { defaultValue: () => null }
) {}

/** Of an account that is not there: the default plan. Spares the trip where the account is known already. */
export const accountPlan = Effect.fnUntraced(function* (
  accountId: string
): Effect.fn.Return<AccountPlan, never, Store> {
  const known = (yield* RequestAccount)?.() ?? null;
  const account = known?.id === accountId ? Option.some(known) : yield* (yield* Store).getAccount(accountId);
  return planOf(
    (yield* Plans).book(),
    Option.getOrElse(account, () => ({})),
    yield* Clock.currentTimeMillis
  );
});
