/**
 * Usage of an account by day: extractions submitted, credits debited and refunded. Counted from the changes of each
 * decision, so that it agrees with the ledger and survives the deletion of extractions.
 */
import * as Result from "effect/Result";
import type { Extraction } from "./Extraction.ts";
import type { LedgerLine } from "../money/Ledger.ts";
import type { Account } from "../money/Account.ts";
import { type Decider, NO_CHANGES, nothing } from "./Decision.ts";

/** Maximum days of {@link UsageDay} per read. */
export const USAGE_DAYS_MAX = 90;
export const USAGE_DAYS_DEFAULT = 30;

export const DAY_MS = 24 * 60 * 60_000;

export interface UsageCount {
  /** Extractions submitted, including cache hits. */
  readonly runs: number;
  /**
   * In credits, both positive. A refund counts on the day of its debit, so that it never enlarges what an API key
   * may spend on a later day.
   */
  readonly debited: number;
  readonly refunded: number;
}

export interface UsageDay extends UsageCount {
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string;
}

/** For one API key; null for requests without a key. */
export interface KeyedUsage extends UsageDay {
  readonly apiKeyId: string | null;
}

export const NO_USAGE: UsageCount = { runs: 0, debited: 0, refunded: 0 };

/** `YYYY-MM-DD`, UTC. */
export const dayOf = (unixMs: number): string => new Date(unixMs).toISOString().slice(0, 10);

export const addUsage = (left: UsageCount, right: UsageCount): UsageCount => ({
  runs: left.runs + right.runs,
  debited: left.debited + right.debited,
  refunded: left.refunded + right.refunded
});

/** The changes of domain/run/Decision. */
interface Counted {
  readonly inserted: ReadonlyArray<Extraction>;
  readonly updated: ReadonlyArray<Extraction>;
  readonly ledger: ReadonlyArray<LedgerLine>;
}

/** The rows a decision adds to, one per day and key. */
export const usageOf = ({ inserted, updated, ledger }: Counted): ReadonlyArray<KeyedUsage> => {
  const rows = new Map<string, KeyedUsage>();
  const add = (day: string, apiKeyId: string | null, count: Partial<UsageCount>): void => {
    const key = JSON.stringify([day, apiKeyId]);
    rows.set(key, { day, apiKeyId, ...addUsage(rows.get(key) ?? NO_USAGE, { ...NO_USAGE, ...count }) });
  };
  const extractions = [...inserted, ...updated];
  for (const { createdAtMs, requester } of inserted) add(dayOf(createdAtMs), requester.apiKeyId, { runs: 1 });
  for (const { kind, credits, extractionId, batchId, createdAtMs } of ledger) {
    if (kind !== "debit" && kind !== "refund") continue;
    const owner = extractions.find((each) =>
      batchId === null ? each.id === extractionId : each.batchId === batchId
    );
    const count = kind === "debit" ? { debited: -credits } : { refunded: credits };
    add(dayOf(owner?.createdAtMs ?? createdAtMs), owner?.requester.apiKeyId ?? null, count);
  }
  return [...rows.values()];
};

/** The last `days` days up to today, oldest first, including days without usage. */
export const usageDays = (
  counted: ReadonlyArray<KeyedUsage>,
  days: number,
  nowMs: number
): ReadonlyArray<UsageDay> => {
  const byDay = new Map<string, UsageCount>();
  for (const { day, apiKeyId: _, ...count } of counted) {
    byDay.set(day, addUsage(byDay.get(day) ?? NO_USAGE, count));
  }
  return Array.from({ length: days }, (_, index) => {
    const day = dayOf(nowMs - (days - 1 - index) * DAY_MS);
    return { ...NO_USAGE, ...byDay.get(day), day };
  });
};

export interface KeyUsage extends UsageCount {
  /** Null for requests without a key. */
  readonly apiKeyId: string | null;
}

/** The same rows by API key, the key that spent most first. */
export const usageByKey = (counted: ReadonlyArray<KeyedUsage>): ReadonlyArray<KeyUsage> => {
  const byKey = new Map<string | null, KeyUsage>();
  for (const { apiKeyId, ...count } of counted) {
    byKey.set(apiKeyId, { apiKeyId, ...addUsage(byKey.get(apiKeyId) ?? NO_USAGE, count) });
  }
  const spent = ({ debited, refunded }: KeyUsage): number => debited - refunded;
  return [...byKey.values()].sort((left, right) => spent(right) - spent(left) || right.runs - left.runs);
};

// The language model's tokens of runs that were refunded in full are counted by UTC day too. The operator pays them and
// nobody else does, so a daily allowance limits them.

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
 * Counts the tokens of an attempt whose run was ended by others, such as a cancel, and that failed or is deleted. If
 * it did not fail, nothing was refunded.
 */
export const decideRefundedTokens = (
  extractionId: string,
  tokens: number,
  nowMs: number
): Decider<void, never> => ({
  needs: { extractionId },
  decide: ({ account, extraction }) =>
    tokens === 0 || (extraction !== null && extraction.status !== "failed")
      ? Result.succeed(nothing(undefined))
      : Result.succeed({
          value: undefined,
          changes: { ...NO_CHANGES, account: withRefundedTokens(account, tokens, nowMs) }
        })
});
