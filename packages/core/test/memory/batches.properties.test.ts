/** The law of batches: whatever happens to them, no credit is lost or made, and their counts are those of their items. */
import { assert, layer } from "@effect/vitest";
import { SLOTS_MAX } from "@winnow/core/domain/money/Plan";
import { countsOf } from "@winnow/core/domain/run/Batch";
import {
  decideBatch,
  decideBatchStatus,
  decideRetry,
  type BatchLine,
  type BatchSubmit
} from "@winnow/core/domain/run/BatchSubmission";
import { decidePromotion } from "@winnow/core/domain/run/AccountDecisions";
import { DAY_MS } from "@winnow/core/domain/run/Usage";
import { decideCancel, decideUntaken } from "../../src/domain/result/Settlement.ts";
import { UNNAMED_REQUESTER } from "@winnow/core/domain/request/Requester";
import * as MemoryJobQueue from "@winnow/core/memory/MemoryJobQueue";
import * as MemoryStore from "@winnow/core/memory/MemoryStore";
import { Store } from "@winnow/core/ports/Store";
import { sampleRequest, sampleSubmit, uniqueId } from "@winnow/testing/samples/samples";
import {
  decide,
  liveIds,
  openAccount,
  readAll,
  runThrough,
  submit
} from "@winnow/testing/samples/StoreSteps";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as Arbitrary from "effect/Arbitrary";
import { intBetween, oneOf } from "../domain/Arbitraries.ts";

const NOW_MS = 1_700_000_000_000;
const START_CREDITS = 2_000;

const lineOf = (accountId: string, index: number, isRefused: boolean): BatchLine => {
  const request = sampleRequest({ url: `https://example.com/${index}`, modalities: [] });
  const { id, cacheKey, seen } = sampleSubmit(accountId, { request });
  return {
    index,
    url: request.url,
    run: isRefused ? { code: "invalid_url", message: "No." } : { id, request, cacheKey, seen, reuse: null }
  };
};

const submitOf = (id: string, lines: ReadonlyArray<BatchLine>): BatchSubmit => ({
  id,
  nowMs: NOW_MS,
  lines,
  requester: UNNAMED_REQUESTER,
  idempotency: null
});

/** `pick` chooses among what exists. */
const Step = Arbitrary.all({
  what: oneOf([
    "batch",
    "single",
    "run",
    "run",
    "fail",
    "pause",
    "resume",
    "cancel",
    "retry",
    "promote",
    "expire"
  ]),
  pick: intBetween(0, 1_000)
});
const STEPS_MAX = 60;
const Steps = Arbitrary.array(Step, { maxLength: STEPS_MAX });

interface Walk {
  readonly accountId: string;
  readonly batchIds: Array<string>;
  /** Those that were cancelled, which is for good. */
  readonly cancelled: Set<string>;
}

const chosen = <A>(all: ReadonlyArray<A>, pick: number): A | undefined => all[pick % Math.max(1, all.length)];

const retry = Effect.fnUntraced(function* (accountId: string, batchId: string) {
  const items = yield* Store.use((store) => store.listBatchItems(accountId, batchId));
  const failed = items.filter(({ status }) => status === "failed");
  const failedIds = new Map(failed.map(({ index, extractionId }) => [index, extractionId ?? ""]));
  const lines = failed.map(({ index }) => lineOf(accountId, index, index % 5 === 0));
  const retried = decide(accountId, decideRetry(submitOf(batchId, lines), failedIds));
  yield* Effect.catchTag(retried, "Conflict", () => Effect.void);
});

const take = Effect.fnUntraced(function* ({ accountId, batchIds }: Walk, what: string, pick: number) {
  const { extractions } = yield* readAll(accountId);
  const live = liveIds(extractions);
  const batchId = chosen(batchIds, pick);
  const extractionId = chosen(live, pick);
  if (what === "single") yield* submit(accountId, sampleSubmit(accountId));
  if (what === "promote") yield* decide(accountId, decidePromotion);
  if (what === "run" && extractionId !== undefined) yield* runThrough(accountId, extractionId);
  if (what === "fail" && extractionId !== undefined) {
    yield* decide(accountId, decideCancel(extractionId, NOW_MS));
  }
  if (what === "expire") {
    const waiting = extractions.filter(({ status }) => status === "queued" || status === "pending");
    const { id = "" } = chosen(waiting, pick) ?? {};
    yield* decide(accountId, decideUntaken(id, NOW_MS + 8 * DAY_MS));
  }
  if (what === "batch") {
    const id = uniqueId("bat");
    const lines = Array.from({ length: 1 + (pick % 7) }, (_, index) =>
      lineOf(accountId, index, index % 4 === 3)
    );
    yield* decide(accountId, decideBatch(submitOf(id, lines)));
    batchIds.push(id);
  }
  if (batchId === undefined) return;
  const status = { pause: "paused", resume: "running", cancel: "cancelled" }[what] as
    | "paused"
    | "running"
    | "cancelled"
    | undefined;
  if (status !== undefined) yield* decide(accountId, decideBatchStatus(batchId, status, NOW_MS));
  if (what === "retry") yield* retry(accountId, batchId);
});

const check = Effect.fnUntraced(function* ({ accountId, batchIds, cancelled }: Walk) {
  const store = yield* Store;
  const { account, extractions, ledger } = yield* readAll(accountId);
  assert.strictEqual(account.balance, START_CREDITS + ledger.reduce((sum, { credits }) => sum + credits, 0));
  const spent = extractions.reduce((sum, each) => sum + each.creditsDebited - each.creditsRefunded, 0);
  assert.strictEqual(account.balance, START_CREDITS - spent);
  assert.strictEqual(account.slotsUsed, liveIds(extractions).length);
  assert.isAtMost(account.slotsUsed, SLOTS_MAX);
  for (const id of batchIds) {
    const batch = Option.getOrThrow(yield* store.getBatch(accountId, id));
    const items = yield* store.listBatchItems(accountId, id);
    const own = extractions.filter(({ batchId }) => batchId === id);
    const counted = (...states: ReadonlyArray<string | null>) =>
      items.filter(({ status }) => states.includes(status)).length;
    assert.deepStrictEqual(countsOf(batch), {
      total: items.length,
      accepted: items.length - counted(null),
      refused: counted(null),
      reused: 0,
      running: counted("queued", "pending", "running"),
      complete: counted("complete"),
      failed: counted("failed")
    });
    const sumOf = (name: "creditsDebited" | "creditsRefunded") =>
      own.reduce((sum, extraction) => sum + extraction[name], 0);
    assert.deepStrictEqual(
      [batch.creditsDebited, batch.creditsRefunded],
      [sumOf("creditsDebited"), sumOf("creditsRefunded")]
    );
    if (batch.status === "cancelled") cancelled.add(id);
    assert.strictEqual(batch.status === "cancelled", cancelled.has(id), "cancelled is for good");
    assert.strictEqual(batch.completedAtMs === null, countsOf(batch).running > 0);
  }
});

layer(Layer.provideMerge(MemoryStore.layer, MemoryJobQueue.layer), { excludeTestServices: true })(
  "any sequence of steps with batches",
  (it) => {
    it.effect.prop(
      "loses and makes no credit, keeps within the slots, and counts every item once",
      { steps: Steps },
      ({ steps }) =>
        Effect.gen(function* () {
          const accountId = yield* openAccount({ balance: START_CREDITS });
          const walk: Walk = { accountId, batchIds: [], cancelled: new Set() };
          for (const { what, pick } of steps) {
            yield* Effect.ignore(take(walk, what, pick));
            yield* check(walk);
          }
        }),
      { arbitrary: { runs: 150, size: STEPS_MAX } }
    );
  }
);
