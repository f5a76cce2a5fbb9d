/**
 * Credits bought, and the bonus of the first time (specification, "Debits and refunds" 5).
 */
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import { FIRST_TOP_UP_BONUS_CREDITS, type Credits } from "./Credits.ts";
import { NO_CHANGES, type AccountView, type Decision } from "./Decision.ts";
import { post } from "./Ledger.ts";

/** Largest single top-up, in credits ($100,000); keeps balances exact as numbers. */
export const TOP_UP_CREDITS_MAX = 1_000_000_000;

/** What one top-up may be: nothing else is to reach {@link decideTopUp}. */
export const TopUpCredits = Schema.Int.check(
  Schema.isBetween({ minimum: 1, maximum: TOP_UP_CREDITS_MAX })
).annotate({ identifier: "TopUpCredits" });

/** The value is the balance afterwards. `credits` is of {@link TopUpCredits}. */
export const decideTopUp =
  (credits: Credits, nowMs: number) =>
  (view: AccountView): Result.Result<Decision<Credits>, never> => {
    const line = { extractionId: null, createdAtMs: nowMs };
    const bought = Result.getOrThrow(
      post(view.account, { ...line, kind: "top_up", credits, note: "Top-up" })
    );
    if (view.account.bonusGranted) {
      return Result.succeed({
        value: bought.account.balance,
        changes: { ...NO_CHANGES, account: bought.account, ledger: [bought.line] }
      });
    }
    const bonus = Result.getOrThrow(
      post(bought.account, {
        ...line,
        kind: "bonus",
        credits: FIRST_TOP_UP_BONUS_CREDITS,
        note: "First top-up bonus"
      })
    );
    return Result.succeed({
      value: bonus.account.balance,
      changes: {
        ...NO_CHANGES,
        account: { ...bonus.account, bonusGranted: true },
        ledger: [bought.line, bonus.line]
      }
    });
  };
