/**
 * Part of StoreSuite: lists, look-ups and what the sweeper asks for.
 */
import { assert } from "@effect/vitest";
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Option from "effect/Option";
import * as Result from "effect/Result";
import { NO_CHANGES } from "../domain/Decision.ts";
import type { Extraction } from "../domain/Extraction.ts";
import { decideTopUp } from "../domain/TopUp.ts";
import { Store, type ExtractionPosition } from "../ports/Store.ts";
import { sampleExtraction, sampleResult, sampleSubmit, uniqueId } from "./samples.ts";
import { openAccount, readAll, start, submit, type StoreTests } from "./storeSteps.ts";

const insert = (extraction: Extraction) =>
  Store.use((store) =>
    store.transact(extraction.accountId, {}, () =>
      Result.succeed({ value: null, changes: { ...NO_CHANGES, inserted: [extraction] } })
    )
  );

/** A finished fresh run under the key. */
const finished = (accountId: string, cacheKey: string, over: Partial<Extraction> = {}): Extraction => {
  const id = uniqueId("ext");
  const result = sampleResult(id);
  return sampleExtraction(accountId, { id, status: "complete", cacheKey, result, attempt: 1, ...over });
};

export const lists = (it: StoreTests): void => {
  it.effect("pages run newest first over equal timestamps while rows are inserted", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const accountId = yield* openAccount();
      // Three milliseconds for 25 rows, in no order.
      const make = (index: number) =>
        sampleExtraction(accountId, { status: "failed", createdAtMs: 1_700_000_000_000 + ((index * 7) % 3) });
      const before = Array.from({ length: 25 }, (_, index) => make(index));
      yield* Effect.forEach(before, insert, { discard: true });
      const seen: Array<Extraction> = [];
      let after: ExtractionPosition | null = null;
      for (let page = 0; page < 20; page++) {
        const rows: ReadonlyArray<Extraction> = yield* store.listExtractions(accountId, { after, limit: 4 });
        const last = rows.at(-1);
        if (last === undefined) break;
        seen.push(...rows);
        after = { createdAtMs: last.createdAtMs, id: last.id };
        yield* insert(sampleExtraction(accountId, { status: "failed", createdAtMs: 1_700_000_000_009 }));
      }
      const expected = before.toSorted(
        (left, right) => right.createdAtMs - left.createdAtMs || (left.id < right.id ? 1 : -1)
      );
      assert.deepStrictEqual(
        seen.map(({ id }) => id),
        expected.map(({ id }) => id)
      );
    })
  );

  it.effect("ledger ids rise in the order of posting, and pages go back from any entry", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const accountId = yield* openAccount();
      for (let credits = 1; credits <= 12; credits++) {
        yield* store.transact(accountId, {}, decideTopUp(credits, 1_700_000_000_000));
      }
      const { ledger } = yield* readAll(accountId);
      assert.deepStrictEqual(
        ledger.filter(({ kind }) => kind === "top_up").map(({ credits }) => credits),
        [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
      );
      const rises = ledger.every(({ id }, index) => {
        const previous = ledger[index - 1]?.id ?? "";
        return previous.length < id.length || (previous.length === id.length && previous < id);
      });
      assert.isTrue(rises, ledger.map(({ id }) => id).join(" "));
      const middle = ledger[6]?.id ?? "";
      const page = yield* store.listLedger(accountId, { before: middle, limit: 3 });
      assert.deepStrictEqual(page, ledger.slice(3, 6).toReversed());
      assert.deepStrictEqual(yield* store.listLedger(uniqueId("acc"), { before: null, limit: 3 }), []);
      for (const none of ["", "x", "-1", "1.5", "9".repeat(40)]) {
        const before = yield* Effect.exit(store.listLedger(accountId, { before: none, limit: 3 }));
        assert.deepStrictEqual(before, Exit.succeed([]), `an entry "${none}" was never given out`);
      }
    })
  );
};

export const reuse = (it: StoreTests): void => {
  it.effect("the newest fresh complete run under the key is reusable, within the window", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const accountId = yield* openAccount();
      const [key, other] = [uniqueId("key"), uniqueId("key")];
      const older = finished(accountId, key, { completedAtMs: 2_000 });
      const newer = finished(accountId, key, { completedAtMs: 3_000 });
      yield* Effect.forEach(
        [
          newer,
          older,
          finished(accountId, key, { completedAtMs: 4_000, cachedFrom: newer.id }),
          finished(accountId, key, { completedAtMs: 5_000, status: "failed", result: null }),
          finished(accountId, other, { completedAtMs: 6_000 })
        ],
        insert
      );
      assert.deepStrictEqual(yield* store.findReusable(accountId, key, 0), Option.some(newer));
      assert.deepStrictEqual(yield* store.findReusable(accountId, key, 3_000), Option.some(newer));
      assert.deepStrictEqual(yield* store.findReusable(accountId, key, 3_001), Option.none());
      const stranger = yield* openAccount();
      assert.deepStrictEqual(yield* store.findReusable(stranger, key, 0), Option.none());
    })
  );
};

export const stalled = (it: StoreTests): void => {
  it.effect("a run is stalled when it pends or runs since before the given time", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const nowMs = yield* Clock.currentTimeMillis;
      const accountId = yield* openAccount({ balance: 10_000 });
      const submitted = yield* Effect.forEach(["pending", "running", "queued"], () =>
        submit(accountId, sampleSubmit(accountId, { nowMs }))
      );
      const [pending = "", running = ""] = submitted.map(({ extraction }) => extraction.id);
      yield* start(accountId, running, nowMs);
      const find = (pendingBeforeMs: number, startedBeforeMs: number) =>
        Effect.map(store.findStalled({ pendingBeforeMs, startedBeforeMs, limit: 1_000 }), (found) =>
          found
            .filter((run) => run.accountId === accountId)
            .map(({ extractionId, status }) => [extractionId, status])
        );
      const [early, late] = [nowMs - 60_000, nowMs + 60_000];
      assert.deepStrictEqual(yield* find(early, early), []);
      assert.deepStrictEqual(yield* find(late, early), [[pending, "pending"]]);
      assert.deepStrictEqual(yield* find(early, late), [[running, "running"]]);
      assert.sameDeepMembers(yield* find(late, late), [
        [pending, "pending"],
        [running, "running"]
      ]);
    })
  );
};

export const counts = (it: StoreTests): void => {
  it.effect(
    "extractions that wait or run are counted by status and kind, and those that are over are not",
    () =>
      Effect.gen(function* () {
        const store = yield* Store;
        const accountId = yield* openAccount({ balance: 10_000 });
        const countsOf = Effect.map(store.countLive, (found) =>
          Object.fromEntries(found.map(({ status, kind, count }) => [`${status} ${kind}`, count]))
        );
        const before = yield* countsOf;
        const pricedFacts = { kind: "photos", durationMs: null, imageCount: 3 } as const;
        const submitted = yield* Effect.forEach(Array.from({ length: 4 }), () =>
          submit(accountId, sampleSubmit(accountId, { pricedFacts }))
        );
        const [first = ""] = submitted.map(({ extraction }) => extraction.id);
        yield* start(accountId, first);
        yield* insert(finished(accountId, uniqueId("key"), { pricedFacts }));
        const after = yield* countsOf;
        const grown = (key: string) => (after[key] ?? 0) - (before[key] ?? 0);
        assert.deepStrictEqual(
          ["queued photos", "pending photos", "running photos", "complete photos", "running video"].map(
            grown
          ),
          [2, 1, 1, 0, 0]
        );
      })
  );
};

export const apiKeys = (it: StoreTests): void => {
  it.effect("an API key is found by its hash until it is revoked, for good", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const accountId = yield* openAccount();
      const record = {
        id: uniqueId("key"),
        accountId,
        name: "Laptop",
        hash: uniqueId("hash"),
        start: "wnw_8Kd2",
        createdAtMs: 1_700_000_000_000
      };
      yield* store.createApiKey(record);
      assert.deepStrictEqual(yield* store.findApiKey(record.hash), Option.some(record));
      assert.deepStrictEqual(yield* store.findApiKey(uniqueId("hash")), Option.none());
      assert.isTrue(yield* store.revokeApiKey(record.id));
      assert.deepStrictEqual(yield* store.findApiKey(record.hash), Option.none());
      yield* store.revokeApiKey(record.id);
      assert.deepStrictEqual(yield* store.findApiKey(record.hash), Option.none());
      assert.isFalse(yield* store.revokeApiKey(uniqueId("key")));
    })
  );

  it.effect("an API key of an unknown account is refused", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const record = { id: uniqueId("key"), name: "x", hash: uniqueId("hash"), start: null, createdAtMs: 1 };
      const failure = yield* Effect.flip(store.createApiKey({ ...record, accountId: uniqueId("acc") }));
      assert.strictEqual(failure._tag, "NotFound");
    })
  );

  it.effect("an account's API keys are listed newest first, revoked ones and other accounts' left out", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const [accountId, stranger] = [yield* openAccount(), yield* openAccount()];
      const keyOf = (of: string, createdAtMs: number, start: string | null) => ({
        id: uniqueId("key"),
        accountId: of,
        name: "Laptop",
        hash: uniqueId("hash"),
        start,
        createdAtMs
      });
      const oldest = keyOf(accountId, 1_000, null);
      const tied = [keyOf(accountId, 2_000, "wnw_aaaa"), keyOf(accountId, 2_000, "wnw_bbbb")];
      const revoked = keyOf(accountId, 3_000, "wnw_cccc");
      const others = keyOf(stranger, 4_000, "wnw_dddd");
      yield* Effect.forEach([...tied, oldest, revoked, others], store.createApiKey);
      yield* store.revokeApiKey(revoked.id);
      const expected = [...tied.toSorted((left, right) => (left.id < right.id ? 1 : -1)), oldest];
      assert.deepStrictEqual(yield* store.listApiKeys(accountId), expected);
      assert.deepStrictEqual(yield* store.listApiKeys(stranger), [others]);
      assert.deepStrictEqual(yield* store.listApiKeys(uniqueId("acc")), []);
    })
  );

  it.effect("the store answers a ping", () => Store.use((store) => store.ping));
};
