/** An operator's decisions about an account: its name, its plan and its own limits. */
import * as Result from "effect/Result";
import type { Account } from "../money/Account.ts";
import { NO_CHANGES, type AccountView, type Decision } from "./Decision.ts";
import { DEFAULT_PLAN, formerPlans } from "../money/Plan.ts";
import type { LimitsChange, LimitsGiven } from "../money/PlanLimits.ts";
import { promote } from "./Slots.ts";

/** Absent fields stay unchanged. */
export interface AccountChange {
  readonly name?: string | undefined;
  readonly plan?: string | undefined;
  readonly limits?: LimitsChange | undefined;
}

const changedLimits = (before: LimitsGiven, change: LimitsChange): LimitsGiven =>
  Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, value]) => value !== null));

const changedPlan = (
  account: Account,
  plan: string | undefined,
  nowMs: number
): Pick<Account, "plan" | "plansBefore"> => {
  const { plan: before = DEFAULT_PLAN } = account;
  if (plan === undefined || plan === before) return {};
  const earlier = formerPlans(account, nowMs).filter((former) => former.plan !== before);
  return {
    plan,
    plansBefore: [{ plan: before, changedAtMs: nowMs }, ...earlier]
  };
};

export const decideAccountChange =
  ({ name, plan, limits }: AccountChange, nowMs: number) =>
  ({ account: before }: AccountView): Result.Result<Decision<Account>, never> => {
    const account: Account = {
      ...before,
      ...(name === undefined ? {} : { name }),
      ...changedPlan(before, plan, nowMs),
      ...(limits === undefined ? {} : { limits: changedLimits(before.limits ?? {}, limits) })
    };
    return Result.succeed({ value: account, changes: { ...NO_CHANGES, account } });
  };

/** Assigns the slots freed by a raised limit to waiting extractions; returns how many were assigned. */
export const decidePromotion = ({
  account: before,
  plan,
  waiting
}: AccountView): Result.Result<Decision<number>, never> => {
  const { account, promoted, jobs } = promote(before, waiting, plan.limits.runningMax);
  return Result.succeed({
    value: promoted.length,
    changes: promoted.length === 0 ? NO_CHANGES : { ...NO_CHANGES, account, updated: promoted, jobs }
  });
};
