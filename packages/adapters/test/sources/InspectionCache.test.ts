import { CurrentRun, runFor } from "@winnow/core/ports/CurrentRun";
import { assert, describe, it } from "@effect/vitest";
import type { InspectOptions } from "@winnow/core/ports/Downloader";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as TestClock from "effect/testing/TestClock";
import type { Failed } from "@winnow/core/domain/source/Failed";
import { DEFAULT_LIMITS } from "../../src/sources/DownloadLimits.ts";
import { failed } from "../../src/sources/failures/classify.ts";
import { webpageFacts } from "../../src/sources/metadata/facts.ts";
import type { Inspection } from "../../src/sources/inspect/Inspection.ts";
import {
  FAILED_INSPECTION_TTL_MS,
  INSPECTION_TTL_MS,
  type Inspect,
  type InspectionCache,
  permitsOf,
  makeInspectionCache,
  QUEUED_MAX,
  QUEUED_OF_ACCOUNT_MAX
} from "../../src/sources/inspect/InspectionCache.ts";
import { type FairPermits, makeFairPermits } from "@winnow/isolation/runtime/FairPermits";
import type { PageReading } from "@winnow/pages/facts/PageReading";

const page: PageReading = {
  kind: "webpage",
  text: {
    plain: "words",
    markdown: "words",
    sections: [],
    links: [],
    confidence: 1,
    wholePage: null,
    pageCount: null,
    scannedPages: []
  },
  metadata: {
    title: "t",
    uploader: null,
    uploadDate: null,
    description: null,
    thumbnail: null,
    durationSeconds: null,
    viewCount: null,
    likeCount: null,
    commentCount: null,
    language: null,
    canonicalUrl: null,
    details: {}
  },
  media: { images: [], videoUrls: [], subtitles: [], subtitleLabels: [] },
  loginWall: false,
  needsBrowser: false,
  refreshUrl: null
};

const lookAt = (url: string): Inspection => ({
  facts: webpageFacts(url, page.metadata),
  details: {},
  source: { _tag: "Webpage", page },
  inspectedAtMs: 0,
  way: { route: "default", ytDlp: "yt-dlp" }
});

/** A cache that is asked in runs of an account. */
const inRuns = ({ get, renew }: InspectionCache) => ({
  get: (url: string, options: InspectOptions, accountId = "acc_test") =>
    Effect.provideService(get(url, options), CurrentRun, runFor(accountId)),
  renew: (...given: Parameters<typeof renew>) =>
    Effect.provideService(renew(...given), CurrentRun, runFor("acc_test"))
});

/** Counts inspections; each waits until the test ends it. */
const counting = Effect.fnUntraced(function* (permits: FairPermits) {
  const state = { started: 0, interrupted: 0 };
  // At time 0, the cache's entries have no age.
  yield* TestClock.adjust(1);
  const end = yield* Deferred.make<void, Failed>();
  const cache = yield* makeInspectionCache(permits, (url) =>
    Effect.gen(function* () {
      state.started += 1;
      yield* Deferred.await(end);
      return lookAt(url);
    }).pipe(Effect.onInterrupt(() => Effect.sync(() => (state.interrupted += 1))))
  );
  return { cache: inRuns(cache), state, end };
});

const counted = Effect.suspend(() => counting(makeFairPermits(8)));

/** Yields until this many inspections have started. */
const startedInspections = (state: { readonly started: number }, count: number) =>
  Effect.suspend(() => (state.started === count ? Effect.void : Effect.fail("not yet"))).pipe(
    Effect.tapError(() => Effect.yieldNow),
    Effect.retry({ times: 100 })
  );

describe("InspectionCache", () => {
  it.effect("concurrent inspections, and those within ten minutes, are shared", () =>
    Effect.gen(function* () {
      const { cache, end, state } = yield* counted;
      const waiting = yield* Effect.forkChild(
        Effect.all([cache.get("a", {}), cache.get("a", {}), cache.get("b", {})], { concurrency: 3 })
      );
      yield* startedInspections(state, 2);
      yield* Deferred.succeed(end, undefined);
      yield* Fiber.join(waiting);
      yield* TestClock.adjust(INSPECTION_TTL_MS);
      yield* cache.get("a", {});
      assert.strictEqual(state.started, 2);
      yield* TestClock.adjust(1);
      yield* cache.get("a", {});
      assert.strictEqual(state.started, 3);
    }).pipe(Effect.scoped)
  );

  it.effect("a failure is cached for a few seconds only", () =>
    Effect.gen(function* () {
      const { cache, end, state } = yield* counted;
      yield* Deferred.fail(end, failed("removed"));
      assert.deepInclude(yield* Effect.flip(cache.get("a", {})), {
        reason: "removed"
      });
      yield* Effect.flip(cache.get("a", {}));
      assert.strictEqual(state.started, 1);
      yield* TestClock.adjust(FAILED_INSPECTION_TTL_MS + 1);
      yield* Effect.flip(cache.get("a", {}));
      assert.strictEqual(state.started, 2);
    }).pipe(Effect.scoped)
  );

  it.effect("a caller that leaves does not affect the others; the last one stops the inspection", () =>
    Effect.gen(function* () {
      const { cache, state } = yield* counted;
      const first = yield* Effect.forkChild(cache.get("a", {}));
      const second = yield* Effect.forkChild(cache.get("a", {}));
      yield* startedInspections(state, 1);
      yield* Fiber.interrupt(first);
      assert.deepStrictEqual(state, { started: 1, interrupted: 0 });
      yield* Fiber.interrupt(second);
      assert.deepStrictEqual(state, { started: 1, interrupted: 1 });
      const third = yield* Effect.forkChild(cache.get("a", {}));
      yield* startedInspections(state, 2);
      yield* Fiber.interrupt(third);
    }).pipe(Effect.scoped)
  );

  it.effect("a caller that accepts no cached result gets a new inspection, or the current one", () =>
    Effect.gen(function* () {
      const { cache, end, state } = yield* counted;
      const first = yield* Effect.forkChild(cache.get("a", {}));
      yield* startedInspections(state, 1);
      yield* TestClock.adjust(1_000);
      const joined = yield* Effect.forkChild(cache.get("a", { notBeforeMs: 1_000 }), {
        startImmediately: true
      });
      yield* Deferred.succeed(end, undefined);
      yield* Effect.all([Fiber.join(first), Fiber.join(joined)]);
      yield* cache.get("a", { notBeforeMs: 0 });
      assert.strictEqual(state.started, 1);
      yield* cache.get("a", { notBeforeMs: 1_000 });
      assert.strictEqual(state.started, 2);
      yield* cache.get("a", { notBeforeMs: 1_000 });
      yield* cache.get("a", {});
      assert.strictEqual(state.started, 2);
    }).pipe(Effect.scoped)
  );

  it.effect("bursts of five accounts leave room for another's inspection, with the limits of downloads", () =>
    Effect.gen(function* () {
      const { cache, state } = yield* counting(permitsOf(DEFAULT_LIMITS));
      const { inspectionsOfAccountMax } = DEFAULT_LIMITS;
      for (let account = 0; account < 5; account++) {
        for (let page = 0; page < 16; page++) {
          yield* Effect.forkChild(cache.get(`${account}-${page}`, {}, `burst${account}`));
        }
      }
      yield* startedInspections(state, 5 * inspectionsOfAccountMax);
      yield* Effect.forkChild(cache.get("other", {}, "other"));
      yield* startedInspections(state, 5 * inspectionsOfAccountMax + 1);
    }).pipe(Effect.scoped)
  );

  it.effect("waiting does not count towards the time limit of an inspection", () =>
    Effect.gen(function* () {
      const { cache, end, state } = yield* counted;
      for (let index = 0; index < 4; index++) {
        yield* Effect.forkChild(cache.get(`slow ${index}`, {}));
      }
      yield* startedInspections(state, 4);
      const mine = yield* Effect.forkChild(cache.get("mine", { timeoutMs: 10_000, waitMaxMs: 60_000 }));
      yield* TestClock.adjust(50_000);
      yield* Deferred.succeed(end, undefined);
      assert.strictEqual((yield* Fiber.join(mine)).facts.webpageUrl, "mine");
    }).pipe(Effect.scoped)
  );

  it.effect("a slow inspection is `timeout`, waiting too long is `Busy`", () =>
    Effect.gen(function* () {
      const { cache, state } = yield* counted;
      for (let index = 0; index < 4; index++) {
        yield* Effect.forkChild(cache.get(`slow ${index}`, {}));
      }
      const limits = { timeoutMs: 10_000, waitMaxMs: 20_000 };
      const began = yield* Effect.forkChild(Effect.flip(cache.get("slow 0", limits)));
      const waits = yield* Effect.forkChild(Effect.flip(cache.get("mine", limits)));
      yield* startedInspections(state, 4);
      yield* TestClock.adjust(10_000);
      assert.deepInclude(yield* Fiber.join(began), { _tag: "Failed", reason: "timeout" });
      yield* TestClock.adjust(10_000);
      assert.deepInclude(yield* Fiber.join(waits), { _tag: "Busy" });
      assert.deepStrictEqual(state, { started: 4, interrupted: 0 });
    }).pipe(Effect.scoped)
  );

  it.effect("a limit of the work alone, or of the wait alone, ends either", () =>
    Effect.gen(function* () {
      const { cache, state } = yield* counted;
      for (let index = 0; index < 4; index++) {
        yield* Effect.forkChild(cache.get(`slow ${index}`, {}));
      }
      const began = yield* Effect.forkChild(Effect.flip(cache.get("slow 0", { timeoutMs: 10_000 })));
      const waits = yield* Effect.forkChild(Effect.flip(cache.get("mine", { waitMaxMs: 10_000 })));
      yield* startedInspections(state, 4);
      yield* TestClock.adjust(10_000);
      assert.deepInclude(yield* Fiber.join(began), { _tag: "Failed", reason: "timeout" });
      assert.deepInclude(yield* Fiber.join(waits), { _tag: "Busy" });
    }).pipe(Effect.scoped)
  );

  it.effect("a full queue immediately refuses callers with a time limit, and only them", () =>
    Effect.gen(function* () {
      const { cache, end, state } = yield* counted;
      const asked = 4 + QUEUED_OF_ACCOUNT_MAX;
      for (let index = 0; index < asked; index++) {
        yield* Effect.forkChild(cache.get(`burst ${index}`, {}), {
          startImmediately: true
        });
      }
      const limits = { timeoutMs: 10_000, waitMaxMs: 20_000 };
      const refused = yield* Effect.flip(cache.get("one more", limits));
      assert.deepInclude(refused, { _tag: "Busy", retryAfterSeconds: 10 });
      yield* Effect.forkChild(cache.get("of a run", {}));
      yield* Effect.forkChild(cache.get("of another", limits, "other"));
      yield* startedInspections(state, 5);
      yield* Deferred.succeed(end, undefined);
      yield* startedInspections(state, asked + 2);
    }).pipe(Effect.scoped)
  );

  it.effect("a queue full of other accounts' callers refuses nobody who is not in it", () =>
    Effect.gen(function* () {
      const { cache, end } = yield* counted;
      const limits = { timeoutMs: 10_000, waitMaxMs: 20_000 };
      let refused = 0;
      for (let index = 0; index < QUEUED_MAX + 2 * QUEUED_OF_ACCOUNT_MAX; index++) {
        const accountId = `burst${Math.floor(index / QUEUED_OF_ACCOUNT_MAX)}`;
        const inspection = cache.get(`burst ${index}`, limits, accountId);
        yield* Effect.forkChild(
          Effect.tapError(inspection, () => Effect.sync(() => (refused += 1))),
          { startImmediately: true }
        );
      }
      assert.isAbove(refused, 0);
      const waits = yield* Effect.forkChild(cache.get("mine", limits, "newcomer"), {
        startImmediately: true
      });
      yield* Deferred.succeed(end, undefined);
      assert.strictEqual((yield* Fiber.join(waits)).facts.webpageUrl, "mine");
    }).pipe(Effect.scoped)
  );

  it.effect("a caller leaves the queue if another one starts the same inspection", () =>
    Effect.gen(function* () {
      const { cache, end, state } = yield* counted;
      for (let index = 0; index < 4; index++) {
        yield* Effect.forkChild(cache.get(`slow ${index}`, {}, "busy"));
      }
      const waits = yield* Effect.forkChild(cache.get("same", {}, "busy"));
      yield* startedInspections(state, 4);
      yield* Effect.forkChild(cache.get("same", {}, "free"));
      yield* startedInspections(state, 5);
      yield* Deferred.succeed(end, undefined);
      yield* Fiber.join(waits);
      assert.strictEqual(state.started, 5);
    }).pipe(Effect.scoped)
  );

  it.effect("an inspection that waits for something else lends out its permit, and its clock stops", () =>
    Effect.gen(function* () {
      const state = { started: 0 };
      const browser = yield* Deferred.make<void>();
      const waiting: Inspect = (url, turn) =>
        Effect.gen(function* () {
          yield* turn.release;
          yield* turn.pause;
          state.started += 1;
          yield* Deferred.await(browser);
          yield* turn.resume;
          yield* Effect.sleep(9_000);
          return lookAt(url);
        });
      const cache = inRuns(yield* makeInspectionCache(makeFairPermits(2), waiting));
      const limits = { timeoutMs: 10_000 };
      const first = yield* Effect.forkChild(cache.get("a", { ...limits, waitMaxMs: 60_000 }));
      const second = yield* Effect.forkChild(Effect.flip(cache.get("b", { ...limits, waitMaxMs: 20_000 })));
      yield* startedInspections(state, 2);
      yield* TestClock.adjust(30_000);
      assert.deepInclude(yield* Fiber.join(second), { _tag: "Busy" });
      yield* Deferred.succeed(browser, undefined);
      yield* TestClock.adjust(9_000);
      assert.strictEqual((yield* Fiber.join(first)).facts.webpageUrl, "a");
    }).pipe(Effect.scoped)
  );

  it.effect("a renewed inspection takes the place of the old one, for all callers", () =>
    Effect.gen(function* () {
      const { cache, end, state } = yield* counted;
      yield* Deferred.succeed(end, undefined);
      yield* cache.get("a", {});
      const renewed = yield* cache.renew("a", {}, () =>
        Effect.map(CurrentRun, ({ accountId }) => ({ ...lookAt("b"), way: { route: accountId, ytDlp: "" } }))
      );
      assert.strictEqual(renewed.way.route, "acc_test");
      assert.strictEqual(yield* cache.get("a", {}), renewed);
      assert.strictEqual(state.started, 1);
    }).pipe(Effect.scoped)
  );
});
