/**
 * What an account may do, and at what rates, outside of a decision of its store.
 */
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import { planOf, type AccountPlan } from "../domain/Plan.ts";
import { Plans } from "../ports/Plans.ts";
import { Store } from "../ports/Store.ts";
import { RequestRows } from "./RequestRows.ts";

/** Of an account that is not there: the default plan. Spares the trip where the account is known already. */
export const accountPlan = Effect.fnUntraced(function* (
  accountId: string
): Effect.fn.Return<AccountPlan, never, Store> {
  const known = (yield* RequestRows).account?.() ?? null;
  const account = known?.id === accountId ? Option.some(known) : yield* (yield* Store).getAccount(accountId);
  return planOf(
    (yield* Plans).book(),
    Option.getOrElse(account, () => ({})),
    yield* Clock.currentTimeMillis
  );
});
