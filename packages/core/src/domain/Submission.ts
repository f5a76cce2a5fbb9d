/**
 * The decision of a submit: replay, reuse, start, queue or refuse (specification, "States"; contract 4).
 */
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import type { Account } from "./Account.ts";
import { NO_CHANGES, nothing, type AccountView, type Decision } from "./Decision.ts";
import { filesOwnerOf, type Extraction, type RunResult } from "./Extraction.ts";
import { decideIdempotency, type IdempotencyRecord, type KeyedRequest } from "./Idempotency.ts";
import { post } from "./Ledger.ts";
import { price } from "./Pricing.ts";
import {
  DailyCreditsReached,
  IdempotencyConflict,
  InsufficientCredits,
  QueueFull,
  type InvalidRequest
} from "./Refusal.ts";
import type { AccountPlan } from "./Plan.ts";
import { DEFAULT_RATES, type Rates } from "./Rates.ts";
import type { Requester } from "./Requester.ts";
import { pricedSelection, withinMaxCredits } from "./Rungs.ts";
import type { RunRequest } from "./RunRequest.ts";
import { jobOf, promote } from "./Slots.ts";
import { NO_USAGE } from "./Usage.ts";
import { UNKNOWN_FACTS, type Inspected, type PricedFacts } from "./SourceFacts.ts";

/**
 * An extraction whose result will be served again, its own or one that it reuses itself; the artifacts were
 * just seen to exist. The query must name it, so that the decision sees whether it is still there.
 */
export interface Reuse {
  readonly extractionId: string;
  readonly result: RunResult;
}

export interface Submit {
  /** Id the extraction gets if one is made. */
  readonly id: string;
  readonly nowMs: number;
  readonly request: RunRequest;
  readonly requester: Requester;
  /** What the requester's API key may spend in a day; null for no limit. The query must name key and day then. */
  readonly dailyCredits?: number | null;
  readonly cacheKey: string;
  readonly idempotency: KeyedRequest | null;
  /** Set: serve this result and debit nothing. */
  readonly reuse: Reuse | null;
  readonly pricedFacts: PricedFacts;
  readonly inspected: Inspected | null;
}

export interface Submitted {
  readonly extraction: Extraction;
  /** True when an earlier submit with the same key made it. */
  readonly replayed: boolean;
}

/** `InvalidRequest`: `maxSpendCredits` does not cover the cheapest rung, or `maxCredits` not the price. */
export type SubmitRefused =
  | IdempotencyConflict
  | InsufficientCredits
  | DailyCreditsReached
  | QueueFull
  | InvalidRequest;

/** The run whose result was to be served again was deleted meanwhile: decide anew without it. */
export class ReuseGone extends Schema.TaggedError<ReuseGone>()("ReuseGone", {}) {}

const draft = (submit: Submit, view: AccountView): Extraction => ({
  id: submit.id,
  accountId: view.account.id,
  status: "queued",
  request: submit.request,
  requester: submit.requester,
  cacheKey: submit.cacheKey,
  pricedFacts: submit.pricedFacts,
  inspected: submit.inspected,
  creditsDebited: 0,
  creditsRefunded: 0,
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
  submit.idempotency === null ? null : { ...submit.idempotency, extractionId: submit.id };

const reused = (
  submit: Submit,
  view: AccountView,
  { source, result }: { readonly source: Extraction; readonly result: RunResult }
): Decision<Submitted> => {
  const extraction: Extraction = {
    ...draft(submit, view),
    status: "complete",
    pricedFacts: UNKNOWN_FACTS,
    cachedFrom: filesOwnerOf(source),
    result,
    completedAtMs: submit.nowMs
  };
  return {
    value: { extraction, replayed: false },
    changes: { ...NO_CHANGES, inserted: [extraction], idempotency: record(submit) }
  };
};

const withinDailyCredits = (
  cost: number,
  { dailyCredits = null }: Submit,
  { usedByKey }: AccountView
): Result.Result<void, DailyCreditsReached> => {
  const { debited, refunded } = usedByKey ?? NO_USAGE;
  const usedToday = Math.max(0, debited - refunded);
  return dailyCredits === null || usedToday + cost <= dailyCredits
    ? Result.succeed(undefined)
    : Result.fail(new DailyCreditsReached({ dailyCredits, usedToday, cost }));
};

interface Debit {
  readonly credits: number;
  readonly rates: Rates;
}

/** At the rates of now or, where that is less, at those that the caller may have been quoted a moment ago. */
const debitOf = (
  { pricedFacts, request }: Submit,
  { rates, quotedRates }: AccountPlan
): Result.Result<Debit, InvalidRequest> => {
  const at = (of: Rates): Result.Result<Debit, InvalidRequest> =>
    Result.map(pricedSelection(pricedFacts, request, of), (selection) => ({
      credits: price(pricedFacts, selection, of).credits,
      rates: of
    }));
  return quotedRates.map(at).reduce((best, other) => {
    if (Result.isFailure(other)) return best;
    return Result.isFailure(best) || other.success.credits < best.success.credits ? other : best;
  }, at(rates));
};

/** What is free leaves no line on the ledger. */
const debited = (account: Account, line: Parameters<typeof post>[1]) =>
  line.credits === 0
    ? Result.succeed({ account, lines: [] })
    : Result.map(post(account, line), (posted) => ({ account: posted.account, lines: [posted.line] }));

const fresh = (submit: Submit, view: AccountView): Result.Result<Decision<Submitted>, SubmitRefused> => {
  const { runningMax, waitingMax } = view.plan.limits;
  // Slots that a raised limit has made, which go to those that wait already.
  const ahead = promote(view.account, view.waiting, runningMax);
  const waitingCount = view.waitingCount - ahead.promoted.length;
  const starts = ahead.account.slotsUsed < runningMax && waitingCount === 0;
  if (!starts && waitingCount >= waitingMax) return Result.fail(new QueueFull({ waitingMax }));
  const debit = debitOf(submit, view.plan);
  if (Result.isFailure(debit)) return Result.fail(debit.failure);
  const { credits: cost, rates } = debit.success;
  const affordable = withinMaxCredits(cost, submit.request);
  if (Result.isFailure(affordable)) return Result.fail(affordable.failure);
  const allowed = withinDailyCredits(cost, submit, view);
  if (Result.isFailure(allowed)) return Result.fail(allowed.failure);
  const posted = debited(ahead.account, {
    kind: "debit",
    credits: -cost,
    extractionId: submit.id,
    note: "Debited at submit",
    createdAtMs: submit.nowMs
  });
  if (Result.isFailure(posted)) return Result.fail(new InsufficientCredits(posted.failure));
  const extraction: Extraction = {
    ...draft(submit, view),
    status: starts ? "pending" : "queued",
    creditsDebited: cost,
    ...(rates === DEFAULT_RATES ? {} : { rates })
  };
  const { account, lines } = posted.success;
  return Result.succeed({
    value: { extraction, replayed: false },
    changes: {
      ...NO_CHANGES,
      account: starts ? { ...account, slotsUsed: account.slotsUsed + 1 } : account,
      ledger: lines,
      inserted: [extraction],
      updated: ahead.promoted,
      idempotency: record(submit),
      jobs: [...ahead.jobs, ...(starts ? [jobOf(extraction)] : [])]
    }
  });
};

/** A refusal writes nothing, so that the key stays usable (contract 4). */
export const decideSubmit =
  (submit: Submit) =>
  (view: AccountView): Result.Result<Decision<Submitted>, SubmitRefused | ReuseGone> => {
    if (submit.idempotency !== null) {
      const decision = decideIdempotency(view.idempotency, submit.idempotency.bodyDigest);
      if (decision === "conflict") return Result.fail(new IdempotencyConflict({}));
      if (decision === "replay") {
        return view.replayed === null
          ? Result.fail(new IdempotencyConflict({ reason: "extraction_deleted" }))
          : Result.succeed(nothing({ extraction: view.replayed, replayed: true }));
      }
    }
    if (submit.reuse === null) return fresh(submit, view);
    const { extractionId, result } = submit.reuse;
    const source = view.extraction;
    return source?.id === extractionId
      ? Result.succeed(reused(submit, view, { source, result }))
      : Result.fail(new ReuseGone());
  };
