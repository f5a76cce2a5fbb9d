/**
 * The laws of money and slots, which hold after every commit.
 */
import { assert } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import { Store } from "@winnow/core/ports/Store";

/** More than any test writes. */
const ALL = 10_000;

/** Returns what it checked. */
export const assertLaws = Effect.fnUntraced(function* (accountId: string) {
  const store = yield* Store;
  const account = Option.getOrThrow(yield* store.getAccount(accountId));
  const extractions = yield* store.listExtractions(accountId, { after: null, limit: ALL });
  const ledger = yield* store.listLedger(accountId, { before: null, limit: ALL });
  const sum = ledger.reduce((total, { credits }) => total + credits, 0);
  assert.strictEqual(sum, account.balance, "the ledger does not sum up to the balance");
  assert.isTrue(
    ledger.every(({ balanceAfter }) => balanceAfter >= 0),
    "the balance was below 0"
  );
  assert.isTrue(account.owedCredits === 0 || account.balance === 0, "credits are owed beside a balance");
  const live = extractions.filter(({ status }) => status === "pending" || status === "running");
  assert.strictEqual(live.length, account.slotsUsed, "slots and active extractions differ");
  assert.isAtMost(live.length, 2);
  const waiting = extractions.filter(({ status }) => status === "queued");
  assert.isTrue(waiting.length === 0 || live.length === 2, "an extraction waits although a slot is free");
  for (const { id, creditsDebited, creditsRefunded, status } of extractions) {
    const lines = ledger.filter(({ extractionId }) => extractionId === id);
    const of = (kind: string) => lines.filter((line) => line.kind === kind);
    assert.strictEqual(of("debit").length, creditsDebited > 0 ? 1 : 0, `debits of ${id}`);
    assert.isAtMost(of("refund").length, 1, `refunds of ${id}`);
    const refunded = of("refund").reduce((total, { credits }) => total + credits, 0);
    assert.strictEqual(refunded, creditsRefunded);
    assert.isAtMost(refunded, creditsDebited);
    if (status === "failed") assert.strictEqual(refunded, creditsDebited);
  }
  return { account, extractions, ledger };
});
