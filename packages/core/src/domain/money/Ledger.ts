/**
 * The append-only double-entry ledger of credits.
 *
 * A line is both sides of a transfer: the signed `credits` is the account's side, and the kind determines the other
 * one (sales for debits and refunds, payments for top-ups, promotion for the bonus). The sum of an account's lines
 * equals its balance at every commit. Tests: Laws.test.ts.
 */
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import type { Account } from "./Account.ts";
import { Credits } from "./Credits.ts";

export const LedgerKind = Schema.Literals(["debit", "refund", "top_up", "bonus", "adjustment"]).annotate({
  identifier: "LedgerKind"
});
export type LedgerKind = typeof LedgerKind.Type;

/** A line before the store gave it an id. */
export const LedgerLine = Schema.Struct({
  kind: LedgerKind,
  /** Signed; negative is a debit. */
  credits: Schema.Int,
  balanceAfter: Credits,
  extractionId: Schema.NullOr(Schema.String),
  /** For the debit of a batch, which is one line for all its items; refunds name the extraction. */
  batchId: Schema.NullOr(Schema.String),
  note: Schema.String,
  createdAtMs: Schema.Int
});
export type LedgerLine = typeof LedgerLine.Type;

/** `id` is opaque and increases in posting order within an account. */
export interface LedgerEntry extends LedgerLine {
  readonly id: string;
  readonly accountId: string;
  /** Title of its extraction, or its URL while there is none; null without one and after its deletion. */
  readonly extractionTitle: string | null;
}

export interface Posted {
  readonly account: Account;
  readonly line: LedgerLine;
}

/** Balance and missing credits, in whole credits. */
export interface Overdrawn {
  readonly balance: Credits;
  readonly cost: Credits;
}

/** Adds `credits` (signed) to the balance; fails if it would become negative. */
export const post = (
  account: Account,
  line: Omit<LedgerLine, "balanceAfter">
): Result.Result<Posted, Overdrawn> => {
  const balance = account.balance + line.credits;
  return balance < 0
    ? Result.fail({ balance: account.balance, cost: -line.credits })
    : Result.succeed({ account: { ...account, balance }, line: { ...line, balanceAfter: balance } });
};
