/**
 * The decision of a submit: replay, reuse, start, queue or refuse (specification, "States"; contract 4).
 */
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import { SLOTS_MAX } from "./Account.ts";
import { NO_CHANGES, nothing, type AccountView, type Decision } from "./Decision.ts";
import type { Extraction, RunResult } from "./Extraction.ts";
import { decideIdempotency, type IdempotencyRecord, type KeyedRequest } from "./Idempotency.ts";
import { post } from "./Ledger.ts";
import { price } from "./Pricing.ts";
import { IdempotencyConflict, InsufficientCredits, QueueFull, type InvalidRequest } from "./Refusal.ts";
import { pricedSelection } from "./Rungs.ts";
import type { RunRequest } from "./RunRequest.ts";
import { jobOf } from "./Slots.ts";
import { UNKNOWN_FACTS, type PricedFacts } from "./SourceFacts.ts";

/**
 * A finished run whose result will be served again; its artifacts were just seen to exist. The query must
 * name it, so that the decision sees whether it is still there.
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
  readonly cacheKey: string;
  readonly idempotency: KeyedRequest | null;
  /** Set: serve this result and debit nothing. */
  readonly reuse: Reuse | null;
  readonly pricedFacts: PricedFacts;
  readonly waitingMax: number;
}

export interface Submitted {
  readonly extraction: Extraction;
  /** True when an earlier submit with the same key made it. */
  readonly replayed: boolean;
}

/** `InvalidRequest`: `maxSpendCredits` does not cover the cheapest rung. */
export type SubmitRefused = IdempotencyConflict | InsufficientCredits | QueueFull | InvalidRequest;

/** The run whose result was to be served again was deleted meanwhile: decide anew without it. */
export class ReuseGone extends Schema.TaggedError<ReuseGone>()("ReuseGone", {}) {}

const draft = (submit: Submit, view: AccountView): Extraction => ({
  id: submit.id,
  accountId: view.account.id,
  status: "queued",
  request: submit.request,
  cacheKey: submit.cacheKey,
  pricedFacts: submit.pricedFacts,
  creditsDebited: 0,
  creditsRefunded: 0,
  cachedFrom: null,
  attempt: 0,
  result: null,
  failure: null,
  createdAtMs: submit.nowMs,
  startedAtMs: null,
  completedAtMs: null
});

const record = (submit: Submit): IdempotencyRecord | null =>
  submit.idempotency === null ? null : { ...submit.idempotency, extractionId: submit.id };

const reused = (submit: Submit, view: AccountView, reuse: Reuse): Decision<Submitted> => {
  const extraction: Extraction = {
    ...draft(submit, view),
    status: "complete",
    pricedFacts: UNKNOWN_FACTS,
    cachedFrom: reuse.extractionId,
    result: reuse.result,
    completedAtMs: submit.nowMs
  };
  return {
    value: { extraction, replayed: false },
    changes: { ...NO_CHANGES, inserted: [extraction], idempotency: record(submit) }
  };
};

const fresh = (submit: Submit, view: AccountView): Result.Result<Decision<Submitted>, SubmitRefused> => {
  const starts = view.account.slotsUsed < SLOTS_MAX && view.waitingCount === 0;
  if (!starts && view.waitingCount >= submit.waitingMax) {
    return Result.fail(new QueueFull({ waitingMax: submit.waitingMax }));
  }
  const selection = pricedSelection(submit.pricedFacts, submit.request);
  if (Result.isFailure(selection)) return Result.fail(selection.failure);
  const cost = price(submit.pricedFacts, selection.success).credits;
  const posted = post(view.account, {
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
    creditsDebited: cost
  };
  const { account, line } = posted.success;
  return Result.succeed({
    value: { extraction, replayed: false },
    changes: {
      ...NO_CHANGES,
      account: starts ? { ...account, slotsUsed: account.slotsUsed + 1 } : account,
      ledger: [line],
      inserted: [extraction],
      idempotency: record(submit),
      jobs: starts ? [jobOf(extraction)] : []
    }
  });
};

/** A refusal writes nothing, so that the key stays usable (contract 4). */
export const decideSubmit =
  (submit: Submit) =>
  (view: AccountView): Result.Result<Decision<Submitted>, SubmitRefused | ReuseGone> => {
    if (submit.idempotency !== null) {
      // A record whose extraction was deleted no longer counts.
      const known = view.replayed === null ? null : view.idempotency;
      const decision = decideIdempotency(known, submit.idempotency.bodyDigest);
      if (decision === "conflict") return Result.fail(new IdempotencyConflict());
      if (decision === "replay" && view.replayed !== null) {
        return Result.succeed(nothing({ extraction: view.replayed, replayed: true }));
      }
    }
    if (submit.reuse === null) return fresh(submit, view);
    return view.extraction?.id === submit.reuse.extractionId
      ? Result.succeed(reused(submit, view, submit.reuse))
      : Result.fail(new ReuseGone());
  };
