import { assert, describe, it } from "@effect/vitest";
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import { post } from "../../../src/domain/money/Ledger.ts";
import { keyOfOtherBody } from "../../../src/domain/request/Idempotency.ts";
import { TOP_UP_CREDITS_MAX, TopUpCredits, topUpKey } from "../../../src/domain/money/Payment.ts";
import { decideTopUp } from "../../../src/domain/run/AccountDecisions.ts";
import { sampleAccount } from "@winnow/testing/samples/samples";
import { MemoryAccount } from "../run/MemoryAccount.ts";

describe("a top-up", () => {
  it("of any amount grants 1,000 credits the first time, as an entry of their own", () => {
    const model = new MemoryAccount();
    assert.strictEqual(Result.getOrThrow(model.transact(decideTopUp(1, 5))).value, 1_001);
    assert.deepStrictEqual(
      model.ledger.map(({ kind, credits, balanceAfter }) => [kind, credits, balanceAfter]),
      [
        ["top_up", 1, 1],
        ["bonus", 1_000, 1_001]
      ]
    );
  });

  it("grants nothing the second time", () => {
    const model = new MemoryAccount();
    model.transact(decideTopUp(1, 5));
    assert.strictEqual(Result.getOrThrow(model.transact(decideTopUp(10, 6))).value, 1_011);
    assert.lengthOf(model.ledger, 3);
  });

  it("with a key adds once, then returns the current balance, and is refused with another amount", () => {
    const model = new MemoryAccount();
    const keyed = { key: topUpKey("invoice 7"), bodyDigest: "digest" };
    const balance = (nowMs: number) => Result.getOrThrow(model.transact(decideTopUp(5, nowMs, keyed))).value;
    assert.strictEqual(balance(5), 1_005);
    model.transact(decideTopUp(10, 6));
    assert.strictEqual(balance(7), 1_015);
    const other = model.transact(decideTopUp(6, 8, { ...keyed, bodyDigest: "other" }));
    assert.deepStrictEqual(other, Result.fail(keyOfOtherBody()));
    assert.lengthOf(model.ledger, 3);
  });

  it("is a whole number of credits from one to the limit", () => {
    const fits = Schema.is(TopUpCredits);
    assert.deepStrictEqual([1, TOP_UP_CREDITS_MAX].map(fits), [true, true]);
    assert.isFalse([0, -1, 0.5, TOP_UP_CREDITS_MAX + 1, Number.NaN].some(fits));
  });
});

describe("a ledger line", () => {
  const line = { extractionId: "ext_1", batchId: null, note: "", createdAtMs: 1 };

  it("that would take the balance below 0 is not posted", () => {
    const posted = post(sampleAccount({ balance: 5 }), { ...line, kind: "debit", credits: -6 });
    assert.deepStrictEqual(posted, Result.fail({ balance: 5, cost: 6 }));
  });
});
