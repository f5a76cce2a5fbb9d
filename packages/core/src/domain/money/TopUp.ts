/** Top-ups of credits, with the bonus for the first one. */
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import type { Account } from "./Account.ts";
import { FIRST_TOP_UP_BONUS_CREDITS, type Credits } from "./Credits.ts";
import { post, type LedgerLine } from "./Ledger.ts";
import { payOwed, type Movement } from "./OwedCredits.ts";

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
    const posted = Result.getOrThrow(post(account, { ...line, extractionId: null, createdAtMs: nowMs }));
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
