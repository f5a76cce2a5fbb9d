/** Part of StoreSuite: what deletion and retention remove, and what must remain. */
import { assert } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import { decideAccountChange, type AccountChange } from "@winnow/core/domain/run/AccountDecisions";
import { deletedKey, keyOfDeleted, keyOfOtherBody } from "@winnow/core/domain/request/Idempotency";
import { decideBatch } from "@winnow/core/domain/run/BatchSubmission";
import { UNNAMED_REQUESTER } from "@winnow/core/domain/request/Requester";
import { decideCancel } from "@winnow/core/domain/result/Settlement";
import { Store } from "@winnow/core/ports/Store";
import type { Submit } from "@winnow/core/domain/run/Submission";
import { DAY_MS } from "@winnow/core/domain/Durations";
import { sampleRequest, sampleResult, sampleSubmit, uniqueId } from "../../samples/samples.ts";
import {
  decide,
  openAccount,
  readAll,
  runThrough,
  start,
  submit,
  type StoreTests,
  viewOf
} from "../../samples/StoreSteps.ts";

/** A completed run; returns its id. */
const finish = Effect.fnUntraced(function* (accountId: string, over: Partial<Submit> = {}) {
  const { extraction } = yield* submit(accountId, sampleSubmit(accountId, over));
  yield* runThrough(accountId, extraction.id);
  return extraction.id;
});

/** When the earlier of {@link twoEndedRuns} was settled. */
const OVER_MS = 1_700_000_002_000;

/** A run, an extraction that reused its result 3 s later, and an active one. */
const twoEndedRuns = Effect.fnUntraced(function* (accountId: string) {
  const source = yield* finish(accountId);
  const late = sampleSubmit(accountId, {
    nowMs: OVER_MS + 3_000,
    reuse: { extractionId: source, result: sampleResult(source) }
  });
  yield* submit(accountId, late);
  yield* submit(accountId, sampleSubmit(accountId, { nowMs: 1 }));
  return { source, late: late.id };
});

const idsOf = (accountIds: ReadonlyArray<string>) =>
  Effect.map(Effect.forEach(accountIds, readAll), (all) =>
    all.flatMap(({ extractions }) => extractions.map(({ id }) => id))
  );

/** Runs a whole round of retention; returns what is then missing of the accounts. */
const removingOf =
  (accountIds: ReadonlyArray<string>, limit = 100) =>
  (nowMs: number) =>
    Effect.gen(function* () {
      const store = yield* Store;
      const retention = { defaultDays: 3, daysByPlan: { brief: 1 } };
      const before = yield* idsOf(accountIds);
      let after: string | null = null;
      do {
        after = yield* store.removeExpired({ nowMs, retention, after, limit });
      } while (after !== null);
      const left = new Set(yield* idsOf(accountIds));
      return before.filter((id) => !left.has(id));
    });

export const sharedFields = (it: StoreTests): void => {
  it.effect(
    "items with a large schema and prompt in common are read whole, also after others were deleted",
    () =>
      Effect.gen(function* () {
        const store = yield* Store;
        const accountId = yield* openAccount({ balance: 1_000_000 });
        const schema = { type: "object", description: "\u0000 \ud800".padEnd(5_000, "d") };
        const submitted = { prompt: "p".repeat(5_000) };
        const requests = Array.from({ length: 300 }, (_, index) => {
          const url = `https://example.com/${index}`;
          return sampleRequest({
            url,
            modalities: [],
            schema,
            ...submitted,
            submitted: { url, ...submitted }
          });
        });
        const lines = requests.map((request, index) => {
          const { id, cacheKey, seen } = sampleSubmit(accountId, { request });
          return {
            index,
            url: request.url,
            run: { id, request, cacheKey, seen, reuse: null }
          };
        });
        const id = uniqueId("bat");
        const batch = { id, nowMs: 1, lines, requester: UNNAMED_REQUESTER, idempotency: null };
        yield* decide(accountId, decideBatch(batch));
        const ids = lines.map(({ run }) => run.id);
        const read = Effect.fnUntraced(function* (extractionId: string) {
          return Option.getOrThrow(yield* store.getExtraction(accountId, extractionId)).request;
        });
        const assertWhole = Effect.fnUntraced(function* (places: ReadonlyArray<number>) {
          for (const place of places) assert.deepStrictEqual(yield* read(ids[place] ?? ""), requests[place]);
        });
        yield* assertWhole([0, 1, 150, 299]);
        assert.deepStrictEqual(
          (yield* viewOf(accountId)).waiting.map(({ request }) => request),
          requests.slice(2, 5)
        );
        for (const place of [0, 1]) {
          yield* decide(accountId, decideCancel(ids[place] ?? "", 2));
          yield* store.deleteExtraction(accountId, ids[place] ?? "");
        }
        yield* assertWhole([2, 299]);
        const { extractions } = yield* readAll(accountId);
        assert.strictEqual(new Set(extractions.map(({ request }) => JSON.stringify(request.schema))).size, 1);
      })
  );
};

export const untaken = (it: StoreTests): void => {
  it.effect("what no worker took in time is found by the retention of its account, up to seven days", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const nowMs = 2_000_000_000_000;
      const retention = { defaultDays: 30, daysByPlan: { short: 2 } };
      const idsOf = Effect.fnUntraced(function* (accountId: string) {
        const ages = [8, 7, 3, 2, 1].map((days) => nowMs - days * DAY_MS - 1);
        const made = yield* Effect.forEach(ages, (createdAtMs) =>
          submit(accountId, { ...sampleSubmit(accountId), nowMs: createdAtMs })
        );
        return made.map(({ extraction }) => extraction.id);
      });
      const balance = 1_000_000;
      const long = yield* idsOf(yield* openAccount({ balance }));
      const short = yield* idsOf(yield* openAccount({ balance, plan: "short" }));
      const ownAccount = yield* openAccount({ balance, plan: "short", limits: { retentionDays: 3 } });
      const own = yield* idsOf(ownAccount);
      yield* start(ownAccount, own[0] ?? "");
      const all = new Set([...long, ...short, ...own]);
      const found = (yield* store.findUntaken({ nowMs, retention, limit: 10_000 }))
        .map(({ extractionId }) => extractionId)
        .filter((id) => all.has(id));
      assert.sameMembers(found, [...long.slice(0, 2), ...short.slice(0, 4), ...own.slice(1, 3)]);
    })
  );
};

export const deletions = (it: StoreTests): void => {
  it.effect(
    "a deleted extraction is gone with its cache entry; its ledger entries and the hashes of its key remain",
    () =>
      Effect.gen(function* () {
        const store = yield* Store;
        const accountId = yield* openAccount({ balance: 500 });
        const [cacheKey, key] = [uniqueId("cache"), uniqueId("key")];
        const id = yield* finish(accountId, { cacheKey, idempotency: { key, bodyDigest: "digest" } });
        assert.isTrue(Option.isSome(yield* store.findReusable(accountId, cacheKey, 0)));
        const { ledger, ...before } = yield* readAll(accountId);
        const after = {
          ...before,
          ledger: ledger.map((entry) => ({ ...entry, extractionTitle: null })),
          extractions: []
        };
        assert.isTrue(Option.isSome(yield* store.deleteExtraction(accountId, id)));
        assert.deepStrictEqual(yield* store.getExtraction(accountId, id), Option.none());
        assert.deepStrictEqual(
          yield* store.getIdempotency(accountId, key),
          Option.some({ key: deletedKey(key), bodyDigest: "digest", extractionId: null, batchId: null })
        );
        assert.deepStrictEqual(yield* store.findReusable(accountId, cacheKey, 0), Option.none());
        assert.deepStrictEqual(yield* readAll(accountId), after);
        assert.deepStrictEqual(yield* store.deleteExtraction(accountId, id), Option.none());
        const again = (bodyDigest: string) =>
          submit(accountId, sampleSubmit(accountId, { idempotency: { key, bodyDigest } }));
        const reason = "extraction_deleted";
        assert.deepStrictEqual(yield* Effect.flip(again("digest")), keyOfDeleted(reason));
        assert.deepStrictEqual(yield* Effect.flip(again("other")), keyOfOtherBody());
        assert.deepStrictEqual(yield* readAll(accountId), after);
      })
  );

  it.effect("an active extraction is not deleted, and neither is another account's", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const [accountId, otherAccount] = [yield* openAccount({ balance: 500 }), yield* openAccount()];
      const ids = yield* Effect.forEach([1, 2, 3], () =>
        Effect.map(submit(accountId, sampleSubmit(accountId)), ({ extraction }) => extraction.id)
      );
      yield* start(accountId, ids[0] ?? "");
      for (const id of ids) assert.isTrue(Option.isNone(yield* store.deleteExtraction(accountId, id)));
      yield* runThrough(accountId, ids[1] ?? "");
      assert.isTrue(Option.isNone(yield* store.deleteExtraction(otherAccount, ids[1] ?? "")));
      assert.lengthOf((yield* readAll(accountId)).extractions, 3);
    })
  );

  it.effect("each account loses extractions older than its own retention, and no active ones", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount({ balance: 500 });
      const { source, late } = yield* twoEndedRuns(accountId);
      const removed = removingOf([accountId]);
      const change = (plan: AccountChange) =>
        Store.use((store) => store.transact(accountId, decideAccountChange(plan, OVER_MS)));
      assert.deepStrictEqual(yield* removed(OVER_MS + 3 * DAY_MS), []);
      yield* change({ plan: "brief" });
      assert.deepStrictEqual(yield* removed(OVER_MS + DAY_MS), []);
      yield* change({ limits: { retentionDays: 2 } });
      assert.deepStrictEqual(yield* removed(OVER_MS + DAY_MS + 1), []);
      assert.deepStrictEqual(yield* removed(OVER_MS + 2 * DAY_MS + 1), [source]);
      yield* change({ limits: { retentionDays: null } });
      assert.deepStrictEqual(yield* removed(OVER_MS + 3_000 + DAY_MS), []);
      yield* change({ plan: "default" });
      assert.deepStrictEqual(yield* removed(OVER_MS + 3_000 + 3 * DAY_MS), []);
      assert.deepStrictEqual(yield* removed(OVER_MS + 3_001 + 3 * DAY_MS), [late]);
      assert.lengthOf((yield* readAll(accountId)).extractions, 1);
    })
  );

  it.effect("concurrent rounds of retention remove every extraction that is due, and no others", () =>
    Effect.gen(function* () {
      const accounts = yield* Effect.forEach([1, 2, 3], () => openAccount({ balance: 500 }));
      const runs = yield* Effect.forEach(accounts, twoEndedRuns);
      const ended = new Set(runs.flatMap(({ source, late }) => [source, late]));
      const before = yield* idsOf(accounts);
      const removing = removingOf(accounts, 2)(OVER_MS + 4 * DAY_MS);
      yield* Effect.all([removing, removing, removing], { concurrency: 3 });
      // Accounts skipped because another process had locked them are left to the next round.
      yield* removing;
      assert.sameMembers(
        yield* idsOf(accounts),
        before.filter((id) => !ended.has(id))
      );
    })
  );
};

export const corrections = (it: StoreTests): void => {
  it.effect("corrections belong to one extraction of one account, and are deleted with it", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const accountId = yield* openAccount({ balance: 10_000 });
      const other = yield* openAccount();
      const id = yield* finish(accountId);
      const found = (of: string) =>
        Effect.map(store.findCorrections(of, [id, "ext_none"]), (byId) => Object.fromEntries(byId));
      const mended = { "/a": "nul \0 and \ud800", "/b/0": null };
      yield* store.setCorrections(other, id, { "/a": 1 }, 1);
      assert.deepStrictEqual(yield* found(accountId), {});
      yield* store.setCorrections(accountId, id, { "/a": 1 }, 1);
      yield* store.setCorrections(accountId, id, mended, 2);
      assert.deepStrictEqual([yield* found(accountId), yield* found(other)], [{ [id]: mended }, {}]);
      yield* store.setCorrections(accountId, id, {}, 3);
      assert.deepStrictEqual(yield* found(accountId), {});
      yield* store.setCorrections(accountId, id, mended, 4);
      yield* store.deleteExtraction(accountId, id);
      assert.deepStrictEqual(yield* found(accountId), {});
    })
  );
};
