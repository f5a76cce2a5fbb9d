/**
 * Credits of a returned payment that the balance does not hold, because they are spent or held by waiting runs.
 *
 * Balance and debt are one signed number in two fields: an account owes only while its balance is 0, and whatever
 * it receives next, by refunds of runs or by top-ups, pays the debt first.
 */
import * as Result from "effect/Result";
import type { Account } from "./Account.ts";
import type { Credits } from "./Credits.ts";
import { post, type LedgerLine } from "./Ledger.ts";
import { plural } from "../text/Plural.ts";

/** An account after a movement, and the ledger lines of what was really moved. */
export interface Movement {
  readonly account: Account;
  readonly ledger: ReadonlyArray<LedgerLine>;
}

const adjusted = (account: Account, credits: number, note: string, createdAtMs: number): Movement => {
  if (credits === 0) return { account, ledger: [] };
  const line = { kind: "adjustment", credits, extractionId: null, note, createdAtMs } as const;
  const posted = Result.getOrThrow(post(account, line));
  return { account: posted.account, ledger: [posted.line] };
};

/** Takes back what the balance holds; the account owes the rest. */
export const takeBack = (account: Account, credits: Credits, note: string, nowMs: number): Movement => {
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
export const giveBack = (account: Account, credits: Credits, note: string, nowMs: number): Movement => {
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
