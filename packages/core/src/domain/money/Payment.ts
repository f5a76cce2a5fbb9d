/**
 * The effect of a payment on an account: the credits bought, and those taken back by refunds and disputes.
 *
 * Payment services report each event at least once and in any order. So the payment is stored as everything known
 * about it, and each notice moves the account to the resulting amount: the same notices give the same result in any
 * order and number. Credits that the balance does not hold are owed (domain/money/OwedCredits).
 */
import * as Schema from "effect/Schema";
import type { Account } from "./Account.ts";
import type { Credits } from "./Credits.ts";
import { giveBack, takeBack, type Movement } from "./OwedCredits.ts";
import { topUp } from "./TopUp.ts";

/** A refund or a dispute of a payment. */
const PaymentReturn = Schema.Struct({
  /** Credits to take back; 0 if it was resolved in the merchant's favour. */
  credits: Schema.Int,
  /** Final: later notices about it are ignored (a dispute won, a refund failed). */
  isFinal: Schema.Boolean
});

export const Payment = Schema.Struct({
  /** The payment service's id; a payment belongs to one account only. */
  id: Schema.String,
  accountId: Schema.String,
  /** Credits bought; 0 until the payment is known to be paid. */
  paidCredits: Schema.Int,
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

const unpaid = ({ paymentId, accountId }: PaymentNotice): Payment => ({
  id: paymentId,
  accountId,
  paidCredits: 0,
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

const noteOf = (notice: PaymentNotice): string =>
  notice._tag === "Returned" && notice.kind === "dispute" ? "Dispute" : "Refund";

/** The effect of a notice on the account that paid: the new state of the payment, and what it moves. */
export interface Booked extends Movement {
  readonly payment: Payment;
}

/** `before` is the stored payment of the account; null if the notice says nothing new. */
export const book = (
  paying: Account,
  before: Payment | null,
  notice: PaymentNotice,
  nowMs: number
): Booked | null => {
  const earlier = before ?? unpaid(notice);
  const payment = known(earlier, notice);
  if (payment === earlier) return null;
  const isBought = earlier.paidCredits === 0 && payment.paidCredits > 0;
  const bought = isBought ? topUp(paying, payment.paidCredits, nowMs) : { account: paying, ledger: [] };
  const granted = isBought ? payment.paidCredits : dueCredits(earlier);
  const missing = dueCredits(payment) - granted;
  const moved =
    missing < 0
      ? takeBack(bought.account, -missing, `${noteOf(notice)} of a payment`, nowMs)
      : giveBack(bought.account, missing, `${noteOf(notice)} was reversed`, nowMs);
  return { payment, account: moved.account, ledger: [...bought.ledger, ...moved.ledger] };
};
