/**
 * Usage as it is counted: from the debits and refunds of each decision, so that it agrees with the ledger and survives
 * the deletion of extractions. Tests: MemoryStore.test.ts.
 */
import { addByPart, type ByPart, debitByPart, NO_PARTS, refundByPart } from "../money/PriceParts.ts";
import type { Changes } from "../run/Decision.ts";
import type { Extraction } from "../run/Extraction.ts";
import { debitedPrice } from "../run/Submission.ts";
import {
  addUsage,
  dayOf,
  NO_USAGE,
  type KeyedUsage,
  type SchemaUsageDay,
  type UsageCount
} from "../run/Usage.ts";
import { settledPrice } from "./Settlement.ts";

interface Count extends UsageCount {
  /** The same credits by part of the price. */
  readonly debitedByPart: ByPart;
  readonly refundedByPart: ByPart;
}

/** Of one day, key and schema. */
export type CountedUsage = Count & KeyedUsage & SchemaUsageDay;

export const NO_COUNT: Count = { ...NO_USAGE, debitedByPart: NO_PARTS, refundedByPart: NO_PARTS };

export const addCount = (left: Count, right: Count): Count => ({
  ...addUsage(left, right),
  debitedByPart: addByPart(left.debitedByPart, right.debitedByPart),
  refundedByPart: addByPart(left.refundedByPart, right.refundedByPart)
});

const submitted = (run: Extraction): Count => ({
  ...NO_COUNT,
  runs: 1,
  debited: run.creditsDebited,
  debitedByPart: debitByPart(run.creditsDebited, debitedPrice(run))
});

const refunded = (run: Extraction, credits: number): Count => {
  const settled = run.result === null ? null : settledPrice(run, run.result);
  return {
    ...NO_COUNT,
    refunded: credits,
    refundedByPart: refundByPart(credits, run.creditsDebited, debitedPrice(run), settled)
  };
};

/** What a decision debits and refunds. A batch is debited in one line, its items here each by itself. */
const countsOf = ({
  inserted,
  updated,
  ledger
}: Changes): ReadonlyArray<readonly [owner: Extraction, count: Count]> => {
  const owners = new Map([...updated, ...inserted].map((each) => [each.id, each]));
  return [
    ...inserted.map((each) => [each, submitted(each)] as const),
    ...ledger.flatMap(({ kind, credits, extractionId }) => {
      const owner = kind === "refund" && extractionId !== null ? owners.get(extractionId) : undefined;
      return owner === undefined ? [] : [[owner, refunded(owner, credits)] as const];
    })
  ];
};

/**
 * The rows a decision adds to, one per day, key and schema: that of the request, because a schema that the model
 * generates is known only when the run ends.
 */
export const usageOf = (changes: Changes): ReadonlyArray<CountedUsage> => {
  const rows = new Map<string, CountedUsage>();
  for (const [{ createdAtMs, requester, request }, count] of countsOf(changes)) {
    const id = {
      day: dayOf(createdAtMs),
      apiKeyId: requester.apiKeyId,
      schemaId: request.schemaOrigin?.id ?? null
    };
    const key = JSON.stringify(id);
    rows.set(key, { ...id, ...addCount(rows.get(key) ?? NO_COUNT, count) });
  }
  return [...rows.values()];
};
