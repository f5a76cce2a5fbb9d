import { assert, describe, it } from "@effect/vitest";
import type { DownloadFailed } from "@winnow/core/ports/Downloader";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as TestClock from "effect/testing/TestClock";
import { failed } from "../../src/download/classify.ts";
import { webpageFacts } from "../../src/download/facts.ts";
import type { Look } from "../../src/download/Look.ts";
import { FAILED_LOOK_TTL_MS, LOOK_TTL_MS, makeLookCache } from "../../src/download/LookCache.ts";
import type { PageReading } from "../../src/page/PageReading.ts";

const page: PageReading = {
  kind: "webpage",
  text: "words",
  title: "t",
  uploader: null,
  uploadDate: null,
  description: null,
  thumbnail: null,
  images: [],
  durationSeconds: null,
  viewCount: null,
  likeCount: null,
  commentCount: null,
  language: null,
  canonicalUrl: null,
  videoUrls: [],
  subtitles: [],
  loginWall: false,
  needsBrowser: false
};

const lookAt = (url: string): Look => ({
  facts: webpageFacts(url, page),
  source: { _tag: "Webpage", page },
  lookedAtMs: 0
});

/** Counts its looks; each waits until it is told how it ends. */
const counted = Effect.gen(function* () {
  const state = { started: 0, interrupted: 0 };
  const end = yield* Deferred.make<void, DownloadFailed>();
  const cache = yield* makeLookCache((url) =>
    Effect.gen(function* () {
      state.started += 1;
      yield* Deferred.await(end);
      return lookAt(url);
    }).pipe(Effect.onInterrupt(() => Effect.sync(() => (state.interrupted += 1))))
  );
  return { cache, state, end };
});

/** Lets the other fibers run until so many looks have begun. */
const startedLooks = (state: { readonly started: number }, count: number) =>
  Effect.suspend(() => (state.started === count ? Effect.void : Effect.fail("not yet"))).pipe(
    Effect.tapError(() => Effect.yieldNow),
    Effect.retry({ times: 100 })
  );

describe("LookCache", () => {
  it.effect("looks at the same time and within ten minutes are one", () =>
    Effect.gen(function* () {
      const { cache, end, state } = yield* counted;
      const waiting = yield* Effect.forkChild(
        Effect.all([cache.get("a"), cache.get("a"), cache.get("b")], { concurrency: 3 })
      );
      yield* startedLooks(state, 2);
      yield* Deferred.succeed(end, undefined);
      yield* Fiber.join(waiting);
      yield* TestClock.adjust(LOOK_TTL_MS - 1);
      yield* cache.get("a");
      assert.strictEqual(state.started, 2);
      yield* TestClock.adjust(1);
      yield* cache.get("a");
      assert.strictEqual(state.started, 3);
    }).pipe(Effect.scoped)
  );

  it.effect("a failure is kept for a few seconds only", () =>
    Effect.gen(function* () {
      const { cache, end, state } = yield* counted;
      yield* Deferred.fail(end, failed("removed"));
      assert.strictEqual((yield* Effect.flip(cache.get("a"))).reason, "removed");
      yield* Effect.flip(cache.get("a"));
      assert.strictEqual(state.started, 1);
      yield* TestClock.adjust(FAILED_LOOK_TTL_MS);
      yield* Effect.flip(cache.get("a"));
      assert.strictEqual(state.started, 2);
    }).pipe(Effect.scoped)
  );

  it.effect("one who leaves does not disturb the others; the last one stops the look", () =>
    Effect.gen(function* () {
      const { cache, state } = yield* counted;
      const first = yield* Effect.forkChild(cache.get("a"));
      const second = yield* Effect.forkChild(cache.get("a"));
      yield* startedLooks(state, 1);
      yield* Fiber.interrupt(first);
      assert.deepStrictEqual(state, { started: 1, interrupted: 0 });
      yield* Fiber.interrupt(second);
      assert.deepStrictEqual(state, { started: 1, interrupted: 1 });
      const third = yield* Effect.forkChild(cache.get("a"));
      yield* startedLooks(state, 2);
      yield* Fiber.interrupt(third);
    }).pipe(Effect.scoped)
  );

  it.effect("who wants nothing older than now gets a new look, or the one under way", () =>
    Effect.gen(function* () {
      const { cache, end, state } = yield* counted;
      const first = yield* Effect.forkChild(cache.get("a"));
      yield* startedLooks(state, 1);
      yield* TestClock.adjust(1_000);
      const joined = yield* Effect.forkChild(cache.get("a", 1_000), { startImmediately: true });
      yield* Deferred.succeed(end, undefined);
      yield* Effect.all([Fiber.join(first), Fiber.join(joined)]);
      yield* cache.get("a", 0);
      assert.strictEqual(state.started, 1);
      yield* cache.get("a", 1_000);
      assert.strictEqual(state.started, 2);
      yield* cache.get("a", 1_000);
      yield* cache.get("a");
      assert.strictEqual(state.started, 2);
    }).pipe(Effect.scoped)
  );

  it.effect("a forgotten look is looked at again", () =>
    Effect.gen(function* () {
      const { cache, end, state } = yield* counted;
      yield* Deferred.succeed(end, undefined);
      yield* cache.get("a");
      yield* cache.forget("a");
      yield* cache.get("a");
      assert.strictEqual(state.started, 2);
    }).pipe(Effect.scoped)
  );
});
