import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as TestClock from "effect/testing/TestClock";
import { ContentUnavailable, Unreachable, NotFound } from "../../../src/domain/request/Refusal.ts";
import { Probes } from "../../../src/engine/extractions/Probes.ts";
import * as FakeAnalyst from "@winnow/testing/fakes/FakeAnalyst";
import { refuses } from "@winnow/testing/fakes/FakeDownloader";
import { sampleFacts } from "@winnow/testing/samples/samples";
import { ARTICLE, CAROUSEL, openAccount, probe, runToEnd, SOURCES, submit, VIDEO, world } from "../World.ts";

const SCHEMA = { type: "object", minProperties: 1 };

describe("probe", () => {
  it.effect("returns what the source has and the price of a submit with this body", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { price, ...told } = yield* probe(accountId, { url: `${VIDEO}#x`, parts: ["transcript"] });
      assert.deepInclude(told, { url: `${VIDEO}#x`, durationSec: 213, hasSubtitles: true });
      assert.deepStrictEqual(told.thumbnail, { url: VIDEO });
      const { extraction } = yield* submit(accountId, { url: VIDEO, parts: ["transcript"] });
      assert.strictEqual(price.credits, extraction.creditsDebited);
    }).pipe(Effect.provide(world()))
  );

  it.effect("an article and a carousel have no duration", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const article = yield* probe(accountId, { url: ARTICLE, schema: SCHEMA });
      assert.deepStrictEqual([article.durationSec, article.price.credits], [null, 100]);
      const carousel = yield* probe(accountId, { url: CAROUSEL, schema: SCHEMA });
      assert.deepStrictEqual(
        [carousel.durationSec, carousel.imageCount, carousel.price.credits],
        [null, 7, 190]
      );
    }).pipe(Effect.provide(world()))
  );

  it.effect("an unknown duration is quoted at its worst case", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const quote = yield* probe(accountId, { url: VIDEO, schema: SCHEMA, inputs: ["video"] });
      assert.deepStrictEqual([quote.durationSec, quote.price.credits], [null, 800]);
    }).pipe(
      Effect.provide(world({ sources: { [VIDEO]: { facts: sampleFacts({ durationSeconds: null }) } } }))
    )
  );

  it.effect.each([
    {},
    { parts: ["video", "comments"] },
    { schema: SCHEMA },
    { schema: SCHEMA, inputs: ["audio", "video"] },
    { schema: SCHEMA, inputs: ["transcript", "audio", "video"], auto: true, maxSpendCredits: 400 }
  ])("the quote is what the submit debits: %j", (options) =>
    Effect.gen(function* () {
      for (const url of [VIDEO, CAROUSEL, ARTICLE]) {
        const accountId = yield* openAccount();
        const quote = yield* probe(accountId, { url, ...options });
        const { extraction } = yield* submit(accountId, { url, ...options });
        assert.strictEqual(extraction.creditsDebited, quote.price.credits, url);
      }
    }).pipe(Effect.provide(world({ analyst: FakeAnalyst.layer() })))
  );

  it.effect("a spending limit below the cheapest rung is rejected with the minimum", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const body = { url: VIDEO, schema: SCHEMA, auto: true, maxSpendCredits: 186 };
      const details = { param: "maxSpendCredits", reason: "below_minimum", minimumCredits: 187 };
      assert.deepInclude(yield* Effect.flip(probe(accountId, body)), { _tag: "InvalidRequest", details });
      assert.deepInclude(yield* Effect.flip(submit(accountId, body)), { _tag: "InvalidRequest", details });
    }).pipe(Effect.provide(world({ analyst: FakeAnalyst.layer() })))
  );

  it.effect("says whether a submit would be served from the cache", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      yield* runToEnd(accountId, { url: VIDEO });
      const cachedOf = (body: object) =>
        Effect.map(probe(accountId, { url: VIDEO, ...body }), ({ cached }) => cached);
      assert.isTrue(yield* cachedOf({}));
      assert.isTrue(yield* cachedOf({ policy: "best-effort" }));
      assert.isFalse(yield* cachedOf({ policy: "strict" }));
      assert.isFalse(yield* cachedOf({ force: true }));
      assert.isFalse(yield* cachedOf({ parts: ["video"] }));
    }).pipe(Effect.provide(world()))
  );

  it.effect("a reused result and one that is read again have their own picture", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { id } = yield* runToEnd(accountId, { url: VIDEO });
      const thumbnailOf = (body: object) => Effect.map(probe(accountId, body), (quote) => quote.thumbnail);
      assert.deepStrictEqual(yield* thumbnailOf({ url: VIDEO }), { extractionId: id });
      assert.deepStrictEqual(yield* thumbnailOf({ url: VIDEO, force: true }), { url: VIDEO });
      assert.deepStrictEqual(yield* thumbnailOf({ fromExtraction: id, schema: SCHEMA }), {
        extractionId: id
      });
    }).pipe(Effect.provide(world({ analyst: FakeAnalyst.layer() })))
  );

  it.effect("a picture that never comes is none", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { thumbnail } = yield* Probes;
      const asked = yield* Effect.forkChild(Effect.flip(thumbnail(accountId, VIDEO)));
      yield* TestClock.adjust("15 seconds");
      assert.deepStrictEqual(yield* Fiber.join(asked), NotFound.of("thumbnail"));
    }).pipe(
      Effect.provide(world({ sources: { [VIDEO]: { facts: sampleFacts(), beforeInspect: Effect.never } } }))
    )
  );

  it.effect.each([
    "private",
    "removed",
    "login_required",
    "age_restricted",
    "geo_restricted",
    "drm",
    "blocked_address",
    "too_large"
  ] as const)("content that is %s is unavailable, for good", (reason) =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const failure = yield* Effect.flip(probe(accountId, { url: VIDEO }));
      assert.deepStrictEqual(
        failure,
        new ContentUnavailable({ details: { reason }, message: `Refused: ${reason}.` })
      );
    }).pipe(Effect.provide(world({ sources: { [VIDEO]: refuses(reason) } })))
  );

  it.effect.each(["bot_blocked", "rate_limited", "timeout", "unreachable", "internal"] as const)(
    "content that cannot be looked at because of %s may be tried again",
    (reason) =>
      Effect.gen(function* () {
        const accountId = yield* openAccount();
        const failure = yield* Effect.flip(probe(accountId, { url: VIDEO }));
        assert.deepStrictEqual(
          failure,
          new Unreachable({ details: { reason }, message: `Refused: ${reason}.` })
        );
      }).pipe(Effect.provide(world({ sources: { [VIDEO]: refuses(reason) } })))
  );

  it.effect.each(["host_not_public", "live", "not_extractable"] as const)(
    "%s is refused like by submit",
    (reason) =>
      Effect.gen(function* () {
        const accountId = yield* openAccount();
        const probed = yield* Effect.flip(probe(accountId, { url: VIDEO }));
        assert.deepInclude(probed, { _tag: "UnsupportedUrl", details: { param: "url", reason } });
        const submitted: unknown = yield* Effect.flip(submit(accountId, { url: VIDEO }));
        assert.deepStrictEqual(submitted, probed);
      }).pipe(Effect.provide(world({ sources: { [VIDEO]: refuses(reason) } })))
  );

  it.effect("an inspection over its time limit is unreachable, and is stopped", () => {
    let interrupted = false;
    const beforeInspect = Effect.onInterrupt(Effect.never, () =>
      Effect.sync(() => {
        interrupted = true;
      })
    );
    return Effect.gen(function* () {
      const accountId = yield* openAccount();
      const fiber = yield* Effect.forkChild(Effect.flip(probe(accountId, { url: VIDEO })));
      yield* TestClock.adjust("3 seconds");
      assert.deepInclude(yield* Fiber.join(fiber), { _tag: "Unreachable", details: { reason: "timeout" } });
      assert.isTrue(interrupted);
    }).pipe(
      Effect.provide(
        world({
          sources: { ...SOURCES, [VIDEO]: { facts: sampleFacts(), beforeInspect } },
          settings: { inspectTimeoutMs: 3_000 }
        })
      )
    );
  });
});
