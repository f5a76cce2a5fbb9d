/**
 * The language model's tokens of runs that were refunded in full, by account and UTC day. The operator pays them and
 * nobody else does, so a daily allowance limits them.
 */
import * as Result from "effect/Result";
import type { Account } from "../money/Account.ts";
import { NO_CHANGES, nothing, type AccountView, type Decision } from "./Decision.ts";
import { DAY_MS, dayOf } from "./Usage.ts";

export const refundedTokens = ({ refundedModelUse }: Account, nowMs: number): number =>
  refundedModelUse?.day === dayOf(nowMs) ? refundedModelUse.tokens : 0;

export const withRefundedTokens = (account: Account, tokens: number, nowMs: number): Account =>
  tokens === 0
    ? account
    : {
        ...account,
        refundedModelUse: { day: dayOf(nowMs), tokens: refundedTokens(account, nowMs) + tokens }
      };

/** Until the next day begins. */
export const secondsOfDayLeft = (nowMs: number): number => Math.ceil((DAY_MS - (nowMs % DAY_MS)) / 1_000);

/**
 * Counts the tokens of an attempt whose run was ended by others, such as a cancel: `view.extraction` failed, or is
 * deleted. If it did not fail, nothing was refunded.
 */
export const decideRefundedTokens =
  (tokens: number, nowMs: number) =>
  ({ account, extraction }: AccountView): Result.Result<Decision<void>, never> =>
    tokens === 0 || (extraction !== null && extraction.status !== "failed")
      ? Result.succeed(nothing(undefined))
      : Result.succeed({
          value: undefined,
          changes: { ...NO_CHANGES, account: withRefundedTokens(account, tokens, nowMs) }
        });
