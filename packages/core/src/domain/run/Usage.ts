/** Usage of an account by day: extractions submitted, credits debited and refunded. result/CountedUsage counts it. Tests: Reads.test.ts. */
import * as Result from "effect/Result";
import { DAY_MS } from "../Durations.ts";
import type { PricePart } from "../money/PriceParts.ts";
import type { Account } from "../money/Account.ts";
import { type Decider, NO_CHANGES, nothing } from "./Decision.ts";

/** Maximum days of {@link UsageDay} per read. */
export const USAGE_DAYS_MAX = 90;
export const USAGE_DAYS_DEFAULT = 30;

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

/** For one schema of the library; null for requests without one. */
export interface SchemaUsageDay extends UsageDay {
  readonly schemaId: string | null;
}

/** For one part of the price. */
export interface PartUsage extends Omit<UsageCount, "runs"> {
  readonly part: PricePart;
}

export type PartUsageDay = PartUsage & Pick<UsageDay, "day">;

export const NO_USAGE: UsageCount = { runs: 0, debited: 0, refunded: 0 };

/** `YYYY-MM-DD`, UTC. */
export const dayOf = (unixMs: number): string => new Date(unixMs).toISOString().slice(0, 10);

export const addUsage = (left: UsageCount, right: UsageCount): UsageCount => ({
  runs: left.runs + right.runs,
  debited: left.debited + right.debited,
  refunded: left.refunded + right.refunded
});

/** The last `days` days up to a time, or, at an earlier time, those of a month (`YYYY-MM`, UTC) until then. */
export const usagePeriod = (
  { days, month }: { readonly days: number; readonly month?: string | undefined },
  nowMs: number
): { readonly days: number; readonly untilMs: number } => {
  if (month === undefined) return { days, untilMs: nowMs };
  const sinceMs = Date.parse(month);
  const last = new Date(sinceMs);
  last.setUTCMonth(last.getUTCMonth() + 1);
  const untilMs = Math.min(nowMs, last.getTime() - 1);
  return { days: Math.max(0, Math.ceil((untilMs + 1 - sinceMs) / DAY_MS)), untilMs };
};

/** The last `days` days up to a time, oldest first, including days without usage. */
export const usageDays = (
  counted: ReadonlyArray<UsageDay>,
  days: number,
  nowMs: number
): ReadonlyArray<UsageDay> => {
  const byDay = new Map<string, UsageCount>();
  for (const row of counted) byDay.set(row.day, addUsage(byDay.get(row.day) ?? NO_USAGE, row));
  return Array.from({ length: days }, (_, index) => {
    const day = dayOf(nowMs - (days - 1 - index) * DAY_MS);
    return { ...NO_USAGE, ...byDay.get(day), day };
  });
};

export interface KeyUsage extends UsageCount {
  /** Null for requests without a key. */
  readonly apiKeyId: string | null;
}

export interface SchemaUsage extends UsageCount {
  readonly schemaId: string;
}

const spent = ({ debited, refunded }: UsageCount): number => debited - refunded;

const summed = <Id>(
  counted: ReadonlyArray<readonly [id: Id, count: UsageCount]>
): ReadonlyArray<readonly [Id, UsageCount]> => {
  const sums = new Map<Id, UsageCount>();
  for (const [id, count] of counted) sums.set(id, addUsage(sums.get(id) ?? NO_USAGE, count));
  return [...sums].sort(([, left], [, right]) => spent(right) - spent(left) || right.runs - left.runs);
};

/** The rows by API key, the key that spent most first. */
export const usageByKey = (counted: ReadonlyArray<KeyedUsage>): ReadonlyArray<KeyUsage> =>
  summed(counted.map((row) => [row.apiKeyId, row])).map(([apiKeyId, count]) => ({ apiKeyId, ...count }));

/** The rows by schema of the library, the schema that cost most first. */
export const usageBySchema = (counted: ReadonlyArray<SchemaUsageDay>): ReadonlyArray<SchemaUsage> =>
  summed(counted.map((row) => [row.schemaId, row])).flatMap(([schemaId, count]) =>
    schemaId === null ? [] : [{ schemaId, ...count }]
  );

/** The rows by part, the part that cost most first. */
export const usageByPart = (counted: ReadonlyArray<PartUsageDay>): ReadonlyArray<PartUsage> =>
  summed(counted.map((row) => [row.part, { ...NO_USAGE, ...row }])).map(([part, { debited, refunded }]) => ({
    part,
    debited,
    refunded
  }));

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
