/** The laws of money, slots and batches, which hold after every commit. Tests: core's Laws.test.ts. */
import { assert } from "@effect/vitest";
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import type { Account } from "@winnow/core/domain/money/Account";
import type { LedgerLine } from "@winnow/core/domain/money/Ledger";
import type { Payment } from "@winnow/core/domain/money/Payment";
import { planOf } from "@winnow/core/domain/money/Plan";
import { ATTEMPTS_MAX } from "@winnow/core/domain/result/Settlement";
import { countsOf, startsItems, type Batch } from "@winnow/core/domain/run/Batch";
import type { Extraction } from "@winnow/core/domain/run/Extraction";
import { debitedPrice } from "@winnow/core/domain/run/Submission";
import { holdsSlot } from "@winnow/core/domain/run/Transition";
import { Plans } from "@winnow/core/ports/Plans";
import { Store } from "@winnow/core/ports/Store";
import { viewOf } from "./StoreSteps.ts";

/** More than any test writes. */
const ALL = 10_000;

const EPOCH = "1970-01-01";

const creditsOf = (lines: ReadonlyArray<Pick<LedgerLine, "credits">>): number =>
  lines.reduce((sum, { credits }) => sum + credits, 0);

/** An assertion costs a hundred times as much, and walks through accounts check millions. */
const holds = (isSo: boolean, law: string): void => {
  if (!isSo) assert.fail(`${law}: this does not hold`);
};

/** `ledger` is in the order of posting. */
const assertBalance = ({ balance, owedCredits }: Account, ledger: ReadonlyArray<LedgerLine>): void => {
  let before = 0;
  for (const { credits, balanceAfter } of ledger) {
    before += credits;
    holds(
      balanceAfter === before && balanceAfter >= 0,
      "each line tells the balance after it, which is never below 0"
    );
  }
  holds(before === balance, `the ledger sums up to the balance (${before}, ${balance})`);
  holds(ledger.filter(({ kind }) => kind === "bonus").length <= 1, "there is at most one bonus");
  holds(owedCredits >= 0, "what is owed is not below 0");
  holds(owedCredits === 0 || balance === 0, "no credits are owed beside a balance");
};

/** What an account holds or owes is what it got, without what its returned payments had bought. */
const assertPayments = (
  { balance, owedCredits }: Account,
  ledger: ReadonlyArray<LedgerLine>,
  payments: ReadonlyArray<Payment>
): void => {
  const returned = payments.reduce((sum, { paidCredits, returns }) => {
    const claimed = creditsOf(Object.values(returns));
    return sum + Math.min(paidCredits, claimed);
  }, 0);
  const others = ledger.filter(({ kind }) => kind !== "adjustment");
  assert.strictEqual(balance - owedCredits, creditsOf(others) - returned, "a returned payment");
};

/** `lines` are its own. */
const assertRun = (extraction: Extraction, lines: ReadonlyArray<LedgerLine>): void => {
  const { id, status, batchId, creditsDebited, creditsRefunded, attempt, excusedAttempts } = extraction;
  const of = (kind: string) => lines.filter((line) => line.kind === kind);
  const [debits, refunds] = [of("debit"), of("refund")];
  holds(creditsDebited === debitedPrice(extraction).credits, `the price of ${id} is its debit`);
  // Items are debited together.
  const owed = batchId === null ? creditsDebited : 0;
  holds(debits.length === (owed > 0 ? 1 : 0) && creditsOf(debits) === 0 - owed, `${id} is debited once`);
  holds(refunds.length <= 1 && creditsOf(refunds) === creditsRefunded, `${id} is refunded at most once`);
  holds(creditsRefunded <= creditsDebited, `no more of ${id} is refunded than was debited`);
  holds(status !== "failed" || creditsRefunded === creditsDebited, `the failed run ${id} is free`);
  holds(attempt - excusedAttempts <= ATTEMPTS_MAX, `the attempts of ${id} are limited`);
};

const assertSlots = (
  { slotsUsed }: Account,
  extractions: ReadonlyArray<Extraction>,
  batches: ReadonlyArray<Batch>,
  runningMax: number
): void => {
  const live = extractions.filter(({ status }) => holdsSlot(status));
  holds(live.length === slotsUsed, `slots are active extractions (${slotsUsed}, ${live.length})`);
  holds(live.length <= runningMax, "no more runs than the plan allows");
  const held = new Set(batches.filter((batch) => !startsItems(batch)).map(({ id }) => id));
  const waiting = extractions.filter(
    ({ status, batchId }) => status === "queued" && !held.has(batchId ?? "")
  );
  holds(waiting.length === 0 || live.length === runningMax, "none waits while a slot is free");
};

/** Usage by part of the price is that of the days, and no part gets back more than it cost. */
const assertUsage = Effect.fnUntraced(function* (accountId: string) {
  const store = yield* Store;
  const days = yield* store.listUsage(accountId, EPOCH);
  const parts = yield* store.listPartUsage(accountId, EPOCH);
  for (const of of ["debited", "refunded"] as const) {
    const sumOf = (rows: ReadonlyArray<Record<typeof of, number>>) =>
      rows.reduce((sum, row) => sum + row[of], 0);
    holds(sumOf(parts) === sumOf(days), `credits ${of} by part add up to those by day`);
  }
  for (const { part, debited, refunded } of parts) {
    holds(refunded >= 0 && refunded <= debited, `no more of ${part} is refunded than was debited`);
  }
});

const assertBatch = Effect.fnUntraced(function* (
  batch: Batch,
  extractions: ReadonlyArray<Extraction>,
  ledger: ReadonlyArray<LedgerLine>
) {
  const store = yield* Store;
  const items = yield* store.listBatchItems(batch.accountId, batch.id);
  const debits = ledger.filter(({ batchId }) => batchId === batch.id);
  assert.strictEqual(creditsOf(debits), 0 - batch.creditsDebited, `debits of ${batch.id}`);
  const accepted = items.filter(({ extractionId }) => extractionId !== null);
  if (accepted.some(({ status }) => status === null)) return; // Some were deleted since.
  const own = extractions.filter(({ batchId }) => batchId === batch.id);
  assert.strictEqual(
    batch.creditsRefunded,
    own.reduce((sum, { creditsRefunded }) => sum + creditsRefunded, 0)
  );
  const countOf = (...states: ReadonlyArray<string>) =>
    accepted.filter(({ status }) => states.includes(status ?? "")).length;
  assert.deepStrictEqual(
    { ...countsOf(batch), reused: 0 },
    {
      total: items.length,
      accepted: accepted.length,
      refused: items.length - accepted.length,
      reused: 0,
      running: countOf("queued", "pending", "running"),
      complete: countOf("complete"),
      failed: countOf("failed")
    }
  );
  assert.strictEqual(batch.completedAtMs === null, countsOf(batch).running > 0, "the end of a batch");
});

/** Returns what it checked, the ledger in the order of posting. `paymentIds` are all of the account. */
export const assertLaws = Effect.fnUntraced(function* (
  accountId: string,
  paymentIds: ReadonlyArray<string> = []
) {
  const store = yield* Store;
  const page = { after: null, limit: ALL };
  const account = Option.getOrThrow(yield* store.getAccount(accountId));
  const extractions = yield* store.listExtractions(accountId, page);
  const ledger = (yield* store.listLedger(accountId, { before: null, limit: ALL })).toReversed();
  const batches = yield* store.listBatches(accountId, page);
  const { limits } = planOf((yield* Plans).book(), account, yield* Clock.currentTimeMillis);
  assertBalance(account, ledger);
  assertSlots(account, extractions, batches, limits.runningMax);
  yield* assertUsage(accountId);
  const linesOf = Map.groupBy(ledger, ({ extractionId }) => extractionId);
  for (const extraction of extractions) assertRun(extraction, linesOf.get(extraction.id) ?? []);
  for (const batch of batches) yield* assertBatch(batch, extractions, ledger);
  if (paymentIds.length > 0) {
    const payments = yield* Effect.forEach(paymentIds, (paymentId) => viewOf(accountId, { paymentId }));
    assertPayments(
      account,
      ledger,
      payments.flatMap(({ payment }) => payment ?? [])
    );
  }
  return { account, extractions, ledger };
});
