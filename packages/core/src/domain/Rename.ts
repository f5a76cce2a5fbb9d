/**
 * The decision of giving an account another name.
 */
import * as Result from "effect/Result";
import type { Account } from "./Account.ts";
import { NO_CHANGES, type AccountView, type Decision } from "./Decision.ts";

export const decideRename =
  (name: string) =>
  (view: AccountView): Result.Result<Decision<Account>, never> => {
    const account = { ...view.account, name };
    return Result.succeed({ value: account, changes: { ...NO_CHANGES, account } });
  };
