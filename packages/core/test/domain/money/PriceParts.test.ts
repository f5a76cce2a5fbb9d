import { assert, describe, it } from "@effect/vitest";
import { debitByPart, PRICE_PARTS, refundByPart } from "../../../src/domain/money/PriceParts.ts";
import { effectiveFacts, price, settlementRefund } from "../../../src/domain/money/Pricing.ts";
import { DEFAULT_RATES } from "../../../src/domain/money/Rates.ts";
import { withoutUnavailable, type Selection as Selected } from "../../../src/domain/request/RunRequest.ts";
import type { PricedFacts } from "../../../src/domain/source/SourceFacts.ts";
import { Settled } from "../Arbitraries.ts";

type ByPart = ReturnType<typeof debitByPart>;

const sumOf = (shares: ByPart): number => PRICE_PARTS.reduce((sum, part) => sum + shares[part], 0);
const used = (shares: ByPart) => Object.fromEntries(Object.entries(shares).filter(([, share]) => share > 0));

const settlementOf = (
  facts: PricedFacts,
  selection: Selected,
  effective: PricedFacts,
  delivered: Selected
) => {
  const debit = price(facts, selection, DEFAULT_RATES);
  const refund = settlementRefund(debit.credits, effective, delivered, DEFAULT_RATES);
  return {
    debit,
    refund,
    byPart: refundByPart(refund, debit.credits, debit, price(effective, delivered, DEFAULT_RATES))
  };
};

it("parts of the price keep their places, by which their usage is stored", () => {
  assert.deepStrictEqual(PRICE_PARTS.slice(0, 8), [
    "base",
    "downloadBreakdown.transcript",
    "downloadBreakdown.comments",
    "downloadBreakdown.audio",
    "downloadBreakdown.video",
    "breakdown.text",
    "breakdown.audio",
    "breakdown.video"
  ]);
});

describe("the parts of a debit", () => {
  it("are whole credits, and the largest has what rounding adds", () => {
    const facts = { kind: "video", durationMs: 213_000, imageCount: 0 } as const;
    const read = { mode: "ai", modalities: ["transcript", "comments"] } as const;
    assert.deepStrictEqual(used(debitByPart(187, price(facts, read, DEFAULT_RATES))), {
      base: 50,
      "downloadBreakdown.transcript": 10,
      "downloadBreakdown.comments": 20,
      "breakdown.text": 107
    });
  });

  it("of which the refund takes what was not delivered, with the rounding of the debit", () => {
    const facts = { kind: "video", durationMs: 213_000, imageCount: 0 } as const;
    const file = { mode: "download", modalities: ["audio"] } as const;
    const { refund, byPart } = settlementOf(facts, file, facts, { ...file, modalities: [] });
    assert.strictEqual(refund, 43);
    assert.deepStrictEqual(used(byPart), { base: 1, "downloadBreakdown.audio": 42 });
  });

  it("that became dearer than debited take from what the others get back", () => {
    const webpage = { kind: "webpage", durationMs: null, imageCount: 0 } as const;
    const watch = { mode: "ai", modalities: ["video"] } as const;
    const facts = { ...webpage, kind: "video", durationMs: 100_000 } as const;
    const { refund, byPart } = settlementOf(facts, watch, webpage, watch);
    assert.strictEqual(refund, 200);
    assert.deepStrictEqual(used(byPart), { "downloadBreakdown.video": 50, "breakdown.video": 150 });
  });

  it.prop(
    "add up to it, those of its refund to that, and none is refunded more than it was debited",
    Settled,
    ({ facts, found, measuredMs, selection, unavailable }) => {
      const effective = effectiveFacts(facts, found, measuredMs);
      const delivered = withoutUnavailable(selection, unavailable);
      const { debit, refund, byPart } = settlementOf(facts, selection, effective, delivered);
      const debits = debitByPart(debit.credits, debit);
      assert.strictEqual(sumOf(debits), debit.credits);
      assert.strictEqual(sumOf(byPart), refund);
      assert.isTrue(PRICE_PARTS.every((part) => byPart[part] >= 0 && byPart[part] <= debits[part]));
      assert.deepStrictEqual(refundByPart(debit.credits, debit.credits, debit, null), debits);
      assert.strictEqual(sumOf(refundByPart(0, debit.credits, debit, debit)), 0);
    },
    { arbitrary: { runs: 1_000 } }
  );
});
