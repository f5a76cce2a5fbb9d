/**
 * Top-ups, and the effect of a payment on an account: the credits bought, and those taken back by refunds and disputes.
 *
 * Payment services report each event at least once and in any order. So the payment is stored as everything known
 * about it, and each notice moves the account to the resulting amount: the same notices give the same result in any
 * order and number. Credits that the balance does not hold are owed.
 */
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import type { Account } from "./Account.ts";
import { type Credits, FIRST_TOP_UP_BONUS_CREDITS } from "./Credits.ts";
import { type LedgerLine, post } from "./Ledger.ts";
import { plural } from "../text/Plural.ts";

// Owed are credits of a returned payment that the balance does not hold, because they are spent or held by waiting runs.
// Balance and debt are one signed number in two fields: an account owes only while its balance is 0, and whatever
// it receives next, by refunds of runs or by top-ups, pays the debt first.

/** An account after a movement, and the ledger lines of what was really moved. */
export interface Movement {
  readonly account: Account;
  readonly ledger: ReadonlyArray<LedgerLine>;
}

const OF_NO_RUN = { extractionId: null, batchId: null };

const adjusted = (account: Account, credits: number, note: string, createdAtMs: number): Movement => {
  if (credits === 0) return { account, ledger: [] };
  const line = { ...OF_NO_RUN, kind: "adjustment", credits, note, createdAtMs } as const;
  const posted = Result.getOrThrow(post(account, line));
  return { account: posted.account, ledger: [posted.line] };
};

/** Takes back what the balance holds; the account owes the rest. */
const takeBack = (account: Account, credits: Credits, note: string, nowMs: number): Movement => {
  const taken = Math.min(credits, account.balance);
  const owed = credits - taken;
  return adjusted(
    { ...account, owedCredits: account.owedCredits + owed },
    -taken,
    owed === 0 ? note : `${note}; ${plural(owed, "credit")} owed`,
    nowMs
  );
};

/** Returns what {@link takeBack} took: cancels the debt first, and adds the rest to the balance. */
const giveBack = (account: Account, credits: Credits, note: string, nowMs: number): Movement => {
  const cancelled = Math.min(credits, account.owedCredits);
  return adjusted(
    { ...account, owedCredits: account.owedCredits - cancelled },
    credits - cancelled,
    note,
    nowMs
  );
};

/** Pays the debt from credits that the account has just received. */
export const payOwed = (account: Account, nowMs: number): Movement => {
  const paid = Math.min(account.owedCredits, account.balance);
  return adjusted(
    { ...account, owedCredits: account.owedCredits - paid },
    -paid,
    "Owed since a payment was returned",
    nowMs
  );
};

/** Largest single top-up, in credits ($100,000); keeps balances exact as numbers. */
export const TOP_UP_CREDITS_MAX = 1_000_000_000;

/** Valid amounts of one top-up; {@link topUp} must only get these. */
export const TopUpCredits = Schema.Int.check(
  Schema.isBetween({ minimum: 1, maximum: TOP_UP_CREDITS_MAX })
).annotate({ identifier: "TopUpCredits" });

/**
 * Idempotency keys of top-ups belong to the operator. The line feed, which no header can contain, keeps them
 * separate from the account's keys.
 */
export const topUpKey = (key: string): string => `top-up\n${key}`;

/** Posts bought credits, with the bonus of a first top-up, and pays what the account owes. */
export const topUp = (before: Account, credits: Credits, nowMs: number): Movement => {
  const ledger: Array<LedgerLine> = [];
  let account = before;
  const receive = (line: Pick<LedgerLine, "kind" | "credits" | "note">): void => {
    const posted = Result.getOrThrow(post(account, { ...OF_NO_RUN, ...line, createdAtMs: nowMs }));
    ({ account } = posted);
    ledger.push(posted.line);
  };
  receive({ kind: "top_up", credits, note: "Top-up" });
  if (!account.bonusGranted) {
    receive({ kind: "bonus", credits: FIRST_TOP_UP_BONUS_CREDITS, note: "First top-up bonus" });
    account = { ...account, bonusGranted: true };
  }
  const paid = payOwed(account, nowMs);
  return { account: paid.account, ledger: [...ledger, ...paid.ledger] };
};

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
interface Booked extends Movement {
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
