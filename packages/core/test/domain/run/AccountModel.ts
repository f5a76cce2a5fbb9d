/**
 * One account in memory: gives deciders their view, applies their decisions, and after every step checks what must hold
 * at every commit. For tests of the deciders without a store.
 */
import { assert } from "@effect/vitest";
import * as Result from "effect/Result";
import type { Account } from "../../../src/domain/money/Account.ts";
import {
  WAITING_LOADED_MAX,
  type AccountView,
  type Changes,
  type Decider,
  type Needs
} from "../../../src/domain/run/Decision.ts";
import type { Extraction } from "../../../src/domain/run/Extraction.ts";
import type { IdempotencyRecord } from "../../../src/domain/request/Idempotency.ts";
import type { LedgerLine } from "../../../src/domain/money/Ledger.ts";
import type { Payment } from "../../../src/domain/money/Payment.ts";
import { planOf, BUILT_IN_PLANS, type PlanBook } from "../../../src/domain/money/Plan.ts";
import { debitedPrice } from "../../../src/domain/run/Submission.ts";
import { ATTEMPTS_MAX } from "../../../src/domain/result/Settlement.ts";
import { holdsSlot, isTerminal } from "../../../src/domain/run/Transition.ts";
import { sampleAccount } from "@winnow/testing/samples/samples";

const creditsOf = (lines: ReadonlyArray<LedgerLine>): number =>
  lines.reduce((sum, line) => sum + line.credits, 0);

export class AccountModel {
  account: Account;
  /** In submission order. */
  extractions: ReadonlyArray<Extraction> = [];
  ledger: ReadonlyArray<LedgerLine> = [];
  /** Where the account's plan is looked up. */
  book: PlanBook = BUILT_IN_PLANS;
  nowMs = 0;
  readonly records = new Map<string, IdempotencyRecord>();
  readonly payments = new Map<string, Payment>();

  constructor(account: Partial<Account> = {}) {
    this.account = sampleAccount({ id: "acc_1", ...account });
  }

  find(id: string): Extraction | undefined {
    return this.extractions.find((extraction) => extraction.id === id);
  }

  withStatus(status: Extraction["status"]): ReadonlyArray<Extraction> {
    return this.extractions.filter((extraction) => extraction.status === status);
  }

  view({ extractionId, idempotencyKey, paymentId }: Needs): AccountView {
    const waiting = this.withStatus("queued");
    const idempotency = this.records.get(idempotencyKey ?? "") ?? null;
    return {
      account: this.account,
      plan: planOf(this.book, this.account, this.nowMs),
      waitingCount: waiting.length,
      waiting: waiting.slice(0, WAITING_LOADED_MAX),
      extraction: this.find(extractionId ?? "") ?? null,
      idempotency,
      replayed: this.find(idempotency?.extractionId ?? "") ?? null,
      batch: null,
      batchItemsWaiting: 0,
      known: [],
      webhookEndpoints: [],
      payment: this.payments.get(paymentId ?? "") ?? null,
      usedByKey: null
    };
  }

  /** Decides, applies and checks; also returns the changes, so that a test can see if there are none. */
  transact<A, E>({ needs, decide }: Decider<A, E>): Result.Result<{ value: A; changes: Changes }, E> {
    const decided = decide(this.view(needs));
    if (Result.isSuccess(decided)) this.apply(decided.success.changes);
    return decided;
  }

  private apply(changes: Changes): void {
    const before = this.extractions;
    const updated = new Map(changes.updated.map((extraction) => [extraction.id, extraction]));
    for (const id of updated.keys()) assert.exists(this.find(id), `${id} is updated but does not exist`);
    for (const { id } of changes.inserted) assert.notExists(this.find(id), `${id} is inserted twice`);
    this.account = changes.account ?? this.account;
    this.extractions = [...before.map((each) => updated.get(each.id) ?? each), ...changes.inserted];
    this.ledger = [...this.ledger, ...changes.ledger];
    if (changes.payment !== null) this.payments.set(changes.payment.id, changes.payment);
    if (changes.idempotency !== null) this.records.set(changes.idempotency.key, changes.idempotency);

    for (const each of before.filter(({ status }) => isTerminal(status))) {
      assert.deepStrictEqual(this.find(each.id), each, `${each.id} had ended and changed`);
    }
    for (const each of [...changes.inserted, ...changes.updated]) {
      const { credits } = debitedPrice(each);
      assert.strictEqual(credits, each.creditsDebited, "the price of a run is what it was debited");
    }
    const jobs = changes.jobs.map((job) => job.extractionId);
    const pending = [...changes.inserted, ...changes.updated].filter(({ status }) => status === "pending");
    assert.sameMembers(
      jobs,
      pending.map(({ id }) => id),
      "one job for each run that becomes pending"
    );
    this.checkMoney();
    this.checkSlots();
  }

  private checkMoney(): void {
    assert.isAtLeast(this.account.balance, 0, "the balance is never below 0");
    assert.strictEqual(creditsOf(this.ledger), this.account.balance, "the sum of the lines is the balance");
    let balance = 0;
    for (const line of this.ledger) {
      balance += line.credits;
      assert.strictEqual(line.balanceAfter, balance, "every line tells the balance after it");
    }
    assert.isAtMost(this.ledger.filter(({ kind }) => kind === "bonus").length, 1, "one bonus at most");
    assert.isAtLeast(this.account.owedCredits, 0);
    assert.isTrue(this.account.owedCredits === 0 || this.account.balance === 0, "owed only at balance 0");
    this.checkPayments();
    for (const { id, creditsDebited, creditsRefunded } of this.extractions) {
      const own = this.ledger.filter((line) => line.extractionId === id);
      const debits = own.filter(({ kind }) => kind === "debit");
      const refunds = own.filter(({ kind }) => kind === "refund");
      assert.lengthOf(debits, creditsDebited > 0 ? 1 : 0, "one debit for a run, none for a reused result");
      assert.strictEqual(creditsOf(debits), 0 - creditsDebited);
      assert.isAtMost(refunds.length, 1, "one refund at most");
      assert.strictEqual(creditsOf(refunds), creditsRefunded);
      assert.isAtMost(creditsRefunded, creditsDebited, "a refund is never more than the debit");
    }
  }

  /** What an account holds or owes is what it got, without what its returned payments had bought. */
  private checkPayments(): void {
    const returned = [...this.payments.values()].reduce((sum, { paidCredits, returns }) => {
      const claimed = Object.values(returns).reduce((total, { credits }) => total + credits, 0);
      return sum + Math.min(paidCredits, claimed);
    }, 0);
    const others = this.ledger.filter(({ kind }) => kind !== "adjustment");
    assert.strictEqual(this.account.balance - this.account.owedCredits, creditsOf(others) - returned);
  }

  private checkSlots(): void {
    const holders = this.extractions.filter(({ status }) => holdsSlot(status));
    assert.strictEqual(this.account.slotsUsed, holders.length, "slotsUsed counts pending and running");
    const { runningMax } = planOf(this.book, this.account, this.nowMs).limits;
    assert.isAtMost(holders.length, runningMax, "never more slots than the plan allows");
    const [firstWaiting] = this.withStatus("queued");
    if (firstWaiting !== undefined) {
      assert.strictEqual(holders.length, runningMax, "nobody waits while a slot is free");
      const place = this.extractions.indexOf(firstWaiting);
      for (const holder of holders) {
        assert.isBelow(this.extractions.indexOf(holder), place, "first in, first out");
      }
    }
    for (const { attempt, excusedAttempts } of this.extractions)
      assert.isAtMost(attempt - excusedAttempts, ATTEMPTS_MAX, "attempts are limited");
  }
}
