/** Usage by part of the price, counted like domain/run/Usage and from the same debits and refunds. */
import { debitByPart, PRICE_PARTS, refundByPart } from "../money/PriceParts.ts";
import type { Changes } from "../run/Decision.ts";
import { debitedPrice } from "../run/Submission.ts";
import { dayOf, usesOf, type PartUsageDay } from "../run/Usage.ts";
import { settledPrice } from "./Settlement.ts";

/** Adds to the row of the same day and part. */
export const countPart = (
  rows: Map<string, PartUsageDay>,
  { day, part, debited, refunded }: PartUsageDay
): void => {
  const key = `${day} ${part}`;
  const before = rows.get(key) ?? { debited: 0, refunded: 0 };
  rows.set(key, {
    day,
    part,
    debited: before.debited + debited,
    refunded: before.refunded + refunded
  });
};

/** The rows a decision adds to, one per day and part. */
export const partUsageOf = (changes: Changes): ReadonlyArray<PartUsageDay> => {
  const rows = new Map<string, PartUsageDay>();
  for (const [owner, { debited, refunded }] of usesOf(changes)) {
    if (debited + refunded === 0) continue;
    const price = debitedPrice(owner);
    const settled = owner.result === null ? null : settledPrice(owner, owner.result);
    const debits = debitByPart(debited, price);
    const refunds = refundByPart(refunded, owner.creditsDebited, price, settled);
    for (const part of PRICE_PARTS) {
      const row = { day: dayOf(owner.createdAtMs), part, debited: debits[part], refunded: refunds[part] };
      if (row.debited + row.refunded > 0) countPart(rows, row);
    }
  }
  return [...rows.values()];
};
