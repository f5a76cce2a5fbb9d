/**
 * The effect of a payment on an account: the credits bought, and those taken back by refunds and disputes.
 *
 * Payment services report each event at least once and in any order. So the payment is stored as everything known
 * about it, and each notice moves the account to the resulting amount: the same notices give the same result in any
 * order and number. Credits that the balance does not hold are owed (domain/money/OwedCredits).
 */
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import type { Credits } from "./Credits.ts";
import { NO_CHANGES, nothing, type AccountView, type Decision } from "../run/Decision.ts";
import { giveBack, takeBack } from "./OwedCredits.ts";
import { changesOfTopUp } from "./TopUp.ts";

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

/** `OtherAccount`: the payment is known as another account's, so nothing was booked. */
export type PaymentDecision =
  | { readonly _tag: "Booked"; readonly balance: Credits }
  | { readonly _tag: "OtherAccount"; readonly accountId: string };

/** `view.payment` must be the notice's payment, whatever account it belongs to. */
export const decidePayment =
  (notice: PaymentNotice, nowMs: number) =>
  (view: AccountView): Result.Result<Decision<PaymentDecision>> => {
    const before = view.payment ?? unpaid(notice);
    if (before.accountId !== view.account.id) {
      return Result.succeed(nothing({ _tag: "OtherAccount", accountId: before.accountId }));
    }
    const payment = known(before, notice);
    if (payment === before) {
      return Result.succeed(nothing({ _tag: "Booked", balance: view.account.balance }));
    }
    const isBought = before.paidCredits === 0 && payment.paidCredits > 0;
    const bought = isBought ? changesOfTopUp(payment.paidCredits, nowMs, view) : NO_CHANGES;
    const granted = isBought ? payment.paidCredits : dueCredits(before);
    const missing = dueCredits(payment) - granted;
    const account = bought.account ?? view.account;
    const moved =
      missing < 0
        ? takeBack(account, -missing, `${noteOf(notice)} of a payment`, nowMs)
        : giveBack(account, missing, `${noteOf(notice)} was reversed`, nowMs);
    return Result.succeed({
      value: { _tag: "Booked", balance: moved.account.balance },
      changes: {
        ...NO_CHANGES,
        account: moved.account,
        ledger: [...bought.ledger, ...moved.ledger],
        payment
      }
    });
  };
