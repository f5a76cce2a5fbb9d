/** Part of StoreSuite: concurrent submits and refunds. */
import { assert } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import * as Result from "effect/Result";
import { decidePayment, decideTopUp } from "@winnow/core/domain/run/AccountDecisions";
import { InsufficientCredits } from "@winnow/core/domain/request/Refusal";
import { decideCancel } from "@winnow/core/domain/result/Settlement";
import type { Submit } from "@winnow/core/domain/run/Submission";
import { topUpKey } from "@winnow/core/domain/money/Payment";
import { Store } from "@winnow/core/ports/Store";
import { sampleSubmit, uniqueId } from "../../samples/samples.ts";
import {
  COST,
  decide,
  openAccount,
  readAll,
  runThrough,
  SLOW_MS,
  submit,
  type StoreTests,
  viewOf
} from "../../samples/StoreSteps.ts";

const AT_ONCE = 50;

const submitFifty = (accountId: string, make: () => Submit) =>
  Effect.forEach(Array.from({ length: AT_ONCE }, make), (each) => Effect.result(submit(accountId, each)), {
    concurrency: AT_ONCE
  });

export const submits = (it: StoreTests): void => {
  it.effect(
    "fifty concurrent submits never overdraw: exactly the affordable ones succeed",
    () =>
      Effect.gen(function* () {
        const accountId = yield* openAccount({ balance: COST * 7 + COST - 1 });
        const results = yield* submitFifty(accountId, () => sampleSubmit(accountId));
        const refused = results.filter(Result.isFailure).map(({ failure }) => failure);
        assert.strictEqual(results.length - refused.length, 7);
        assert.isTrue(refused.every((failure) => failure instanceof InsufficientCredits));
        const { account, extractions, ledger } = yield* readAll(accountId);
        assert.strictEqual(account.balance, COST - 1);
        assert.deepStrictEqual([extractions.length, ledger.length], [7, 7]);
      }),
    SLOW_MS
  );

  it.effect(
    "fifty concurrent submits with one key are one extraction and one debit",
    () =>
      Effect.gen(function* () {
        const accountId = yield* openAccount({ balance: 10_000 });
        const idempotency = { key: "once", bodyDigest: "digest" };
        const results = yield* submitFifty(accountId, () => sampleSubmit(accountId, { idempotency }));
        const made = results.filter(Result.isSuccess).map(({ success }) => success);
        assert.strictEqual(made.length, AT_ONCE);
        assert.strictEqual(made.filter(({ replayed }) => replayed).length, AT_ONCE - 1);
        assert.strictEqual(new Set(made.map(({ extraction }) => extraction.id)).size, 1);
        const { account, extractions, ledger } = yield* readAll(accountId);
        assert.strictEqual(account.balance, 10_000 - COST);
        assert.deepStrictEqual([extractions.length, ledger.length], [1, 1]);
      }),
    SLOW_MS
  );

  it.effect(
    "a payment reported fifty times concurrently is credited once and stays recorded",
    () =>
      Effect.gen(function* () {
        const accountId = yield* openAccount({ bonusGranted: true });
        const paymentId = uniqueId("pi");
        const before = (yield* readAll(accountId)).account.balance;
        const paid = decidePayment({ _tag: "Paid", paymentId, accountId, credits: 500 }, 1);
        const notify = decide(accountId, paid);
        yield* Effect.all(
          Array.from({ length: AT_ONCE }, () => notify),
          { concurrency: AT_ONCE }
        );
        const refund = { _tag: "Returned", kind: "refund", returnId: "re_1", isFinal: false } as const;
        yield* decide(accountId, decidePayment({ ...refund, paymentId, accountId, credits: 200 }, 2));
        const { account, ledger } = yield* readAll(accountId);
        assert.strictEqual(account.balance, before + 300);
        assert.strictEqual(ledger.length, 2);
        assert.deepStrictEqual((yield* viewOf(accountId, { paymentId })).payment, {
          id: paymentId,
          accountId,
          paidCredits: 500,
          returns: { re_1: { credits: 200, isFinal: false } }
        });
      }),
    SLOW_MS
  );

  it.effect(
    "a payment reported for many accounts concurrently is credited to one of them",
    () =>
      Effect.gen(function* () {
        const accountIds = yield* Effect.replicateEffect(openAccount({ bonusGranted: true }), 10);
        const paymentId = uniqueId("pi");
        const notices = [...accountIds, ...accountIds].map((accountId) =>
          decide(accountId, decidePayment({ _tag: "Paid", paymentId, accountId, credits: 500 }, 1))
        );
        const decided = yield* Effect.all(notices, { concurrency: AT_ONCE });
        const read = yield* Effect.forEach(accountIds, readAll);
        const credited = read.filter(({ ledger }) => ledger.length > 0);
        assert.deepStrictEqual(
          credited.map(({ account }) => account.balance),
          [500]
        );
        const owner = credited[0]?.account.id ?? "";
        const refused = decided.filter(({ _tag }) => _tag === "OtherAccount");
        assert.strictEqual(refused.length, 18);
        for (const other of refused) assert.deepInclude(other, { accountId: owner });
      }),
    SLOW_MS
  );

  it.effect("an idempotency key is stored with its body and extraction, for its account only", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const accountId = yield* openAccount({ balance: 10_000 });
      const other = yield* openAccount({ balance: 10_000 });
      const idempotency = { key: "a key", bodyDigest: "digest" };
      const made = yield* submit(accountId, sampleSubmit(accountId, { idempotency }));
      assert.deepStrictEqual(
        yield* store.getIdempotency(accountId, "a key"),
        Option.some({ ...idempotency, extractionId: made.extraction.id, batchId: null })
      );
      assert.deepStrictEqual(yield* store.getIdempotency(other, "a key"), Option.none());
      const second = yield* submit(other, sampleSubmit(other, { idempotency }));
      assert.isFalse(second.replayed);
      const keyed = { key: topUpKey("once"), bodyDigest: "digest" };
      const topUp = decide(accountId, decideTopUp(100, 1_700_000_000_000, keyed));
      assert.strictEqual(yield* topUp, yield* topUp);
      assert.deepStrictEqual(
        yield* store.getIdempotency(accountId, keyed.key),
        Option.some({ ...keyed, extractionId: null, batchId: null })
      );
    })
  );
};

export const refunds = (it: StoreTests): void => {
  it.effect(
    "concurrent cancels, starts and settlements of one run end it once, with at most one refund",
    () =>
      Effect.gen(function* () {
        const store = yield* Store;
        const accountId = yield* openAccount({ balance: 500 });
        for (let round = 0; round < 10; round++) {
          const { extraction } = yield* submit(accountId, sampleSubmit(accountId));
          const cancel = decide(accountId, decideCancel(extraction.id, 1_700_000_001_000));
          const [, ...ends] = yield* Effect.all(
            [runThrough(accountId, extraction.id), cancel, cancel, cancel] as const,
            { concurrency: "unbounded" }
          );
          const after = yield* store.getExtraction(accountId, extraction.id);
          const status = Option.getOrThrow(after).status;
          assert.deepStrictEqual(
            ends.map((end) => end?.status),
            [status, status, status]
          );
          const { account, ledger } = yield* readAll(accountId);
          const lines = ledger.filter(({ extractionId }) => extractionId === extraction.id);
          assert.strictEqual(lines.length, status === "failed" ? 2 : 1);
          assert.strictEqual(account.slotsUsed, 0);
        }
      }),
    SLOW_MS
  );

  it.effect("concurrent first top-ups grant one bonus, and each ledger entry continues the balance", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const topUp = decide(accountId, decideTopUp(100, 1_700_000_000_000));
      yield* Effect.forEach(Array.from({ length: 10 }), () => topUp, { concurrency: 10 });
      const { account, ledger } = yield* readAll(accountId);
      assert.strictEqual(account.balance, 10 * 100 + 1_000);
      assert.strictEqual(ledger.filter(({ kind }) => kind === "bonus").length, 1);
      let balance = 0;
      for (const entry of ledger) {
        balance += entry.credits;
        assert.strictEqual(entry.balanceAfter, balance);
        assert.strictEqual(entry.accountId, accountId);
      }
    })
  );
};
