import { assert, describe, it } from "@effect/vitest";
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import { readCreditPack } from "../../../src/domain/money/CreditPack.ts";
import { NO_CHANGES } from "../../../src/domain/run/Decision.ts";
import type { LedgerLine } from "../../../src/domain/money/Ledger.ts";
import type { Payment, PaymentNotice } from "../../../src/domain/money/Payment.ts";
import { decidePayment } from "../../../src/domain/run/AccountDecisions.ts";
import { decideCancel } from "../../../src/domain/result/Settlement.ts";
import { decideSubmit } from "../../../src/domain/run/Submission.ts";
import { sampleAccount, sampleRequest, sampleSubmit, sampleView } from "@winnow/testing/samples/samples";
import { MemoryAccount } from "../run/MemoryAccount.ts";

const OF = { paymentId: "pi_1", accountId: "acc_1" };
const paid = (credits = 10_000): PaymentNotice => ({ ...OF, _tag: "Paid", credits });
const back = (
  returnId: string,
  credits: number,
  over: { readonly kind?: "refund" | "dispute"; readonly isFinal?: boolean } = {}
): PaymentNotice => ({ ...OF, _tag: "Returned", kind: "refund", isFinal: false, ...over, returnId, credits });

/** An account that receives one notification after another; `spend` is what runs cost in between. */
const told = (balance = 0, bonusGranted = true) => {
  let account = sampleAccount({ id: OF.accountId, balance, bonusGranted });
  const payments = new Map<string, Payment>();
  const lines: Array<LedgerLine> = [];
  const tell = (...notices: ReadonlyArray<PaymentNotice>): void => {
    for (const notice of notices) {
      const view = sampleView({ account, payment: payments.get(notice.paymentId) ?? null });
      const { value, changes } = Result.getOrThrow(decidePayment(notice, 1).decide(view));
      account = changes.account ?? account;
      if (changes.payment !== null) payments.set(changes.payment.id, changes.payment);
      lines.push(...changes.ledger);
      assert.deepStrictEqual(value, { _tag: "Booked", balance: account.balance });
      assert.isAtLeast(account.balance, 0);
    }
  };
  return {
    tell,
    spend: (credits: number) => (account = { ...account, balance: account.balance - credits }),
    balance: () => account.balance,
    owed: () => account.owedCredits,
    lines
  };
};

const NOTICES = [
  paid(),
  back("re_1", 3_000),
  back("re_2", 2_500),
  back("re_3", 0, { isFinal: true }),
  back("du_1", 10_000, { kind: "dispute" }),
  back("du_1", 0, { kind: "dispute", isFinal: true })
];

const Pick = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: NOTICES.length - 1 }));
const Picks = Schema.Array(Pick).check(Schema.isMaxLength(8));
const Place = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000 }));
const Order = Schema.Array(Place).check(Schema.isMaxLength(16));

describe("payments and the balance", () => {
  it("a payment is credited once, the first one with the bonus", () => {
    const { tell, balance, lines } = told(0, false);
    tell(paid(), paid(), paid());
    assert.strictEqual(balance(), 11_000);
    assert.deepStrictEqual(
      lines.map(({ kind, credits }) => [kind, credits]),
      [
        ["top_up", 10_000],
        ["bonus", 1_000]
      ]
    );
  });

  it("a refund takes back its share, and a failed refund restores it", () => {
    const { tell, balance, lines } = told();
    tell(paid(), back("re_1", 4_000), back("re_1", 4_000), back("re_2", 1_000));
    assert.strictEqual(balance(), 5_000);
    tell(back("re_1", 0, { isFinal: true }), back("re_1", 4_000));
    assert.strictEqual(balance(), 9_000);
    assert.deepStrictEqual(
      lines.slice(1).map(({ kind, credits, note }) => [kind, credits, note]),
      [
        ["adjustment", -4_000, "Refund of a payment"],
        ["adjustment", -1_000, "Refund of a payment"],
        ["adjustment", 4_000, "Refund was reversed"]
      ]
    );
  });

  it("credits that the balance does not hold are owed, and a dispute won cancels the debt", () => {
    const { tell, spend, balance, owed, lines } = told();
    tell(paid());
    spend(8_000);
    tell(back("du_1", 10_000, { kind: "dispute" }));
    assert.deepStrictEqual([balance(), owed()], [0, 8_000]);
    assert.strictEqual(lines.at(-1)?.note, "Dispute of a payment; 8000 credits owed");
    tell(back("du_1", 10_000, { kind: "dispute" }), back("re_9", 500));
    assert.deepStrictEqual([balance(), owed()], [0, 8_000], "no more than the payment bought");
    tell(back("du_1", 0, { kind: "dispute", isFinal: true }));
    assert.deepStrictEqual([balance(), owed()], [1_500, 0]);
    tell(back("re_9", 0, { isFinal: true }));
    assert.strictEqual(balance(), 2_000, "what was really taken comes back, and no more");
  });

  it("the next payment pays what is owed", () => {
    const { tell, spend, balance, owed, lines } = told();
    tell(paid());
    spend(10_000);
    tell(back("re_1", 10_000));
    assert.deepStrictEqual([balance(), owed(), lines.length], [0, 10_000, 1]);
    tell({ ...paid(4_000), paymentId: "pi_2" });
    assert.deepStrictEqual([balance(), owed()], [0, 6_000]);
    tell({ ...paid(7_000), paymentId: "pi_3" });
    assert.deepStrictEqual([balance(), owed()], [1_000, 0]);
    assert.deepStrictEqual(
      lines.slice(-2).map(({ kind, credits, note }) => [kind, credits, note]),
      [
        ["top_up", 7_000, "Top-up"],
        ["adjustment", -6_000, "Owed since a payment was returned"]
      ]
    );
  });

  it("credits held by waiting runs are taken when those are refunded; only the bonus stays", () => {
    const model = new MemoryAccount();
    const tell = (notice: PaymentNotice) => model.transact(decidePayment(notice, 1));
    tell(paid(4_000));
    const ids = ["ext_1", "ext_2", "ext_3", "ext_4", "ext_5", "ext_6"];
    const request = sampleRequest({ mode: "ai", modalities: ["video"], schema: {} });
    for (const id of ids) model.transact(decideSubmit(sampleSubmit(OF.accountId, { id, request })));
    assert.strictEqual(model.account.balance, 200);
    tell(back("re_1", 4_000));
    assert.deepInclude(model.account, { balance: 0, owedCredits: 3_800 });
    for (const extractionId of ids) model.transact(decideCancel(extractionId, 2));
    assert.deepInclude(model.account, { balance: 1_000, owedCredits: 0 });
  });

  it("a payment known as another account's is not booked", () => {
    const payment: Payment = { id: "pi_1", accountId: "acc_1", paidCredits: 10_000, returns: {} };
    const view = sampleView({ account: sampleAccount({ id: "acc_2" }), payment });
    const { decide } = decidePayment({ ...paid(), accountId: "acc_2" }, 1);
    const { value, changes } = Result.getOrThrow(decide(view));
    assert.deepStrictEqual(value, { _tag: "OtherAccount", accountId: "acc_1" });
    assert.deepStrictEqual(changes, NO_CHANGES);
  });

  it.prop(
    "the same notifications have the same result in any order and number",
    { picks: Picks, order: Order },
    ({ picks, order }) => {
      const notices = picks.map((pick) => NOTICES[pick] as PaymentNotice);
      const again = [...notices, ...notices]
        .map((notice, at) => ({ notice, place: order[at] ?? 0 }))
        .toSorted((left, right) => left.place - right.place)
        .map(({ notice }) => notice);
      const [once, often] = [told(100_000), told(100_000)];
      once.tell(...notices);
      often.tell(...again);
      assert.strictEqual(often.balance(), once.balance());
      const sum = often.lines.reduce((total, { credits }) => total + credits, 100_000);
      assert.strictEqual(sum, often.balance());
    }
  );
});

describe("packs of credits", () => {
  it("cost the list price or the configured one", () => {
    assert.deepStrictEqual(readCreditPack("50000"), { credits: 50_000, priceCents: 500 });
    assert.deepStrictEqual(readCreditPack(" 1000000=89.50 "), { credits: 1_000_000, priceCents: 8_950 });
    for (const text of ["", "0", "100", "1000000=0.40", "5e4", "50000=", "50000=1.5", "-1", "99999999999"]) {
      assert.isNull(readCreditPack(text), text);
    }
  });
});
