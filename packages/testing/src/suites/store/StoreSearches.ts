/** Part of StoreSuite: filtered lists, and usage by day. */
import { assert } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Result from "effect/Result";
import type { Extraction } from "@winnow/core/domain/run/Extraction";
import type { Outcome } from "@winnow/core/domain/evidence/Verdict";
import {
  fitsFilter,
  NO_BATCH,
  NO_FILTER,
  type ExtractionFilter
} from "@winnow/core/domain/result/ExtractionList";
import { decideCancel } from "@winnow/core/domain/result/Settlement";
import type { SourceKind } from "@winnow/core/domain/source/SourceFacts";
import { dailyCreditsReached, decideSubmit } from "@winnow/core/domain/run/Submission";
import { DAY_MS } from "@winnow/core/domain/Durations";
import { Store, type ExtractionPosition } from "@winnow/core/ports/Store";
import {
  sampleExtraction,
  sampleFacts,
  sampleRequest,
  sampleResult,
  sampleSeen,
  sampleSubmit,
  uniqueId
} from "../../samples/samples.ts";
import { COST, openAccount, runThrough, submit, type StoreTests, write } from "../../samples/StoreSteps.ts";

const STATUSES = ["complete", "failed", "complete", "queued"] as const;
const OUTCOMES: ReadonlyArray<Outcome | null> = ["ok", null, "no_match", "uncertain", null];
const KINDS: ReadonlyArray<SourceKind> = ["video", "photos", "webpage"];
const TITLES = ["Straße im REGEN", "a talk", null, "nul \0 and \ud800 in it", "100 % of_it"] as const;

const START_MS = 1_700_000_000_000;

/** Every 60th has the same values. */
const variant = (accountId: string, index: number): Extraction => {
  const id = uniqueId("ext");
  const status = STATUSES[index % STATUSES.length] ?? "complete";
  const kind = KINDS[index % KINDS.length] ?? "video";
  const title = TITLES[index % TITLES.length] ?? null;
  const result = sampleResult(id, {
    facts: sampleFacts({ kind, title }),
    outcome: OUTCOMES[index % OUTCOMES.length] ?? null
  });
  return sampleExtraction(accountId, {
    id,
    status,
    request: sampleRequest({ url: `https://example.com/Watch/${index % 7}` }),
    requester: { madeBy: "web", apiKeyId: null, apiKeyName: null },
    seen: status === "complete" ? null : { kind, title: "a talk", durationSeconds: 12, imageCount: 0 },
    result: status === "complete" ? result : null,
    completedAtMs: status === "queued" ? null : START_MS,
    batchId: index % 11 < 4 ? "bat_searched" : null,
    createdAtMs: START_MS + index
  });
};

const FILTERS: ReadonlyArray<Partial<ExtractionFilter>> = [
  { status: "failed" },
  { status: "running" },
  { outcome: "no_match" },
  { kind: "photos" },
  { sinceMs: START_MS + 40 },
  { batchId: "bat_searched" },
  { batchId: NO_BATCH },
  // No word for "none": an id like any other.
  { schemaId: NO_BATCH },
  { batchId: NO_BATCH, status: "complete", kind: "photos" },
  { text: "strasse" },
  { text: "straße" },
  { text: "% of_" },
  { text: "/watch/3" },
  { text: "watch_3" },
  { status: "complete", kind: "webpage" },
  { status: "complete", outcome: "uncertain", text: "talk" },
  { status: "queued", kind: "video", sinceMs: START_MS + 20, text: "example.com" }
];

const everyPage = Effect.fnUntraced(function* (accountId: string, filter: ExtractionFilter) {
  const store = yield* Store;
  const seen: Array<Extraction> = [];
  let after: ExtractionPosition | null = null;
  for (;;) {
    const page: Effect.Success<ReturnType<typeof store.searchExtractions>> = yield* store.searchExtractions(
      accountId,
      { after, limit: 3, filter }
    );
    seen.push(...page.extractions);
    const next: ExtractionPosition | undefined = page.searchedTo ?? page.extractions[2];
    if (next === undefined) return seen;
    after = { createdAtMs: next.createdAtMs, id: next.id };
  }
});

export const searches = (it: StoreTests): void => {
  it.effect("filters combine over all pages without missing a match", () =>
    Effect.gen(function* () {
      const [accountId, otherAccount] = [yield* openAccount(), yield* openAccount()];
      const rows = Array.from({ length: 60 }, (_, index) => variant(accountId, index));
      const others = variant(otherAccount, 0);
      for (const [owner, inserted] of [
        [accountId, rows],
        [otherAccount, [others]]
      ] as const) {
        yield* write(owner, { inserted });
      }
      const newestFirst = rows.toReversed();
      for (const conditions of FILTERS) {
        const filter = { ...NO_FILTER, ...conditions };
        const found = yield* everyPage(accountId, filter);
        const expected = newestFirst.filter(fitsFilter(filter));
        assert.deepStrictEqual(found, expected, JSON.stringify(conditions));
      }
      const found = yield* everyPage(accountId, { ...NO_FILTER, text: "strasse" });
      assert.strictEqual(found.length, 0, "ss does not match ß");
      assert.isAbove((yield* everyPage(accountId, { ...NO_FILTER, text: "straße" })).length, 0);
    })
  );

  it.effect("a page ends with the extraction that reaches its bytes, and continues after it", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const accountId = yield* openAccount();
      const inserted = Array.from({ length: 7 }, (_, index) => {
        const row = variant(accountId, index);
        // Escapes, so that bytes are not characters.
        const request = sampleRequest({ prompt: 'é"'.repeat(index === 3 ? 40_000 : 10) });
        return { ...row, request, status: index === 1 ? ("failed" as const) : ("complete" as const) };
      });
      yield* write(accountId, { inserted });
      const pagesOf = Effect.fnUntraced(function* (maxBytes: number, filter: Partial<ExtractionFilter>) {
        const lengths: Array<number> = [];
        let after: ExtractionPosition | null = null;
        do {
          const page: Effect.Success<ReturnType<typeof store.searchExtractions>> =
            yield* store.searchExtractions(accountId, {
              after,
              limit: 5,
              maxBytes,
              filter: { ...NO_FILTER, ...filter }
            });
          lengths.push(page.extractions.length);
          const next: ExtractionPosition | undefined = page.searchedTo ?? page.extractions[4];
          after = next === undefined ? null : { createdAtMs: next.createdAtMs, id: next.id };
        } while (after !== null);
        return lengths;
      });
      assert.deepStrictEqual(yield* pagesOf(100_000, {}), [4, 3]);
      assert.deepStrictEqual(yield* pagesOf(100_000, { status: "complete" }), [4, 2]);
      assert.deepStrictEqual(yield* pagesOf(1, { kind: "video" }), [1, 1, 1, 0].slice(0, 3));
      assert.deepStrictEqual(yield* pagesOf(10_000_000, {}), [5, 2]);
    })
  );

  it.effect("an extraction is found by its run's title, in its current state", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const accountId = yield* openAccount({ balance: 1_000 });
      const { extraction } = yield* submit(
        accountId,
        sampleSubmit(accountId, {
          seen: { kind: "webpage", title: "Before", durationSeconds: null, imageCount: 0 }
        })
      );
      const find = (conditions: Partial<ExtractionFilter>) =>
        Effect.map(
          store.searchExtractions(accountId, {
            after: null,
            limit: 5,
            filter: { ...NO_FILTER, ...conditions }
          }),
          ({ extractions }) => extractions.map(({ id }) => id)
        );
      assert.deepStrictEqual(yield* find({ text: "before", kind: "webpage" }), [extraction.id]);
      assert.isTrue(yield* runThrough(accountId, extraction.id));
      assert.deepStrictEqual(yield* find({ text: "before" }), []);
      assert.deepStrictEqual(yield* find({ text: "a talk", kind: "video", status: "complete" }), [
        extraction.id
      ]);
    })
  );
};

export const usage = (it: StoreTests): void => {
  it.effect(
    "a decision sees its key's usage of the day, and concurrent submits do not exceed the limit",
    () =>
      Effect.gen(function* () {
        const store = yield* Store;
        const accountId = yield* openAccount({ balance: 10_000 });
        const nowMs = Date.UTC(2026, 0, 6, 12);
        const apiKeyId = uniqueId("key");
        const requester = { madeBy: "api", apiKeyId, apiKeyName: "Laptop" } as const;
        const attempt = (atMs: number) =>
          store.transact(
            accountId,
            decideSubmit(sampleSubmit(accountId, { nowMs: atMs, requester, dailyCredits: 3 * COST }))
          );
        const exits = yield* Effect.forEach(Array.from({ length: 8 }), () => Effect.result(attempt(nowMs)), {
          concurrency: 8
        });
        const refused = exits.filter(Result.isFailure);
        assert.lengthOf(refused, 5);
        const reached = dailyCreditsReached(
          {
            dailyCredits: 3 * COST,
            usedToday: 3 * COST,
            balance: 10_000 - 3 * COST,
            cost: COST
          },
          "run"
        );
        for (const { failure } of refused) assert.deepStrictEqual(failure, reached);
        const made = exits.find(Result.isSuccess);
        const extractionId = made?.success.value.extraction.id ?? "";
        yield* store.transact(accountId, decideCancel(extractionId, nowMs));
        yield* attempt(nowMs);
        assert.deepStrictEqual(yield* Effect.flip(attempt(nowMs)), reached);
        const tomorrowMs = nowMs + DAY_MS;
        yield* attempt(tomorrowMs);
        // A refund does not enlarge what the key may spend on a later day than the debit's.
        const other = exits.filter(Result.isSuccess)[1]?.success.value.extraction.id ?? "";
        yield* store.transact(accountId, decideCancel(other, tomorrowMs));
        yield* attempt(tomorrowMs);
        yield* attempt(tomorrowMs);
        assert.strictEqual((yield* Effect.flip(attempt(tomorrowMs)))._tag, "InsufficientCredits");
      })
  );

  it.effect("usage is counted by schema too, and a key's use of a day is that with all of them", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const accountId = yield* openAccount({ balance: 1_000 });
      const nowMs = Date.UTC(2026, 0, 5);
      const requester = { madeBy: "api", apiKeyId: "key_a", apiKeyName: "a" } as const;
      for (const id of [null, "sch_1", "sch_2", "sch_1"]) {
        const sample = sampleSubmit(accountId, { nowMs, requester });
        const schemaOrigin = id === null ? null : { id, version: 1, prompt: null };
        yield* submit(accountId, { ...sample, request: { ...sample.request, schemaOrigin } });
      }
      const day = "2026-01-05";
      assert.deepStrictEqual(yield* store.listSchemaUsage(accountId, day), [
        { day, schemaId: null, runs: 1, debited: COST, refunded: 0 },
        { day, schemaId: "sch_1", runs: 2, debited: 2 * COST, refunded: 0 },
        { day, schemaId: "sch_2", runs: 1, debited: COST, refunded: 0 }
      ]);
      assert.deepStrictEqual(yield* store.listUsage(accountId, day), [
        { day, apiKeyId: "key_a", runs: 4, debited: 4 * COST, refunded: 0 }
      ]);
    })
  );

  it.effect("usage is counted by part of the price, to the credit, and survives deletions", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const accountId = yield* openAccount({ balance: 1_000 });
      const [nowMs, later] = [Date.UTC(2026, 0, 5), Date.UTC(2026, 0, 6)];
      const seen = sampleSeen({ kind: "video", durationMs: 213_000, imageCount: 0 });
      const request = sampleRequest({ mode: "ai", modalities: ["transcript", "comments"] });
      const [kept, cancelled] = [uniqueId("ext"), uniqueId("ext")];
      for (const [id, apiKeyId] of [
        [kept, null],
        [cancelled, null],
        [uniqueId("ext"), "key_a"]
      ] as const) {
        const requester = { madeBy: "api", apiKeyId, apiKeyName: apiKeyId } as const;
        yield* submit(accountId, sampleSubmit(accountId, { id, nowMs, seen, request, requester }));
      }
      yield* submit(accountId, sampleSubmit(accountId, { nowMs: later }));
      yield* store.transact(accountId, decideCancel(cancelled, later));
      yield* store.deleteExtraction(accountId, cancelled);
      const day = "2026-01-05";
      const next = { day: "2026-01-06", part: "base", debited: COST, refunded: 0 } as const;
      assert.deepStrictEqual(yield* store.listPartUsage(accountId, day), [
        { day, part: "base", debited: 3 * COST, refunded: COST },
        { day, part: "breakdown.text", debited: 321, refunded: 107 },
        { day, part: "downloadBreakdown.comments", debited: 60, refunded: 20 },
        { day, part: "downloadBreakdown.transcript", debited: 30, refunded: 10 },
        next
      ]);
      assert.deepStrictEqual(yield* store.listPartUsage(accountId, next.day), [next]);
      assert.deepStrictEqual(yield* store.listPartUsage(yield* openAccount(), day), []);
    })
  );

  it.effect("usage is counted by day and key and survives the deletion of extractions", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const accountId = yield* openAccount({ balance: 1_000 });
      const [monday, tuesday] = [Date.UTC(2026, 0, 5, 23, 59), Date.UTC(2026, 0, 6)];
      const ids: Array<string> = [];
      for (const [nowMs, apiKeyId] of [
        [monday, null],
        [monday, "key_a"],
        [tuesday, "key_a"]
      ] as const) {
        const requester = { madeBy: "api", apiKeyId, apiKeyName: apiKeyId } as const;
        const made = yield* submit(accountId, sampleSubmit(accountId, { nowMs, requester }));
        ids.push(made.extraction.id);
      }
      const [, cancelled = ""] = ids;
      yield* store.transact(accountId, decideCancel(cancelled, tuesday));
      yield* store.deleteExtraction(accountId, cancelled);
      const days = [
        { day: "2026-01-05", apiKeyId: null, runs: 1, debited: COST, refunded: 0 },
        { day: "2026-01-05", apiKeyId: "key_a", runs: 1, debited: COST, refunded: COST },
        { day: "2026-01-06", apiKeyId: "key_a", runs: 1, debited: COST, refunded: 0 }
      ];
      assert.deepStrictEqual(yield* store.listUsage(accountId, "2026-01-01"), days);
      assert.deepStrictEqual(yield* store.listUsage(accountId, "2026-01-06"), days.slice(2));
      assert.deepStrictEqual(yield* store.listUsage(yield* openAccount(), "2026-01-01"), []);
    })
  );
};
