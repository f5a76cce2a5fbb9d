/** The decision of a submit: replay, reuse, start, queue or refuse. */
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import type { Account } from "../money/Account.ts";
import {
  NO_CHANGES,
  nothing,
  type AccountView,
  type Decider,
  type Decision,
  type Needs
} from "./Decision.ts";
import { filesOwnerOf, isCached, type Extraction, type RunResult } from "./Extraction.ts";
import { type IdempotencyRecord, type KeyedRequest, madeBefore } from "../request/Idempotency.ts";
import { post } from "../money/Ledger.ts";
import { dayOf, NO_USAGE, refundedTokens, secondsOfDayLeft } from "./Usage.ts";
import { price, pricedSelection, priceOfRun, withinMaxCredits, type Price } from "../money/Pricing.ts";
import { type Conflict, InsufficientCredits, type InvalidRequest, RateLimited } from "../request/Refusal.ts";
import type { AccountPlan } from "../money/Plan.ts";
import type { Rates } from "../money/Rates.ts";
import type { Requester } from "../request/Requester.ts";
import { type RunRequest, uncut } from "../request/RunRequest.ts";
import { jobOf, promote } from "./RunningSlots.ts";
import { pricedFacts, type Seen } from "../source/SourceFacts.ts";
import { plural } from "../text/Plural.ts";
import type { Movement } from "../money/Payment.ts";

/**
 * An extraction whose result will be served again (its own, or one that it reuses itself). Its artifacts were just
 * checked to exist.
 */
export interface Reuse {
  readonly extractionId: string;
  readonly result: RunResult;
}

export interface Submit {
  /** Id of the new extraction, if one is created. */
  readonly id: string;
  readonly nowMs: number;
  readonly request: RunRequest;
  readonly requester: Requester;
  /** The daily limit of the requester's API key; null for none. */
  readonly dailyCredits?: number | null;
  /** Tokens of the language model that refunded runs may use in a day; absent for no limit. */
  readonly refundedTokensPerDayMax?: number;
  readonly cacheKey: string;
  readonly idempotency: KeyedRequest | null;
  /** If set: serve this result and debit nothing. */
  readonly reuse: Reuse | null;
  readonly seen: Seen | null;
}

export interface SubmitResult {
  readonly extraction: Extraction;
  /** True if an earlier submit with the same key created it. */
  readonly replayed: boolean;
}

/** `InvalidRequest`: of {@link debitOf}. */
export type SubmitRefused = Conflict | InsufficientCredits | RateLimited | InvalidRequest;

/** The run to reuse was deleted in the meantime: decide again without it. */
export class ReusedResultMissing extends Schema.TaggedError<ReusedResultMissing>()(
  "ReusedResultMissing",
  {}
) {}

/** What an extraction is made of, for a single submit and an item of a batch. */
export type Drafted = Pick<Submit, "id" | "nowMs" | "request" | "requester" | "cacheKey" | "seen"> & {
  readonly batchId?: string;
};

export const draft = (submit: Drafted, view: AccountView): Extraction => ({
  id: submit.id,
  accountId: view.account.id,
  status: "queued",
  request: submit.request,
  requester: submit.requester,
  batchId: submit.batchId ?? null,
  cacheKey: submit.cacheKey,
  seen: submit.seen,
  creditsDebited: 0,
  creditsRefunded: 0,
  rates: view.plan.rates,
  cachedFrom: null,
  attempt: 0,
  excusedAttempts: 0,
  result: null,
  failure: null,
  createdAtMs: submit.nowMs,
  startedAtMs: null,
  completedAtMs: null
});

const record = (submit: Submit): IdempotencyRecord | null =>
  submit.idempotency === null ? null : { ...submit.idempotency, extractionId: submit.id, batchId: null };

/** A complete extraction with the result of another one. */
export const reusing = (
  submit: Drafted,
  view: AccountView,
  { source, result }: { readonly source: Pick<Extraction, "id" | "cachedFrom">; readonly result: RunResult }
): Extraction => ({
  ...draft(submit, view),
  status: "complete",
  seen: null,
  cachedFrom: filesOwnerOf(source),
  result,
  completedAtMs: submit.nowMs
});

/** What {@link withinDailyCredits} needs. */
export const usedToday = ({
  dailyCredits = null,
  requester: { apiKeyId },
  nowMs
}: Pick<Submit, "dailyCredits" | "requester" | "nowMs">): NonNullable<Needs["usage"]> | null =>
  dailyCredits === null ? null : { apiKeyId: apiKeyId ?? "", day: dayOf(nowMs) };

/** The API key has reached its daily limit (UTC). All amounts in whole credits. */
export const dailyCreditsReached = (
  day: Readonly<Record<"dailyCredits" | "usedToday" | "balance" | "cost", number>>,
  what: "run" | "batch"
): InsufficientCredits =>
  new InsufficientCredits({
    message:
      `This ${what} costs ${day.cost} credits, and the API key has used ${day.usedToday} of the ` +
      `${day.dailyCredits} that it may spend per day (UTC); try again tomorrow, or use a key with a higher ` +
      `\`dailyCredits\`.`,
    details: { reason: "daily_credits", ...day }
  });

export const withinDailyCredits = (
  cost: number,
  { dailyCredits = null }: Pick<Submit, "dailyCredits">,
  { account: { balance }, usedByKey }: AccountView,
  what: "run" | "batch" = "run"
): Result.Result<void, InsufficientCredits> => {
  const { debited, refunded } = usedByKey ?? NO_USAGE;
  const used = Math.max(0, debited - refunded);
  return dailyCredits === null || used + cost <= dailyCredits
    ? Result.succeed(undefined)
    : Result.fail(dailyCreditsReached({ dailyCredits, usedToday: used, balance, cost }, what));
};

export const withinModelUse = (
  {
    request,
    nowMs,
    refundedTokensPerDayMax: tokensPerDayMax = Number.POSITIVE_INFINITY
  }: Pick<Submit, "nowMs" | "refundedTokensPerDayMax"> & { readonly request: Pick<RunRequest, "mode"> },
  { account }: AccountView
): Result.Result<void, RateLimited> => {
  const tokensToday = refundedTokens(account, nowMs);
  return request.mode !== "ai" || tokensToday < tokensPerDayMax
    ? Result.succeed(undefined)
    : Result.fail(
        new RateLimited({
          message:
            `Runs of this account that failed and were refunded have used ${tokensToday} tokens of the language ` +
            `model today, and ${tokensPerDayMax} are allowed; AI runs are possible again tomorrow (UTC). ` +
            `Download-only runs are not affected.`,
          details: { reason: "refunded_model_use", tokensToday, tokensPerDayMax },
          retryAfterSeconds: secondsOfDayLeft(nowMs)
        })
      );
};

export interface Debit {
  readonly credits: number;
  readonly rates: Rates;
}

/**
 * By the current rates, or lower ones that the caller may have been quoted recently.
 *
 * @fails InvalidRequest as {@link pricedSelection}, or the price is above `maxCredits`
 */
export const debitOf = (
  { seen, request }: Pick<Submit, "seen" | "request">,
  { rates, quotedRates }: AccountPlan
): Result.Result<Debit, InvalidRequest> => {
  const facts = pricedFacts(seen);
  const at = (of: Rates): Result.Result<Debit, InvalidRequest> =>
    Result.map(pricedSelection(facts, request, of), (selection) => ({
      credits: price(facts, selection, of).credits,
      rates: of
    }));
  const least = quotedRates.map(at).reduce((best, other) => {
    if (Result.isFailure(other)) return best;
    return Result.isFailure(best) || other.success.credits < best.success.credits ? other : best;
  }, at(rates));
  return Result.flatMap(least, (debit) => Result.map(withinMaxCredits(debit.credits, request), () => debit));
};

/**
 * What the debit of an extraction is made of, at the rates of that debit. For a reused result: beside 0, what a fresh run
 * would have cost, by the facts of that result.
 */
export const debitedPrice = (
  extraction: Pick<Extraction, "cachedFrom" | "seen" | "rates" | "request" | "result">
): Price => {
  const { cachedFrom, seen, rates, request, result } = extraction;
  const priced = pricedFacts(cachedFrom === null || result === null ? seen : result.facts);
  return priceOfRun(priced, uncut(request), isCached(extraction), rates);
};

/** Free runs write no ledger line. */
export const debited = (
  account: Account,
  line: Omit<Parameters<typeof post>[1], "kind">,
  what?: "batch"
): Result.Result<Movement, InsufficientCredits> =>
  line.credits === 0
    ? Result.succeed({ account, ledger: [] })
    : post(account, { kind: "debit", ...line }).pipe(
        Result.map((posted) => ({ account: posted.account, ledger: [posted.line] })),
        Result.mapError((overdrawn) => InsufficientCredits.of(overdrawn, what))
      );

/** Seconds after which a full queue may have room; a guess, because there is no fixed window. */
const QUEUE_FULL_RETRY_SECONDS = 30;

export const queueFull = (waitingMax: number): RateLimited =>
  new RateLimited({
    message: `This account already has ${plural(waitingMax, "extraction")} waiting; submit again when some have ended.`,
    details: { reason: "queue_full", waitingMax },
    retryAfterSeconds: QUEUE_FULL_RETRY_SECONDS
  });

/** Waiting items of batches do not keep a single submit from starting. */
export const singlesOf = (promoted: ReadonlyArray<Extraction>): number =>
  promoted.filter(({ batchId }) => batchId === null).length;

const fresh = (submit: Submit, view: AccountView): Result.Result<Decision<SubmitResult>, SubmitRefused> =>
  Result.gen(function* () {
    const { runningMax, waitingMax } = view.plan.limits;
    yield* withinModelUse(submit, view);
    // Slots from a raised limit go to extractions that are already waiting.
    const ahead = promote(view.account, view.waiting, runningMax);
    const waitingCount = view.waitingCount - singlesOf(ahead.promoted);
    const starts = ahead.account.slotsUsed < runningMax && waitingCount === 0;
    if (!starts && waitingCount >= waitingMax) return yield* Result.fail(queueFull(waitingMax));
    const { credits, rates } = yield* debitOf(submit, view.plan);
    yield* withinDailyCredits(credits, submit, view);
    const { account, ledger } = yield* debited(ahead.account, {
      credits: -credits,
      extractionId: submit.id,
      batchId: null,
      note: "Debited at submit",
      createdAtMs: submit.nowMs
    });
    const status = starts ? "pending" : "queued";
    const extraction: Extraction = { ...draft(submit, view), status, creditsDebited: credits, rates };
    return {
      value: { extraction, replayed: false },
      changes: {
        ...NO_CHANGES,
        account: starts ? { ...account, slotsUsed: account.slotsUsed + 1 } : account,
        ledger,
        inserted: [extraction],
        updated: ahead.promoted,
        idempotency: record(submit),
        jobs: [...ahead.jobs, ...(starts ? [jobOf(extraction)] : [])]
      }
    };
  });

/** A refusal writes nothing, so that the idempotency key can be used again. */
export const decideSubmit = (submit: Submit): Decider<SubmitResult, SubmitRefused | ReusedResultMissing> => ({
  needs: {
    idempotencyKey: submit.idempotency?.key ?? null,
    extractionId: submit.reuse?.extractionId ?? null,
    usage: usedToday(submit)
  },
  decide: (view) =>
    Result.gen(function* () {
      const made = yield* madeBefore(view.idempotency, submit.idempotency, view.replayed);
      if (made !== null) return nothing({ extraction: made, replayed: true });
      if (submit.reuse === null) return yield* fresh(submit, view);
      if (view.extraction === null) return yield* Result.fail(new ReusedResultMissing());
      const extraction = reusing(submit, view, { source: view.extraction, result: submit.reuse.result });
      return {
        value: { extraction, replayed: false },
        changes: { ...NO_CHANGES, inserted: [extraction], idempotency: record(submit) }
      };
    })
});
