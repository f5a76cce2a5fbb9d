/** The decisions about an account itself: top-ups, payments, name, plan and own limits. Tests: Laws.test.ts. */
import * as Result from "effect/Result";
import type { Account } from "../money/Account.ts";
import { NO_CHANGES, nothing, type Decider } from "./Decision.ts";
import { formerPlans, type LimitsChange, type LimitsGiven } from "../money/Plan.ts";
import { book, type PaymentNotice, topUp } from "../money/Payment.ts";
import type { Credits } from "../money/Credits.ts";
import { type KeyedRequest, madeBefore } from "../request/Idempotency.ts";
import type { Conflict } from "../request/Refusal.ts";
import { promote } from "./RunningSlots.ts";

/** Absent fields stay unchanged. */
export interface AccountChange {
  readonly name?: string | undefined;
  readonly plan?: string | undefined;
  readonly limits?: LimitsChange | undefined;
}

const changedLimits = (before: LimitsGiven, change: LimitsChange): LimitsGiven =>
  Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, value]) => value !== null));

const changedPlan = (account: Account, plan: string | undefined, nowMs: number): Partial<Account> => {
  const { plan: before } = account;
  if (plan === undefined || plan === before) return {};
  const earlier = formerPlans(account, nowMs).filter((former) => former.plan !== before);
  return {
    plan,
    plansBefore: [{ plan: before, changedAtMs: nowMs }, ...earlier]
  };
};

export const decideAccountChange = (
  { name, plan, limits }: AccountChange,
  nowMs: number
): Decider<Account, never> => ({
  needs: {},
  decide: ({ account: before }) => {
    const account: Account = {
      ...before,
      ...(name === undefined ? {} : { name }),
      ...changedPlan(before, plan, nowMs),
      ...(limits === undefined ? {} : { limits: changedLimits(before.limits, limits) })
    };
    return Result.succeed({ value: account, changes: { ...NO_CHANGES, account } });
  }
});

/** Assigns the slots freed by a raised limit to waiting extractions; returns how many were assigned. */
export const decidePromotion: Decider<number, never> = {
  needs: {},
  decide: ({ account: before, plan, waiting }) => {
    const { account, promoted, jobs } = promote(before, waiting, plan.limits.runningMax);
    return Result.succeed({
      value: promoted.length,
      changes: promoted.length === 0 ? NO_CHANGES : { ...NO_CHANGES, account, updated: promoted, jobs }
    });
  }
};

/**
 * Returns the new balance, or for a replay the current one. `credits` must be valid for `TopUpCredits`, and the key
 * made by `topUpKey`.
 */
export const decideTopUp = (
  credits: Credits,
  nowMs: number,
  keyed: KeyedRequest | null = null
): Decider<Credits, Conflict> => ({
  needs: { idempotencyKey: keyed?.key ?? null },
  decide: ({ account, idempotency: record }) =>
    Result.map(madeBefore(record, keyed, account.balance), (balance) => {
      if (balance !== null) return nothing(balance);
      const moved = topUp(account, credits, nowMs);
      const idempotency = keyed === null ? null : { ...keyed, extractionId: null, batchId: null };
      return { value: moved.account.balance, changes: { ...NO_CHANGES, ...moved, idempotency } };
    })
});

/** `OtherAccount`: the payment is known as another account's, so nothing was booked. */
export type PaymentDecision =
  | { readonly _tag: "Booked"; readonly balance: Credits }
  | { readonly _tag: "OtherAccount"; readonly accountId: string };

/** The payment may be known as any account's. */
export const decidePayment = (notice: PaymentNotice, nowMs: number): Decider<PaymentDecision, never> => ({
  needs: { paymentId: notice.paymentId },
  decide: ({ account, payment }) => {
    const accountId = payment?.accountId ?? notice.accountId;
    if (accountId !== account.id) return Result.succeed(nothing({ _tag: "OtherAccount", accountId }));
    const booked = book(account, payment, notice, nowMs);
    return Result.succeed(
      booked === null
        ? nothing({ _tag: "Booked", balance: account.balance })
        : {
            value: { _tag: "Booked", balance: booked.account.balance },
            changes: { ...NO_CHANGES, ...booked }
          }
    );
  }
});
