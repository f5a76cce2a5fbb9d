/**
 * How a run starts, ends, is released or given up. One debit before, at most one refund here; a freed slot goes to
 * the oldest waiting extraction in the same decision. Its events are written with it: the Store of the engine wraps every
 * decider with `announcing` (Announcement.ts).
 */
import * as Result from "effect/Result";
import { DAY_MS } from "../Durations.ts";
import type { Account } from "../money/Account.ts";
import { absentOf, type Coverage, requestedParts } from "../run/Availability.ts";
import { withEnded } from "../run/Batch.ts";
import {
  NO_CHANGES,
  nothing,
  type AccountView,
  type Changes,
  type Decider,
  type Decision
} from "../run/Decision.ts";
import { moved, type Extraction, type RunResult } from "../run/Extraction.ts";
import { Failed } from "../source/Failed.ts";
import { post } from "../money/Ledger.ts";
import { withRefundedTokens } from "../run/Usage.ts";
import { payOwed, type Movement } from "../money/Payment.ts";
import { effectiveFacts, isBilledBySecond, price, settlementRefund, type Price } from "../money/Pricing.ts";
import { selectionOf, withoutUnavailable, type Selection } from "../request/RunRequest.ts";
import { jobOf, promote } from "../run/RunningSlots.ts";
import { durationMsOf, pricedFacts } from "../source/SourceFacts.ts";
import { holdsSlot, isTerminal } from "../run/Transition.ts";

/** Maximum starts of a run; excused ones do not count. */
export const ATTEMPTS_MAX = 3;

/** Maximum excused starts; further ones count, so that every run ends. */
export const EXCUSED_ATTEMPTS_MAX = 20;

/** Whether the run fails for good if this attempt fails. */
export const isLastAttempt = ({
  attempt,
  excusedAttempts
}: Pick<Extraction, "attempt" | "excusedAttempts">): boolean => attempt - excusedAttempts >= ATTEMPTS_MAX;

/** How an attempt ended. */
export type Ending = { readonly result: RunResult } | { readonly failure: Failed };

/** Outcomes of transcribing a video, as requested by `speech`. */
const TRANSCRIBED: ReadonlySet<Coverage["sound"]> = new Set(["speech", "no_speech"]);

/** The result of an attempt. */
export interface Settle {
  readonly attempt: number;
  readonly nowMs: number;
  readonly ending: Ending;
  /** Tokens of the language model that the attempt used; they count if the run fails. */
  readonly modelTokens?: number;
}

/** What a complete run is charged for. */
const deliveredOf = (request: Extraction["request"], { coverage, facts, rung }: RunResult): Selection => {
  const asked = requestedParts(request, rung);
  const selection = selectionOf(asked);
  // A transcription is charged whether or not it contains speech.
  const speech = selection.speech === true && TRANSCRIBED.has(coverage.sound);
  return withoutUnavailable({ ...selection, speech }, absentOf(facts.kind, asked, coverage.parts));
};

/** Whether a fresh run was debited at the worst case because the duration was unknown. */
export const isPaidByWorstCase = (
  { cachedFrom, seen, rates, request }: Extraction,
  result: RunResult
): boolean =>
  cachedFrom === null &&
  result.facts.kind === "video" &&
  [
    pricedFacts(seen).durationMs,
    durationMsOf(result.measuredDurationSeconds),
    durationMsOf(result.facts.durationSeconds),
    durationMsOf(result.estimatedDurationSeconds)
  ].every((durationMs) => durationMs === null) &&
  isBilledBySecond("video", deliveredOf(request, result), rates);

/** What prices the result of a fresh run. */
const pricedBy = ({ seen, request, rates }: Extraction, result: RunResult): Parameters<typeof price> => {
  const found = pricedFacts(result.facts);
  return [
    effectiveFacts(
      pricedFacts(seen),
      { ...found, imageCount: Math.max(0, found.imageCount - result.coverage.slides.unread) },
      durationMsOf(result.measuredDurationSeconds),
      durationMsOf(result.estimatedDurationSeconds),
      request.range
    ),
    deliveredOf(request, result),
    rates
  ];
};

/** What a fresh run is charged for its result, unless that is more than was debited. */
export const settledPrice = (extraction: Extraction, result: RunResult): Price =>
  price(...pricedBy(extraction, result));

/** Refund in credits: everything on failure, the difference on success. */
const refundOf = (extraction: Extraction, ending: Ending): number =>
  "failure" in ending
    ? extraction.creditsDebited
    : settlementRefund(extraction.creditsDebited, ...pricedBy(extraction, ending.result));

/** Posts the refund, if there is one; what the account owes is taken from it. */
const refunded = (account: Account, line: Parameters<typeof post>[1]): Movement => {
  if (line.credits === 0) return { account, ledger: [] };
  const posted = Result.getOrThrow(post(account, line));
  const paid = payOwed(posted.account, line.createdAtMs);
  return { account: paid.account, ledger: [posted.line, ...paid.ledger] };
};

/** Terminal state, refund, slot and promotion of a live extraction. */
const settled = (
  view: AccountView,
  live: Extraction,
  { ending, nowMs, modelTokens = 0 }: Omit<Settle, "attempt">
): Decision<Extraction> => {
  const refund = refundOf(live, ending);
  const done: Extraction = {
    ...moved(live, "failure" in ending ? "fail" : "complete"),
    ...("failure" in ending ? { failure: ending.failure } : { result: ending.result }),
    creditsRefunded: refund,
    completedAtMs: nowMs
  };
  const counted = withRefundedTokens(view.account, "failure" in ending ? modelTokens : 0, nowMs);
  const freed = holdsSlot(live.status) ? { ...counted, slotsUsed: counted.slotsUsed - 1 } : counted;
  const { account, ledger } = refunded(freed, {
    kind: "refund",
    credits: refund,
    extractionId: live.id,
    batchId: null,
    note: "failure" in ending ? "Refunded in full: the run failed" : "Refunded: less was used than debited",
    createdAtMs: nowMs
  });
  const promotion = promote(
    account,
    view.waiting.filter((waiting) => waiting.id !== live.id),
    view.plan.limits.runningMax
  );
  const changes: Changes = {
    ...NO_CHANGES,
    account: promotion.account,
    ledger,
    updated: [done, ...promotion.promoted],
    batch: view.batch === null ? null : { batch: withEnded(view.batch, done, nowMs), items: [] },
    jobs: promotion.jobs
  };
  return { value: done, changes };
};

/** A decision about one extraction; it refuses nothing. */
const about = <A>(extractionId: string, decide: (view: AccountView) => Decision<A>): Decider<A, never> => ({
  needs: { extractionId },
  decide: (view) => Result.succeed(decide(view))
});

/** What a worker should do with a job. `skip`: the run has ended or belongs to another attempt. */
export type StartDecision =
  | { readonly _tag: "run"; readonly extraction: Extraction }
  | { readonly _tag: "gaveUp"; readonly extraction: Extraction }
  | { readonly _tag: "skip" };

/**
 * Claims a run for a worker. A job redelivered while `running` means that its worker died: the run starts its next
 * attempt, or fails with a full refund after {@link ATTEMPTS_MAX}.
 */
export const decideStart = (extractionId: string, nowMs: number): Decider<StartDecision, never> =>
  about<StartDecision>(extractionId, (view) => {
    const found = view.extraction;
    if (found === null || !holdsSlot(found.status)) return nothing({ _tag: "skip" });
    if (isLastAttempt(found)) {
      const failure = new Failed({
        reason: "internal",
        message: `The run was interrupted ${ATTEMPTS_MAX} times by failures of the server, so it was abandoned.`
      });
      const decision = settled(view, found, { ending: { failure }, nowMs });
      return { value: { _tag: "gaveUp", extraction: decision.value }, changes: decision.changes };
    }
    const pending = found.status === "running" ? moved(found, "release") : found;
    const extraction = { ...moved(pending, "start"), attempt: found.attempt + 1, startedAtMs: nowMs };
    return { value: { _tag: "run", extraction }, changes: { ...NO_CHANGES, updated: [extraction] } };
  });

/** Null if another attempt has taken over or the run is settled; nothing is written then. */
export const decideSettle = (extractionId: string, settle: Settle): Decider<Extraction | null, never> =>
  about(extractionId, (view) => {
    const found = view.extraction;
    return found !== null && found.status === "running" && found.attempt === settle.attempt
      ? settled(view, found, settle)
      : nothing(null);
  });

/** Of any live extraction, including waiting ones; null if it has already ended. */
const failed = (view: AccountView, failure: Failed, nowMs: number): Decision<Extraction | null> => {
  const found = view.extraction;
  return found === null || isTerminal(found.status)
    ? nothing(null)
    : settled(view, found, { ending: { failure }, nowMs });
};

const EXPIRED = new Failed({
  reason: "expired",
  message: "The run did not finish within its time limit."
});

/** Fails a run that was started before `startedBeforeMs`; null if a worker has started it again since. */
export const decideExpire = (
  extractionId: string,
  startedBeforeMs: number,
  nowMs: number
): Decider<Extraction | null, never> =>
  about(extractionId, (view) => {
    const { status, startedAtMs } = view.extraction ?? { status: null, startedAtMs: null };
    return status === "running" && (startedAtMs ?? nowMs) < startedBeforeMs
      ? failed(view, EXPIRED, nowMs)
      : nothing(null);
  });

/** Longest wait for a worker, in days, however long the plan keeps results. */
const UNTAKEN_DAYS_MAX = 7;

/** What was submitted earlier and still waits for a worker has expired. */
export const untakenBeforeMs = (nowMs: number, retentionDays: number): number =>
  nowMs - Math.min(retentionDays, UNTAKEN_DAYS_MAX) * DAY_MS;

const UNTAKEN = new Failed({
  reason: "expired",
  message: "The run waited for days, and nothing on this server took it up."
});

/** Fails an extraction that waits since before {@link untakenBeforeMs}; null if it does not. */
export const decideUntaken = (extractionId: string, nowMs: number): Decider<Extraction | null, never> =>
  about(extractionId, (view) => {
    const found = view.extraction;
    const isWaiting = found?.status === "queued" || found?.status === "pending";
    return isWaiting && found.createdAtMs < untakenBeforeMs(nowMs, view.plan.limits.retentionDays)
      ? failed(view, UNTAKEN, nowMs)
      : nothing(null);
  });

const CANCELLED = new Failed({ reason: "cancelled", message: "The run was cancelled." });

/** Returns the extraction: cancelled with a full refund, or unchanged if it had ended. Null if there is none. */
export const decideCancel = (extractionId: string, nowMs: number): Decider<Extraction | null, never> =>
  about(extractionId, (view) => {
    const { value, changes } = failed(view, CANCELLED, nowMs);
    return { value: value ?? view.extraction, changes };
  });

/**
 * A worker releases its run: it keeps its slot and is enqueued again.
 *
 * @param isExcused the attempt does not count: the worker was stopped, or the database was unavailable
 */
export const decideRelease = (
  { id, attempt }: Pick<Extraction, "id" | "attempt">,
  isExcused: boolean
): Decider<boolean, never> =>
  about(id, (view) => {
    const found = view.extraction;
    if (found === null || found.status !== "running" || found.attempt !== attempt) return nothing(false);
    const excused = isExcused && found.excusedAttempts < EXCUSED_ATTEMPTS_MAX ? 1 : 0;
    const pending = {
      ...moved(found, "release"),
      excusedAttempts: found.excusedAttempts + excused,
      startedAtMs: null
    };
    return { value: true, changes: { ...NO_CHANGES, updated: [pending], jobs: [jobOf(pending)] } };
  });
