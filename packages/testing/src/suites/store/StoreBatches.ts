/** Part of StoreSuite: batches, their one debit, their turns and their ends. */
import { assert } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import { BATCH_ITEMS_MAX, countsOf, type BatchItem } from "@winnow/core/domain/run/Batch";
import {
  decideBatch,
  decideBatchStatus,
  decideRetry,
  type BatchLine,
  type BatchSubmit
} from "@winnow/core/domain/run/BatchSubmission";
import { decidePromotion } from "@winnow/core/domain/run/AccountDecisions";
import { decideCancel } from "@winnow/core/domain/result/Settlement";
import { UNNAMED_REQUESTER } from "@winnow/core/domain/request/Requester";
import { QUEUE_POSITIONS_MAX, Store } from "@winnow/core/ports/Store";
import { sampleRequest, sampleSubmit, uniqueId } from "../../samples/samples.ts";
import {
  COST,
  decide,
  liveIds,
  openAccount,
  readAll,
  runThrough,
  SLOW_MS,
  submit,
  waitingOf,
  type StoreTests
} from "../../samples/StoreSteps.ts";

const NOW_MS = 1_700_000_000_000;

const REFUSED = { code: "invalid_url", message: "No." };

const lineOf = (accountId: string, index: number): BatchLine => {
  const request = sampleRequest({ url: `https://example.com/${index}`, modalities: [] });
  const { id, cacheKey, seen } = sampleSubmit(accountId, { request });
  return { index, url: request.url, run: { id, request, cacheKey, seen, reuse: null } };
};

const linesOf = (accountId: string, count: number): ReadonlyArray<BatchLine> =>
  Array.from({ length: count }, (_, index) => lineOf(accountId, index));

const batchOf = (lines: ReadonlyArray<BatchLine>, over: Partial<BatchSubmit> = {}): BatchSubmit => ({
  id: uniqueId("bat"),
  nowMs: NOW_MS,
  lines,
  requester: UNNAMED_REQUESTER,
  idempotency: null,
  ...over
});

const create = (accountId: string, batch: BatchSubmit) => decide(accountId, decideBatch(batch));

const read = Effect.fnUntraced(function* (accountId: string, id: string) {
  const store = yield* Store;
  const batch = Option.getOrThrow(yield* store.getBatch(accountId, id));
  return { ...batch, counts: countsOf(batch), items: yield* store.listBatchItems(accountId, id) };
});

const setStatus = (accountId: string, batchId: string, status: "paused" | "running" | "cancelled") =>
  decide(accountId, decideBatchStatus(batchId, status, NOW_MS));

const cancel = (accountId: string, extractionId: string) =>
  decide(accountId, decideCancel(extractionId, NOW_MS + 1));

/** Runs everything that holds a slot until nothing does. */
const runAll = Effect.fnUntraced(function* (accountId: string) {
  for (;;) {
    const live = liveIds((yield* readAll(accountId)).extractions);
    if (live.length === 0) return;
    for (const id of live) yield* runThrough(accountId, id);
  }
});

/** Characters that mean something where many rows are written at once. */
const AWKWARD = 'a "quoted" \\ {title}, null; é\u2028😀\n';

const debitedOnce = (it: StoreTests): void => {
  it.effect("the largest batch is written as given", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount({ balance: 2 * BATCH_ITEMS_MAX * COST });
      const title = AWKWARD;
      const lines = linesOf(accountId, BATCH_ITEMS_MAX).map((line) => ({
        ...line,
        url: `${line.url}?${AWKWARD}`,
        run: { ...line.run, seen: { kind: "webpage", title, durationSeconds: null, imageCount: 0 } as const }
      }));
      const batch = batchOf(lines);
      yield* create(accountId, batch);
      const { account, extractions } = yield* readAll(accountId);
      assert.strictEqual(account.balance, BATCH_ITEMS_MAX * COST);
      assert.lengthOf(extractions, BATCH_ITEMS_MAX);
      assert.isTrue(extractions.every(({ seen }) => seen?.title === title));
      const { items } = yield* read(accountId, batch.id);
      assert.deepStrictEqual(
        items.map(({ url, index }) => [url, index]),
        lines.map(({ url, index }) => [url, index])
      );
    })
  );

  it.effect("the accepted items of a batch are one debit, and refused ones cost nothing", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount({ balance: 10_000 });
      const lines = [...linesOf(accountId, 4), { index: 4, url: "no", run: REFUSED }];
      const batch = batchOf(lines);
      yield* create(accountId, batch);
      const { account, extractions, ledger } = yield* readAll(accountId);
      assert.strictEqual(account.balance, 10_000 - 4 * COST);
      assert.deepStrictEqual(
        ledger.map(({ kind, credits, extractionId, batchId }) => [kind, credits, extractionId, batchId]),
        [["debit", -4 * COST, null, batch.id]]
      );
      assert.deepStrictEqual([liveIds(extractions).length, account.slotsUsed], [2, 2]);
      assert.isTrue(extractions.every(({ batchId }) => batchId === batch.id));
      const found = yield* read(accountId, batch.id);
      assert.deepStrictEqual(found.counts, {
        total: 5,
        accepted: 4,
        refused: 1,
        reused: 0,
        running: 4,
        complete: 0,
        failed: 0
      });
      assert.deepStrictEqual(
        found.items.map(({ index, url, error, creditsDebited }) => [index, url, error, creditsDebited]),
        [...lines.slice(0, 4).map(({ index, url }) => [index, url, null, COST]), [4, "no", REFUSED, 0]]
      );
    })
  );

  it.effect(
    "twenty concurrent requests with one key are one batch and one debit",
    () =>
      Effect.gen(function* () {
        const accountId = yield* openAccount({ balance: 100_000 });
        const idempotency = { key: "once", bodyDigest: "digest" };
        const made = yield* Effect.forEach(
          Array.from({ length: 20 }),
          () => Effect.suspend(() => create(accountId, batchOf(linesOf(accountId, 3), { idempotency }))),
          { concurrency: 20 }
        );
        assert.strictEqual(new Set(made.map(({ id }) => id)).size, 1);
        assert.strictEqual(made.filter(({ replayed }) => !replayed).length, 1);
        assert.strictEqual((yield* readAll(accountId)).account.balance, 100_000 - 3 * COST);
        const other = { key: "once", bodyDigest: "another" };
        const conflict = create(accountId, batchOf(linesOf(accountId, 1), { idempotency: other }));
        assert.strictEqual((yield* Effect.flip(conflict))._tag, "Conflict");
      }),
    SLOW_MS
  );
};

const turns = (it: StoreTests): void => {
  it.effect("a single submit starts before the waiting items of a batch, and is not refused for them", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount({ balance: 1_000_000 });
      const batch = batchOf(linesOf(accountId, 300));
      yield* create(accountId, batch);
      const single = yield* submit(accountId, sampleSubmit(accountId));
      assert.strictEqual(single.extraction.status, "queued");
      const activity = yield* Effect.flatMap(Store, (store) => store.getActivity(accountId));
      assert.strictEqual(Option.getOrThrow(activity).queuedCount, 298 + 1);
      const [first] = liveIds((yield* readAll(accountId)).extractions);
      yield* runThrough(accountId, first ?? "");
      assert.include(liveIds((yield* readAll(accountId)).extractions), single.extraction.id);
    })
  );

  it.effect("waiting extractions have a place each, in the order in which they then get slots", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const accountId = yield* openAccount({ balance: 1_000_000 });
      const batch = batchOf(linesOf(accountId, 5));
      yield* create(accountId, batch);
      const singles = [
        yield* submit(accountId, sampleSubmit(accountId)),
        yield* submit(accountId, sampleSubmit(accountId))
      ].map(({ extraction }) => extraction.id);
      const items = (yield* read(accountId, batch.id)).items.map(({ extractionId }) => extractionId ?? "");
      const all = [...items, ...singles];
      const expected = [...singles, ...items.slice(2)];
      const places = (ids: ReadonlyArray<string>, of = accountId) =>
        Effect.map(store.findQueuePositions(of, ids), (found) =>
          [...found].sort(([, left], [, right]) => left - right)
        );
      assert.deepStrictEqual(
        yield* places(all),
        expected.map((id, index) => [id, index + 1])
      );
      const [, second = "", third = ""] = expected;
      assert.deepStrictEqual(yield* places([third, "ext_unknown", items[0] ?? "", second]), [
        [second, 2],
        [third, 3]
      ]);
      assert.deepStrictEqual([yield* places([]), yield* places(all, yield* openAccount())], [[], []]);
      yield* setStatus(accountId, batch.id, "paused");
      assert.deepStrictEqual(
        yield* places(all),
        singles.map((id, index) => [id, index + 1])
      );
      yield* setStatus(accountId, batch.id, "running");
      for (const next of expected) {
        const before = liveIds((yield* readAll(accountId)).extractions);
        assert.deepStrictEqual((yield* places(all))[0], [next, 1]);
        yield* runThrough(accountId, before[0] ?? "");
        const after = liveIds((yield* readAll(accountId)).extractions);
        assert.deepStrictEqual(
          after.filter((id) => !before.includes(id)),
          [next]
        );
      }
      assert.deepStrictEqual(yield* places(all), []);
    })
  );

  it.effect(`places are counted up to ${QUEUE_POSITIONS_MAX}`, () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const accountId = yield* openAccount({ balance: 1_000_000 });
      for (const count of [BATCH_ITEMS_MAX, 3]) yield* create(accountId, batchOf(linesOf(accountId, count)));
      const all = yield* store.listExtractions(accountId, { after: null, limit: 2_000 });
      const ids = all.map(({ id }) => id);
      const found = yield* store.findQueuePositions(accountId, ids);
      assert.deepStrictEqual([ids.length, found.size], [BATCH_ITEMS_MAX + 3, QUEUE_POSITIONS_MAX]);
      assert.strictEqual(Math.max(...found.values()), QUEUE_POSITIONS_MAX);
    })
  );

  it.effect("a paused batch neither starts nor counts as waiting until it goes on", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount({ balance: 1_000_000 });
      const [, before] = yield* waitingOf(accountId);
      const batch = batchOf(linesOf(accountId, 6));
      yield* create(accountId, batch);
      assert.deepStrictEqual(yield* waitingOf(accountId), [true, before + 4]);
      yield* setStatus(accountId, batch.id, "paused");
      assert.deepStrictEqual(yield* waitingOf(accountId), [false, before]);
      yield* runAll(accountId);
      assert.strictEqual(yield* decide(accountId, decidePromotion), 0);
      const paused = yield* read(accountId, batch.id);
      assert.deepStrictEqual(
        [paused.status, paused.counts.complete, paused.counts.running],
        ["paused", 2, 4]
      );
      yield* setStatus(accountId, batch.id, "running");
      assert.strictEqual(yield* decide(accountId, decidePromotion), 2);
      yield* runAll(accountId);
      const over = yield* read(accountId, batch.id);
      assert.deepStrictEqual([over.status, over.counts.complete, over.counts.running], ["complete", 6, 0]);
    })
  );

  it.effect("a cancelled batch starts nothing, and is found until its items have ended", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const accountId = yield* openAccount({ balance: 10_000 });
      const batch = batchOf(linesOf(accountId, 4));
      yield* create(accountId, batch);
      yield* setStatus(accountId, batch.id, "cancelled");
      const found = Effect.map(store.findCancelledBatches(1_000), (all) => all.map(({ id }) => id));
      assert.include(yield* found, batch.id);
      for (const { extractionId } of (yield* read(accountId, batch.id)).items) {
        yield* cancel(accountId, extractionId ?? "");
      }
      const { account, ledger } = yield* readAll(accountId);
      assert.deepStrictEqual([account.balance, account.slotsUsed, ledger.length], [10_000, 0, 5]);
      const over = yield* read(accountId, batch.id);
      assert.deepStrictEqual(
        [over.status, over.counts.failed, over.creditsRefunded],
        ["cancelled", 4, 4 * COST]
      );
      assert.notInclude(yield* found, batch.id);
      yield* setStatus(accountId, batch.id, "running");
      assert.strictEqual((yield* read(accountId, batch.id)).status, "cancelled");
    })
  );
};

const ends = (it: StoreTests): void => {
  it.effect("failed items are refunded one by one and run again at one new debit", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount({ balance: 10_000 });
      const batch = batchOf(linesOf(accountId, 4));
      yield* create(accountId, batch);
      const failed = (yield* read(accountId, batch.id)).items.slice(0, 3);
      for (const { extractionId } of failed) yield* cancel(accountId, extractionId ?? "");
      yield* runAll(accountId);
      assert.strictEqual((yield* readAll(accountId)).account.balance, 10_000 - COST);
      assert.strictEqual((yield* read(accountId, batch.id)).status, "complete");
      const retry = retryOf(accountId, batch, failed);
      assert.strictEqual(yield* retry, 3);
      assert.strictEqual(yield* retry, 0);
      const again = yield* read(accountId, batch.id);
      assert.deepStrictEqual(
        [again.status, again.counts.running, again.counts.failed, again.completedAtMs],
        ["running", 3, 0, null]
      );
      yield* runAll(accountId);
      const over = yield* read(accountId, batch.id);
      assert.deepStrictEqual(
        [over.status, over.counts.complete, over.creditsDebited, over.creditsRefunded],
        ["complete", 4, 7 * COST, 3 * COST]
      );
      const { account, ledger } = yield* readAll(accountId);
      assert.strictEqual(account.balance, 10_000 - 4 * COST);
      assert.strictEqual(ledger.filter(({ kind }) => kind === "debit").length, 2);
    })
  );

  it.effect("items keep their place after their extraction is deleted", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const accountId = yield* openAccount({ balance: 10_000 });
      const batch = batchOf(linesOf(accountId, 2));
      yield* create(accountId, batch);
      yield* runAll(accountId);
      const [first] = (yield* read(accountId, batch.id)).items;
      yield* store.deleteExtraction(accountId, first?.extractionId ?? "");
      assert.deepStrictEqual(
        (yield* read(accountId, batch.id)).items.map(({ index, status }) => [index, status]),
        [
          [0, null],
          [1, "complete"]
        ]
      );
    })
  );

  it.effect("batches of others are not found, and lists are newest first in pages", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const accountId = yield* openAccount({ balance: 10_000 });
      const other = yield* openAccount();
      const batches = [0, 1, 2].map((age) => batchOf(linesOf(accountId, 1), { nowMs: NOW_MS - age }));
      for (const batch of batches) yield* create(accountId, batch);
      const ids = batches.map(({ id }) => id);
      assert.isTrue(Option.isNone(yield* store.getBatch(other, ids[0] ?? "")));
      assert.deepStrictEqual(yield* store.listBatchItems(other, ids[0] ?? ""), []);
      const page = yield* store.listBatches(accountId, { after: null, limit: 2 });
      assert.deepStrictEqual(
        page.map(({ id }) => id),
        ids.slice(0, 2)
      );
      const last = page[1] ?? null;
      const rest = yield* store.listBatches(accountId, { after: last, limit: 2 });
      assert.deepStrictEqual(
        rest.map(({ id }) => id),
        ids.slice(2)
      );
    })
  );
};

const retryOf = (accountId: string, { id }: BatchSubmit, failed: ReadonlyArray<BatchItem>) =>
  Effect.suspend(() => {
    const failedIds = new Map(failed.map(({ index, extractionId }) => [index, extractionId ?? ""]));
    const lines = failed.map(({ index }) => lineOf(accountId, index));
    return decide(accountId, decideRetry(batchOf(lines, { id, nowMs: NOW_MS + 2 }), failedIds));
  });

export const batches = (it: StoreTests): void => {
  debitedOnce(it);
  turns(it);
  ends(it);
};
