/** Top-ups of credits, with the bonus for the first one. */
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import { FIRST_TOP_UP_BONUS_CREDITS, type Credits } from "./Credits.ts";
import { NO_CHANGES, nothing, type AccountView, type Changes, type Decision } from "../run/Decision.ts";
import { decideIdempotency, type KeyedRequest } from "../request/Idempotency.ts";
import { post } from "./Ledger.ts";
import { payOwed } from "./OwedCredits.ts";
import { IdempotencyConflict } from "../request/Refusal.ts";

/** Largest single top-up, in credits ($100,000); keeps balances exact as numbers. */
export const TOP_UP_CREDITS_MAX = 1_000_000_000;

/** Valid amounts of one top-up; {@link decideTopUp} must only get these. */
export const TopUpCredits = Schema.Int.check(
  Schema.isBetween({ minimum: 1, maximum: TOP_UP_CREDITS_MAX })
).annotate({ identifier: "TopUpCredits" });

/**
 * Idempotency keys of top-ups belong to the operator. The line feed, which no header can contain, keeps them
 * separate from the account's keys.
 */
export const topUpKey = (key: string): string => `top-up\n${key}`;

const credited = (credits: Credits, nowMs: number, { account }: AccountView): Changes => {
  const line = { extractionId: null, createdAtMs: nowMs };
  const bought = Result.getOrThrow(post(account, { ...line, kind: "top_up", credits, note: "Top-up" }));
  if (account.bonusGranted) return { ...NO_CHANGES, account: bought.account, ledger: [bought.line] };
  const bonus = Result.getOrThrow(
    post(bought.account, {
      ...line,
      kind: "bonus",
      credits: FIRST_TOP_UP_BONUS_CREDITS,
      note: "First top-up bonus"
    })
  );
  return {
    ...NO_CHANGES,
    account: { ...bonus.account, bonusGranted: true },
    ledger: [bought.line, bonus.line]
  };
};

/** Posts bought credits, with the bonus of a first top-up, and pays what the account owes. */
export const changesOfTopUp = (credits: Credits, nowMs: number, view: AccountView): Changes => {
  const changes = credited(credits, nowMs, view);
  const { account, ledger } = payOwed(changes.account ?? view.account, nowMs);
  return { ...changes, account, ledger: [...changes.ledger, ...ledger] };
};

/**
 * Returns the new balance, or for a replay the current one. `credits` must be valid for {@link TopUpCredits}, and
 * the key made by {@link topUpKey}.
 */
export const decideTopUp =
  (credits: Credits, nowMs: number, keyed: KeyedRequest | null = null) =>
  (view: AccountView): Result.Result<Decision<Credits>, IdempotencyConflict> => {
    if (keyed !== null) {
      const decision = decideIdempotency(view.idempotency, keyed.bodyDigest);
      if (decision === "conflict") return Result.fail(new IdempotencyConflict({}));
      if (decision === "replay") return Result.succeed(nothing(view.account.balance));
    }
    const changes = changesOfTopUp(credits, nowMs, view);
    const idempotency = keyed === null ? null : { ...keyed, extractionId: null };
    const balance = changes.account?.balance ?? view.account.balance;
    return Result.succeed({ value: balance, changes: { ...changes, idempotency } });
  };
