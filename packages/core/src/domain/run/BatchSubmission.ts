/**
 * The decisions about a batch: accepting its items with one debit, trying failed ones again, pausing, going on and
 * cancelling. Either everything that is accepted is debited and written, or nothing is. Tests: Batches.test.ts.
 */
import * as Result from "effect/Result";
import {
  BATCH_ITEMS_MAX,
  runningOf,
  settledBatch,
  startsItems,
  type Batch,
  type BatchItem,
  type BatchStatus,
  type ItemError,
  type ItemPlace
} from "./Batch.ts";
import { NO_CHANGES, nothing, type AccountView, type Changes, type Decider, type Needs } from "./Decision.ts";
import { derivedName } from "./BatchName.ts";
import { moved, type Extraction } from "./Extraction.ts";
import { type KeyedRequest, madeBefore } from "../request/Idempotency.ts";
import type { Credits } from "../money/Credits.ts";
import { errorOf, Conflict, NotFound } from "../request/Refusal.ts";
import type { Requester } from "../request/Requester.ts";
import { jobOf, promote } from "./RunningSlots.ts";
import {
  debited,
  debitOf,
  draft,
  queueFull,
  reusing,
  ReusedResultMissing,
  singlesOf,
  usedToday,
  withinDailyCredits,
  withinModelUse,
  type Drafted,
  type Reuse,
  type SubmitRefused
} from "./Submission.ts";
import { withinMaxCredits } from "../money/Pricing.ts";

/** Maximum waiting items in all batches of an account. */
export const WAITING_ITEMS_MAX = 10 * BATCH_ITEMS_MAX;

/** A quoted line: a run to accept, or why there is none. */
export interface BatchLine extends ItemPlace {
  readonly run: ItemRun | ItemError;
}

/** What an item becomes if it is accepted. */
export interface ItemRun extends Omit<Drafted, "nowMs" | "requester" | "batchId"> {
  /** If set: serve this result and debit nothing. */
  readonly reuse: Reuse | null;
}

export interface BatchSubmit {
  /** Of the new batch. */
  readonly id: string;
  readonly nowMs: number;
  readonly lines: ReadonlyArray<BatchLine>;
  /** Maximum debit; absent for no limit. */
  readonly maxCredits?: number;
  /** Of the new batch; absent: derived. */
  readonly name?: string;
  /** Of the one saved schema that its items are read with. */
  readonly schemaName?: string;
  readonly requester: Requester;
  readonly dailyCredits?: number | null;
  readonly refundedTokensPerDayMax?: number;
  readonly idempotency: KeyedRequest | null;
}

export interface BatchResult {
  readonly id: string;
  /** True if an earlier request with the same key created it. */
  readonly replayed: boolean;
}

export type BatchRefused = SubmitRefused;

/** A cancelled batch stays as it is: its items cannot be tried again. */
export const batchCancelled = (): Conflict =>
  new Conflict({
    message: "The batch was cancelled, which is final; submit the items that you still want as a new batch.",
    details: { reason: "batch_cancelled" }
  });

export type RetryRefused = BatchRefused | Conflict | NotFound;

const isRun = (run: ItemRun | ItemError): run is ItemRun => "request" in run;

interface Accepted {
  readonly extraction: Extraction;
  readonly item: BatchItem;
}

type Refused = ItemPlace & { readonly error: ItemError };

const placeOf = ({ index, url, range }: BatchLine): ItemPlace => ({
  index,
  url,
  ...(range === undefined ? {} : { range })
});

/** An item as an extraction that waits, or that is complete with a reused result. */
const acceptLine = (
  line: BatchLine,
  submit: Omit<BatchSubmit, "lines">,
  view: AccountView
): Result.Result<Accepted | Refused, ReusedResultMissing> => {
  const { run } = line;
  const place = placeOf(line);
  if (!isRun(run)) return Result.succeed({ ...place, error: run });
  const drafted = { ...run, nowMs: submit.nowMs, requester: submit.requester, batchId: submit.id };
  if (run.reuse !== null) {
    const { extractionId, result } = run.reuse;
    const source = view.known.find(({ id }) => id === extractionId);
    if (source === undefined) return Result.fail(new ReusedResultMissing());
    const item = { ...place, extractionId: run.id, error: null, creditsDebited: 0 };
    return Result.succeed({ extraction: reusing(drafted, view, { source, result }), item });
  }
  const debit = debitOf(run, view.plan);
  if (Result.isFailure(debit)) return Result.succeed({ ...place, error: errorOf(debit.failure) });
  const { credits, rates } = debit.success;
  return Result.succeed({
    extraction: { ...draft(drafted, view), creditsDebited: credits, rates },
    item: { ...place, extractionId: run.id, error: null, creditsDebited: credits }
  });
};

const isAccepted = (line: Accepted | Refused): line is Accepted => "extraction" in line;

const checkLimits = (
  cost: Credits,
  waitingCount: number,
  submit: BatchSubmit,
  view: AccountView
): Result.Result<void, BatchRefused> =>
  Result.gen(function* () {
    if (waitingCount > WAITING_ITEMS_MAX) return yield* Result.fail(queueFull(WAITING_ITEMS_MAX));
    yield* withinMaxCredits(cost, { maxCredits: submit.maxCredits ?? null }, "batch");
    if (submit.lines.some(({ run }) => isRun(run) && run.request.mode === "ai")) {
      yield* withinModelUse({ ...submit, request: { mode: "ai" } }, view);
    }
    yield* withinDailyCredits(cost, submit, view, "batch");
  });

/** The batch with what was accepted and refused now. */
const counted = (
  before: Batch,
  { accepted, refused, cost }: { accepted: ReadonlyArray<Accepted>; refused: number; cost: Credits }
): Batch => {
  const reusedCount = accepted.filter(({ extraction }) => extraction.cachedFrom !== null).length;
  return {
    ...before,
    refused: before.refused + refused,
    reused: before.reused + reusedCount,
    complete: before.complete + reusedCount,
    creditsDebited: before.creditsDebited + cost
  };
};

/** Debits the lines together and starts as many as there are free slots; the others wait. */
const accept = (
  submit: BatchSubmit,
  view: AccountView,
  before: Batch
): Result.Result<Changes, BatchRefused | ReusedResultMissing> =>
  Result.gen(function* () {
    const lines: Array<Accepted | Refused> = [];
    for (const line of submit.lines) lines.push(yield* acceptLine(line, submit, view));
    const accepted = lines.filter(isAccepted);
    const cost = accepted.reduce((sum, { item }) => sum + item.creditsDebited, 0);
    const fresh = accepted.filter(({ extraction }) => extraction.status === "queued");
    yield* checkLimits(cost, view.batchItemsWaiting + fresh.length, submit, view);
    const ahead = promote(view.account, view.waiting, view.plan.limits.runningMax);
    const hasWaiting = view.waitingCount > singlesOf(ahead.promoted) || !startsItems(before);
    const slots = hasWaiting ? 0 : Math.max(0, view.plan.limits.runningMax - ahead.account.slotsUsed);
    const started = fresh.slice(0, slots).map(({ extraction }) => moved(extraction, "dispatch"));
    const note = `Debited for a batch of ${accepted.length}`;
    const line = { credits: -cost, extractionId: null, batchId: submit.id, note, createdAtMs: submit.nowMs };
    const { account, ledger } = yield* debited(ahead.account, line, "batch");
    const startedById = new Map(started.map((extraction) => [extraction.id, extraction]));
    const batch = counted(before, { accepted, refused: lines.length - accepted.length, cost });
    return {
      ...NO_CHANGES,
      account: { ...account, slotsUsed: account.slotsUsed + started.length },
      ledger,
      inserted: accepted.map(({ extraction }) => startedById.get(extraction.id) ?? extraction),
      updated: ahead.promoted,
      batch: {
        batch: settledBatch(batch, submit.nowMs),
        items: lines.map((line) =>
          isAccepted(line) ? line.item : { ...line, extractionId: null, creditsDebited: 0 }
        )
      },
      jobs: [...ahead.jobs, ...started.map(jobOf)]
    };
  });

/** What {@link accept} needs. */
const acceptNeeds = (submit: BatchSubmit): Needs & { readonly extractionIds: ReadonlyArray<string> } => ({
  extractionIds: submit.lines.flatMap(({ run }) =>
    isRun(run) && run.reuse !== null ? [run.reuse.extractionId] : []
  ),
  batchItemsWaiting: true,
  usage: usedToday(submit)
});

const nameOf = ({ lines, schemaName }: BatchSubmit): string =>
  derivedName(
    lines.map(({ url }) => url),
    lines.flatMap(({ run }) => (isRun(run) ? [run.request] : [])),
    schemaName
  );

/** A refusal writes nothing, so that the idempotency key can be used again. */
export const decideBatch = (
  submit: BatchSubmit
): Decider<BatchResult, BatchRefused | ReusedResultMissing> => ({
  needs: { ...acceptNeeds(submit), idempotencyKey: submit.idempotency?.key ?? null },
  decide: (view) =>
    Result.gen(function* () {
      const { id, idempotency, lines, nowMs } = submit;
      const madeId = yield* madeBefore(view.idempotency, idempotency, view.idempotency?.batchId ?? null);
      if (madeId !== null) return nothing({ id: madeId, replayed: true });
      const empty: Batch = {
        id,
        accountId: view.account.id,
        name: submit.name ?? nameOf(submit),
        status: "running",
        total: lines.length,
        refused: 0,
        reused: 0,
        complete: 0,
        failed: 0,
        creditsDebited: 0,
        creditsRefunded: 0,
        createdAtMs: nowMs,
        completedAtMs: null
      };
      const changes = yield* accept(submit, view, empty);
      const record = idempotency === null ? null : { ...idempotency, extractionId: null, batchId: id };
      return { value: { id, replayed: false }, changes: { ...changes, idempotency: record } };
    })
});

/**
 * Runs failed items again, at today's price: each gets a new extraction in the place of the failed one. Items that cannot
 * be accepted, or that another request retried, stay as they are. Returns the number of items that were accepted.
 *
 * @param failedIds the failed extractions by the indexes of their lines
 */
export const decideRetry = (
  submit: BatchSubmit,
  failedIds: ReadonlyMap<number, string>
): Decider<number, RetryRefused | ReusedResultMissing> => {
  const needs = acceptNeeds(submit);
  return {
    needs: { ...needs, batchId: submit.id, extractionIds: [...needs.extractionIds, ...failedIds.values()] },
    decide: (view) => {
      const { batch } = view;
      if (batch === null) return Result.fail(NotFound.of("batch"));
      if (batch.status === "cancelled") return Result.fail(batchCancelled());
      const isRetryable = (id: string | undefined): boolean =>
        view.known.some((each) => each.id === id && each.isItem && each.status === "failed");
      const lines = submit.lines.filter(({ index, run }) => isRun(run) && isRetryable(failedIds.get(index)));
      const reopened: Pick<Batch, "status" | "completedAtMs"> = {
        status: batch.status === "paused" ? "paused" : "running",
        completedAtMs: null
      };
      return Result.map(accept({ ...submit, lines }, view, { ...batch, ...reopened }), (changes) => {
        const items = changes.batch?.items.filter(({ extractionId }) => extractionId !== null) ?? [];
        if (items.length === 0) return nothing(0);
        const after = changes.batch?.batch ?? batch;
        const failed = after.failed - items.length;
        const corrected = { ...after, ...reopened, refused: batch.refused, failed };
        return {
          value: items.length,
          changes: { ...changes, batch: { batch: settledBatch(corrected, submit.nowMs), items } }
        };
      });
    }
  };
};

/** `paused` holds back what has not started; `running` goes on; `cancelled` is for good. Over: unchanged. */
export const decideBatchStatus = (
  batchId: string,
  status: Exclude<BatchStatus, "complete">,
  nowMs: number
): Decider<Batch, NotFound> => ({
  needs: { batchId },
  decide: ({ batch }) => {
    if (batch === null) return Result.fail(NotFound.of("batch"));
    if (runningOf(batch) === 0 || batch.status === "cancelled" || batch.status === status) {
      return Result.succeed(nothing(batch));
    }
    const changed = settledBatch({ ...batch, status }, nowMs);
    return Result.succeed({
      value: changed,
      changes: { ...NO_CHANGES, batch: { batch: changed, items: [] } }
    });
  }
});

export const decideBatchName = (batchId: string, name: string): Decider<void, NotFound> => ({
  needs: { batchId },
  decide: ({ batch }) =>
    batch === null
      ? Result.fail(NotFound.of("batch"))
      : Result.succeed({
          value: undefined,
          changes: { ...NO_CHANGES, batch: { batch: { ...batch, name }, items: [] } }
        })
});
