/** Steps with batches and plans. */
import { assert } from "@effect/vitest";
import * as Result from "effect/Result";
import { cacheKey } from "../../../src/domain/run/CacheKey.ts";
import { UNNAMED_REQUESTER } from "../../../src/domain/request/Requester.ts";
import { decidePromotion, decideAccountChange } from "../../../src/domain/run/AccountDecisions.ts";
import { plansFrom, DEFAULT_PLAN, replaced } from "../../../src/domain/money/Plan.ts";
import { sampleSeen } from "@winnow/testing/samples/samples";
import { MemoryAccount } from "./MemoryAccount.ts";
import { Store } from "../../../src/ports/Store.ts";
import * as Option from "effect/Option";
import {
  type BatchLine,
  type BatchSubmit,
  decideBatch,
  decideRetry,
  decideBatchStatus
} from "../../../src/domain/run/BatchSubmission.ts";

import { snapshotOf, quoteOf, requestOf, WAITING_MAX, type Event, type Run } from "./Walk.ts";

export const plansWith = (baseCredits: number) => ({
  default: { waitingMax: WAITING_MAX },
  studio: { waitingMax: WAITING_MAX, runningMax: 4, prices: { baseCredits } }
});

/** As after every change that may free slots. */
const promote = (model: MemoryAccount): void => {
  while (Result.getOrThrow(model.decide(decidePromotion)).value > 0);
  model.transact(decidePromotion);
};

/** First to another plan with more slots and higher prices, then to other prices, which hold for new quotes. */
export const doPlan = ({ model, seen }: Run, { pick }: Event): void => {
  if (model.account.plan === DEFAULT_PLAN) model.decide(decideAccountChange({ plan: "studio" }, model.nowMs));
  else model.book = replaced(model.book, plansFrom(plansWith(1 + (pick % 90))), model.nowMs);
  seen.add("plan");
  promote(model);
};

const lineOf = ({ model }: Run, event: Event, index: number): BatchLine => {
  const request = requestOf({ ...event, credits: event.credits + index });
  const url = `https://example.com/${index}`;
  if (index % 4 === 3) return { index, url, run: { code: "invalid_url", message: "No." } };
  const id = `ext_${model.nowMs}_${index}`;
  const run = { id, request, cacheKey: cacheKey("acc_1", request, null), seen: sampleSeen(event.facts) };
  return { index, url, run: { ...run, reuse: null } };
};

const batchOf = (run: Run, id: string, lines: ReadonlyArray<BatchLine>): BatchSubmit => ({
  id,
  nowMs: run.model.nowMs,
  lines,
  requester: UNNAMED_REQUESTER,
  idempotency: null
});

export const doBatch = (run: Run, event: Event): void => {
  const { model, batchIds, seen } = run;
  const id = `bat_${model.nowMs}`;
  const lines = Array.from({ length: 1 + (event.pick % 7) }, (_, index) => lineOf(run, event, index));
  const quotes = lines.flatMap(({ run: item }) => ("request" in item ? [quoteOf(run, item)] : []));
  const before = snapshotOf(model);
  const decided = model.transact(decideBatch(batchOf(run, id, lines)));
  if (Result.isFailure(decided)) {
    seen.add(`batch: ${decided.failure._tag}`);
    return assert.deepStrictEqual(snapshotOf(model), before, "a refusal writes nothing");
  }
  batchIds.push(id);
  seen.add("batch");
  const quoted = quotes.filter(Number.isFinite).reduce((sum, credits) => sum + credits, 0);
  const { creditsDebited } = model
    .run(Store.use((store) => store.getBatch("acc_1", id)))
    .pipe(Option.getOrThrow);
  assert.strictEqual(creditsDebited, quoted, "the quote of a batch is debited");
};

const doRetry = (run: Run, event: Event, id: string): void => {
  const items = run.model.run(Store.use((store) => store.listBatchItems("acc_1", id)));
  const failed = items.filter(({ status }) => status === "failed");
  const failedIds = new Map(failed.map(({ index, extractionId }) => [index, extractionId ?? ""]));
  const lines = failed.map(({ index }) => lineOf(run, event, index));
  const decided = run.model.transact(decideRetry(batchOf(run, id, lines), failedIds));
  if (Result.isSuccess(decided) && decided.success.value > 0) run.seen.add("retried");
};

export const doBatchChange = (run: Run, event: Event): void => {
  const { model, batchIds, cancelled } = run;
  const id = batchIds[event.pick % Math.max(1, batchIds.length)];
  if (id === undefined) return;
  if (event.kind === "retry") doRetry(run, event, id);
  else {
    const status = event.kind === "pause" ? "paused" : event.kind === "resume" ? "running" : "cancelled";
    model.decide(decideBatchStatus(id, status, model.nowMs));
    promote(model);
  }
  const after = Option.getOrThrow(model.run(Store.use((store) => store.getBatch("acc_1", id))));
  run.seen.add(after.status);
  if (after.status === "cancelled") cancelled.add(id);
  assert.strictEqual(after.status === "cancelled", cancelled.has(id), "cancelled is for good");
};
