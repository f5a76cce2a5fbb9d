/**
 * What a payment did to an account: the credits that were bought with it, and what refunds and disputes took back.
 *
 * Payment services tell of each event at least once and in any order. So a payment is kept as what is known of it
 * in all, and each notice moves the balance to where that leads: the same notices in any order, however often,
 * come to the same. Spent credits are not taken back: a balance never goes below 0.
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
  /** That it takes back; 0 when it came to nothing. */
  credits: Schema.Int,
  /** Nothing that is told of it later counts: a dispute was won, a refund failed. */
  isFinal: Schema.Boolean
});

export const Payment = Schema.Struct({
  /** The payment service's. */
  id: Schema.String,
  /** Credits that were bought; 0 until it is known to be paid. */
  paidCredits: Schema.Int,
  /** Of them in the balance, or spent out of it. */
  keptCredits: Schema.Int,
  /** Of what was to be taken back: spent by then, and not asked for any more. */
  spentCredits: Schema.Int,
  /** By the ids that the payment service gives to refunds and disputes. */
  returns: Schema.Record(Schema.String, PaymentReturn)
});
export type Payment = typeof Payment.Type;

/** What a payment service told. */
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

/** What of the payment belongs to the account. */
const dueCredits = ({ paidCredits, returns }: Payment): Credits =>
  Math.max(0, paidCredits - Object.values(returns).reduce((sum, { credits }) => sum + credits, 0));

const noteOf = (notice: PaymentNotice, moved: number, wanted: number): string => {
  const what = notice._tag === "Returned" && notice.kind === "dispute" ? "Dispute" : "Refund";
  const spent = wanted === moved ? "" : `; ${moved - wanted} of its credits had already been spent`;
  return moved > 0 ? `${what} was reversed` : `${what} of a payment${spent}`;
};

interface Adjusted {
  readonly account: Account;
  readonly ledger: ReadonlyArray<LedgerLine>;
  readonly payment: Payment;
}

/** Moves the balance by what is missing, as far as it goes; what was spent is asked for once. */
const adjust = (account: Account, payment: Payment, notice: PaymentNotice, nowMs: number): Adjusted => {
  const missing = dueCredits(payment) - payment.keptCredits;
  const spentCredits = Math.min(payment.spentCredits, Math.max(0, -missing));
  const wanted = missing + spentCredits;
  const moved = Math.max(wanted, -account.balance);
  const settled = {
    ...payment,
    keptCredits: payment.keptCredits + moved,
    spentCredits: spentCredits + moved - wanted
  };
  if (moved === 0) return { account, ledger: [], payment: settled };
  const note = noteOf(notice, moved, wanted);
  const line = { kind: "adjustment", credits: moved, extractionId: null, note, createdAtMs: nowMs } as const;
  const posted = Result.getOrThrow(post(account, line));
  return { account: posted.account, ledger: [posted.line], payment: settled };
};

/** The value is the balance afterwards. `view.payment` is the notice's. */
export const decidePayment =
  (notice: PaymentNotice, nowMs: number) =>
  (view: AccountView): Result.Result<Decision<Credits>> => {
    const before = view.payment ?? unpaid(notice.paymentId);
    const after = known(before, notice);
    if (after === before) return Result.succeed(nothing(view.account.balance));
    const isBought = before.paidCredits === 0 && after.paidCredits > 0;
    const bought = isBought ? changesOfTopUp(after.paidCredits, nowMs, view) : NO_CHANGES;
    const kept = isBought ? { ...after, keptCredits: after.paidCredits } : after;
    const { account, ledger, payment } = adjust(bought.account ?? view.account, kept, notice, nowMs);
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
