/** Part of StoreSuite: lists, look-ups, secrets and what the sweeper asks for. */
import { assert } from "@effect/vitest";
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Option from "effect/Option";
import { LAST_USE_INTERVAL_MS } from "@winnow/core/domain/access/ApiKey";
import type { Extraction } from "@winnow/core/domain/run/Extraction";
import { decideTopUp } from "@winnow/core/domain/run/AccountDecisions";
import { decideCancel } from "@winnow/core/domain/result/Settlement";
import { Store, type ExtractionPosition } from "@winnow/core/ports/Store";
import {
  sampleApiKey,
  sampleExtraction,
  sampleFacts,
  sampleRequest,
  sampleResult,
  sampleSubmit,
  uniqueId
} from "../../samples/samples.ts";
import {
  openAccount,
  readAll,
  start,
  submit,
  type StoreTests,
  write,
  viewOf
} from "../../samples/StoreSteps.ts";

const insert = (extraction: Extraction) => write(extraction.accountId, { inserted: [extraction] });

/** A finished fresh run with the cache key. */
const finished = (accountId: string, cacheKey: string, overrides: Partial<Extraction> = {}): Extraction => {
  const id = uniqueId("ext");
  const result = sampleResult(id);
  return sampleExtraction(accountId, { id, status: "complete", cacheKey, result, attempt: 1, ...overrides });
};

export const lists = (it: StoreTests): void => {
  it.effect("pages are ordered newest first, also with equal timestamps and while rows are inserted", () =>
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

  it.effect("ledger ids increase in posting order, and pages continue from any entry", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const accountId = yield* openAccount();
      for (let credits = 1; credits <= 12; credits++) {
        yield* store.transact(accountId, decideTopUp(credits, 1_700_000_000_000));
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
        assert.deepStrictEqual(before, Exit.succeed([]), `an entry "${none}" never existed`);
      }
    })
  );
};

export const namedLedger = (it: StoreTests): void => {
  it.effect(
    "ledger entries name their extraction, by its URL while it has no title, until it is deleted",
    () =>
      Effect.gen(function* () {
        const store = yield* Store;
        const accountId = yield* openAccount({ balance: 1_000 });
        const { extraction } = yield* submit(accountId, sampleSubmit(accountId));
        const names = Effect.map(readAll(accountId), ({ ledger }) =>
          ledger.filter(({ kind }) => kind === "debit").map(({ extractionTitle }) => extractionTitle)
        );
        const { seen, request } = extraction;
        assert.deepStrictEqual(yield* names, [seen?.title ?? request.url]);
        const result = sampleResult(extraction.id, { facts: sampleFacts({ title: "NUL \0 in a title" }) });
        const updated = [{ ...extraction, status: "complete" as const, completedAtMs: 1, result }];
        yield* write(accountId, { updated });
        assert.deepStrictEqual(yield* names, ["NUL  in a title"]);
        yield* store.deleteExtraction(accountId, extraction.id);
        assert.deepStrictEqual(yield* names, [null]);
      })
  );
};

export const reuse = (it: StoreTests): void => {
  it.effect("the newest result for a cache key can be reused, from any extraction that has it", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const accountId = yield* openAccount();
      const key = uniqueId("key");
      const reusing = (completedAtMs: number, finishedAtMs: number) =>
        finished(accountId, key, {
          completedAtMs,
          cachedFrom: "ext_gone",
          result: sampleResult("ext_gone", { finishedAtMs })
        });
      const [older, newer] = [reusing(9_000, 2_000), reusing(8_000, 4_000)];
      const fresh = finished(accountId, key, { completedAtMs: 3_000 });
      yield* Effect.forEach([older, newer, fresh], insert);
      const find = (sinceMs: number) => store.findReusable(accountId, key, sinceMs);
      assert.deepStrictEqual(yield* find(0), Option.some(newer));
      assert.deepStrictEqual(yield* find(4_000), Option.some(newer));
      assert.deepStrictEqual(yield* find(4_001), Option.none());
      yield* store.deleteExtraction(accountId, newer.id);
      assert.deepStrictEqual(yield* find(0), Option.some(fresh));
      yield* store.deleteExtraction(accountId, fresh.id);
      assert.deepStrictEqual(yield* find(0), Option.some(older));
    })
  );

  it.effect("the newest complete run for a cache key can be reused within the window", () =>
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
          finished(accountId, key, { completedAtMs: 5_000, status: "failed", result: null }),
          finished(accountId, other, { completedAtMs: 6_000 })
        ],
        insert
      );
      assert.deepStrictEqual(yield* store.findReusable(accountId, key, 0), Option.some(newer));
      assert.deepStrictEqual(yield* store.findReusable(accountId, key, 3_000), Option.some(newer));
      assert.deepStrictEqual(yield* store.findReusable(accountId, key, 3_001), Option.none());
      const otherAccount = yield* openAccount();
      assert.deepStrictEqual(yield* store.findReusable(otherAccount, key, 0), Option.none());
    })
  );
};

export const stalled = (it: StoreTests): void => {
  it.effect("a run is stalled if it has been pending or running since before the given time", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const nowMs = yield* Clock.currentTimeMillis;
      const accountId = yield* openAccount({ balance: 10_000 });
      const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
      const traces = [traceparent, null, null];
      const submitted = yield* Effect.forEach(traces, (trace) =>
        submit(
          accountId,
          sampleSubmit(accountId, { nowMs, request: sampleRequest({ modalities: [], traceparent: trace }) })
        )
      );
      const [pending = "", running = ""] = submitted.map(({ extraction }) => extraction.id);
      yield* start(accountId, running, nowMs);
      const find = (pendingBeforeMs: number, startedBeforeMs: number) =>
        Effect.map(store.findStalled({ pendingBeforeMs, startedBeforeMs, limit: 1_000 }), (found) =>
          found
            .filter((run) => run.accountId === accountId)
            .map((run) => [run.extractionId, run.status, run.traceparent])
        );
      const [early, late] = [nowMs - 60_000, nowMs + 60_000];
      assert.deepStrictEqual(yield* find(early, early), []);
      assert.deepStrictEqual(yield* find(late, early), [[pending, "pending", traceparent]]);
      assert.deepStrictEqual(yield* find(early, late), [[running, "running", null]]);
      assert.sameDeepMembers(yield* find(late, late), [
        [pending, "pending", traceparent],
        [running, "running", null]
      ]);
    })
  );
};

export const waiting = (it: StoreTests): void => {
  it.effect("accounts with waiting runs are listed in id order, page by page", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const prefix = uniqueId("acc");
      const ids = ["a", "b", "c", "d"].map((letter) => `${prefix}_${letter}`);
      // The third has no waiting runs: all of its runs have a slot.
      for (const [index, id] of ids.entries()) {
        yield* openAccount({ id, balance: 10_000 });
        yield* Effect.forEach(Array.from({ length: index === 2 ? 2 : 5 }), () =>
          submit(id, sampleSubmit(id))
        );
      }
      const found = (after: string, limit: number) =>
        Effect.map(store.findWaitingAccounts({ after, limit }), (page) =>
          page.filter((id) => id.startsWith(prefix))
        );
      const [first = "", second = "", , last = ""] = ids;
      assert.deepStrictEqual(yield* found(prefix, 2), [first, second]);
      assert.deepStrictEqual(yield* found(second, 1), [last]);
      assert.deepStrictEqual(yield* found("", 10_000), [first, second, last]);
    })
  );
};

export const counts = (it: StoreTests): void => {
  it.effect("waiting and running extractions are counted by status and kind, ended ones are not", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const accountId = yield* openAccount({ balance: 10_000 });
      const countsOf = Effect.map(store.countLive, (found) =>
        Object.fromEntries(found.map(({ status, kind, count }) => [`${status} ${kind}`, count]))
      );
      const before = yield* countsOf;
      const seen = { kind: "photos", title: null, durationSeconds: null, imageCount: 3 } as const;
      const submitted = yield* Effect.forEach(Array.from({ length: 4 }), () =>
        submit(accountId, sampleSubmit(accountId, { seen }))
      );
      const [first = ""] = submitted.map(({ extraction }) => extraction.id);
      yield* start(accountId, first);
      yield* insert(finished(accountId, uniqueId("key"), { seen }));
      const after = yield* countsOf;
      const grown = (key: string) => (after[key] ?? 0) - (before[key] ?? 0);
      assert.deepStrictEqual(
        ["queued photos", "pending photos", "running photos", "complete photos", "running video"].map(grown),
        [2, 1, 1, 0, 0]
      );
    })
  );

  it.effect("failed extractions are counted by reason from a time on", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const accountId = yield* openAccount({ balance: 10_000 });
      const sinceMs = Date.UTC(2031, 0, 1);
      const before = yield* store.countFailures(sinceMs);
      for (const nowMs of [sinceMs - 1, sinceMs, sinceMs]) {
        const { extraction } = yield* submit(accountId, sampleSubmit(accountId, { nowMs }));
        yield* store.transact(accountId, decideCancel(extraction.id, nowMs));
      }
      const after = yield* store.countFailures(sinceMs);
      assert.strictEqual((after.get("cancelled") ?? 0) - (before.get("cancelled") ?? 0), 2);
      assert.isUndefined(after.get("private"));
    })
  );
};

export const apiKeys = (it: StoreTests): void => {
  it.effect("an API key is found by its hash until it is revoked permanently", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const accountId = yield* openAccount();
      const record = sampleApiKey(accountId, { dailyCredits: 500 });
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

  it.effect("the last use of an API key is recorded to the minute", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const record = sampleApiKey(yield* openAccount());
      yield* store.createApiKey(record);
      const START_MS = 1_700_000_000_000;
      const lastUse = Effect.map(store.listApiKeys(record.accountId), ([key]) => key?.lastUsedAtMs);
      yield* store.findApiKey(record.hash);
      assert.isNull(yield* lastUse);
      for (const [atMs, expected] of [
        [START_MS, START_MS],
        [START_MS + LAST_USE_INTERVAL_MS - 1, START_MS],
        [START_MS + LAST_USE_INTERVAL_MS, START_MS + LAST_USE_INTERVAL_MS]
      ] as const) {
        const found = yield* store.findApiKey(record.hash, atMs);
        assert.strictEqual(Option.getOrNull(found)?.lastUsedAtMs, expected);
        assert.strictEqual(yield* lastUse, expected);
      }
    })
  );

  it.effect("an API key for an unknown account is rejected", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const failure = yield* Effect.flip(store.createApiKey(sampleApiKey(uniqueId("acc"))));
      assert.strictEqual(failure._tag, "NotFound");
    })
  );

  it.effect("an account's API keys are listed newest first, without revoked ones and those of others", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const [accountId, otherAccount] = [yield* openAccount(), yield* openAccount()];
      const keyOf = (of: string, createdAtMs: number, start: string) =>
        sampleApiKey(of, { start, createdAtMs });
      const oldest = keyOf(accountId, 1_000, "wnw_0000");
      const tied = [keyOf(accountId, 2_000, "wnw_aaaa"), keyOf(accountId, 2_000, "wnw_bbbb")];
      const revoked = keyOf(accountId, 3_000, "wnw_cccc");
      const others = keyOf(otherAccount, 4_000, "wnw_dddd");
      yield* Effect.forEach([...tied, oldest, revoked, others], store.createApiKey);
      yield* store.revokeApiKey(revoked.id);
      const expected = [...tied.toSorted((left, right) => (left.id < right.id ? 1 : -1)), oldest];
      assert.deepStrictEqual(yield* store.listApiKeys(accountId), expected);
      assert.deepStrictEqual(yield* store.listApiKeys(otherAccount), [others]);
      assert.deepStrictEqual(yield* store.listApiKeys(uniqueId("acc")), []);
    })
  );
};

export const accounts = (it: StoreTests): void => {
  it.effect("accounts are listed newest first and found by part of their name or by id", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const mark = uniqueId("mark");
      const createdAtMs = 1_600_000_000_000;
      const ids = yield* Effect.forEach([1, 3, 2], (at) =>
        openAccount({ name: `Desk ${mark} 100%`, createdAtMs: createdAtMs + at })
      );
      const [first = "", newest = "", middle = ""] = ids;
      const list = (text: string, after: ExtractionPosition | null = null, limit = 10) =>
        Effect.map(store.listAccounts({ after, limit, text }), (found) => found.map(({ id }) => id));
      assert.deepStrictEqual(yield* list(`${mark.toUpperCase()} 100%`), [newest, middle, first]);
      assert.deepStrictEqual(yield* list(mark, null, 1), [newest]);
      assert.deepStrictEqual(yield* list(mark, { createdAtMs: createdAtMs + 3, id: newest }), [
        middle,
        first
      ]);
      assert.deepStrictEqual(yield* list(first), [first]);
      assert.deepStrictEqual(yield* list(`${mark}_100`), []);
      for (const odd of ["\0", `${mark}\0`, "\ud800"]) assert.deepStrictEqual(yield* list(odd), []);
      assert.lengthOf(yield* store.listAccounts({ after: null, limit: 2, text: null }), 2);
    })
  );

  it.effect("an account whose id could not be stored is unknown, as one that is not there", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      for (const id of ["acc_none", "acc_\0", "acc_\ud800"]) {
        assert.isTrue(Option.isNone(yield* store.getAccount(id)), id);
        assert.strictEqual((yield* Effect.flip(viewOf(id)))._tag, "NotFound", id);
      }
    })
  );
};

export const secrets = (it: StoreTests): void => {
  it.effect("concurrent callers that store a secret all get the same one", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const name = uniqueId("secret");
      const fresh = Array.from({ length: 20 }, () => uniqueId("value"));
      const stored = yield* Effect.forEach(fresh, (value) => store.keepSecret(name, value), {
        concurrency: 20
      });
      assert.lengthOf(new Set(stored), 1);
      assert.include(fresh, stored[0]);
      assert.strictEqual(yield* store.keepSecret(name, "later"), stored[0]);
      assert.strictEqual(yield* store.keepSecret(uniqueId("secret"), "other"), "other");
    })
  );

  it.effect("the store responds to a ping", () => Store.use((store) => store.ping));
};
