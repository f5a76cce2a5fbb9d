/**
 * The effect of a payment on an account: the credits bought, and those taken back by refunds and disputes.
 *
 * Payment services report each event at least once and in any order. So the payment is stored as everything known
 * about it, and each notice moves the balance to the resulting amount: the same notices give the same balance in
 * any order and number. Spent credits are not taken back; a balance never goes below 0.
 */
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import type { Account } from "./Account.ts";
import type { Credits } from "./Credits.ts";
import { NO_CHANGES, nothing, type AccountView, type Decision } from "./Decision.ts";
import { post, type LedgerLine } from "./Ledger.ts";
import { changesOfTopUp } from "./TopUp.ts";

/** A refund or a dispute of a payment. */
const PaymentReturn = Schema.Struct({
  /** Credits to take back; 0 if it was resolved in the merchant's favour. */
  credits: Schema.Int,
  /** Final: later notices about it are ignored (a dispute won, a refund failed). */
  isFinal: Schema.Boolean
});

export const Payment = Schema.Struct({
  /** The payment service's id. */
  id: Schema.String,
  /** Credits bought; 0 until the payment is known to be paid. */
  paidCredits: Schema.Int,
  /** Credits granted so far, spent or not. */
  keptCredits: Schema.Int,
  /** Credits that could not be taken back because they were spent; not claimed again. */
  spentCredits: Schema.Int,
  /** By the payment service's ids of refunds and disputes. */
  returns: Schema.Record(Schema.String, PaymentReturn)
});
export type Payment = typeof Payment.Type;

/** A notice from the payment service. */
export type PaymentNotice = { readonly paymentId: string; readonly accountId: string } & (
  | { readonly _tag: "Paid"; readonly credits: Credits }
  | {
      readonly _tag: "Returned";
      readonly kind: "refund" | "dispute";
      readonly returnId: string;
      readonly credits: Credits;
      readonly isFinal: boolean;
    }
);

const unpaid = (id: string): Payment => ({
  id,
  paidCredits: 0,
  keptCredits: 0,
  spentCredits: 0,
  returns: {}
});

const known = (payment: Payment, notice: PaymentNotice): Payment => {
  if (notice._tag === "Paid") {
    return payment.paidCredits > 0 ? payment : { ...payment, paidCredits: notice.credits };
  }
  const { returnId, credits, isFinal } = notice;
  const before = payment.returns[returnId];
  if (before?.isFinal === true || (before?.credits === credits && before.isFinal === isFinal)) return payment;
  return { ...payment, returns: { ...payment.returns, [returnId]: { credits, isFinal } } };
};

/** The credits that the account is entitled to. */
const dueCredits = ({ paidCredits, returns }: Payment): Credits =>
  Math.max(0, paidCredits - Object.values(returns).reduce((sum, { credits }) => sum + credits, 0));

const noteOf = (notice: PaymentNotice, moved: number, targetCredits: number): string => {
  const what = notice._tag === "Returned" && notice.kind === "dispute" ? "Dispute" : "Refund";
  const spent =
    targetCredits === moved ? "" : `; ${moved - targetCredits} of its credits had already been spent`;
  return moved > 0 ? `${what} was reversed` : `${what} of a payment${spent}`;
};

interface Adjusted {
  readonly account: Account;
  readonly ledger: ReadonlyArray<LedgerLine>;
  readonly payment: Payment;
}

/** Moves the balance by the difference, but not below 0; spent credits are claimed once. */
const adjust = (account: Account, payment: Payment, notice: PaymentNotice, nowMs: number): Adjusted => {
  const missing = dueCredits(payment) - payment.keptCredits;
  const spentCredits = Math.min(payment.spentCredits, Math.max(0, -missing));
  const targetCredits = missing + spentCredits;
  const moved = Math.max(targetCredits, -account.balance);
  const settled = {
    ...payment,
    keptCredits: payment.keptCredits + moved,
    spentCredits: spentCredits + moved - targetCredits
  };
  if (moved === 0) return { account, ledger: [], payment: settled };
  const note = noteOf(notice, moved, targetCredits);
  const line = { kind: "adjustment", credits: moved, extractionId: null, note, createdAtMs: nowMs } as const;
  const posted = Result.getOrThrow(post(account, line));
  return { account: posted.account, ledger: [posted.line], payment: settled };
};

/** Returns the new balance. `view.payment` must be the notice's payment. */
export const decidePayment =
  (notice: PaymentNotice, nowMs: number) =>
  (view: AccountView): Result.Result<Decision<Credits>> => {
    const before = view.payment ?? unpaid(notice.paymentId);
    const after = known(before, notice);
    if (after === before) return Result.succeed(nothing(view.account.balance));
    const isBought = before.paidCredits === 0 && after.paidCredits > 0;
    const bought = isBought ? changesOfTopUp(after.paidCredits, nowMs, view) : NO_CHANGES;
    const settled = isBought ? { ...after, keptCredits: after.paidCredits } : after;
    const { account, ledger, payment } = adjust(bought.account ?? view.account, settled, notice, nowMs);
    return Result.succeed({
      value: account.balance,
      changes: {
        ...NO_CHANGES,
        account: account === view.account ? null : account,
        ledger: [...bought.ledger, ...ledger],
        payment
      }
    });
  };
