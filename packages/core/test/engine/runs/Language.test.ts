import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as FakeAnalyst from "@winnow/testing/fakes/FakeAnalyst";
import { balanceOf, openAccount, probe, runToEnd, submit, VIDEO, world } from "../World.ts";

const START = 11_000;

/** The fake source has English subtitles. */
const SWAHILI = { url: VIDEO, parts: ["transcript"], language: "sw" };
const ENGLISH = { ...SWAHILI, language: "en-GB" };

/** Knows nothing without the audio. */
const listener = FakeAnalyst.layer(({ inputs }) =>
  Effect.succeed(
    inputs.includes("audio")
      ? { outcome: "ok", verdictReason: null, extraction: { a: 1 } }
      : { outcome: "uncertain", verdictReason: "It could be anything.", extraction: null }
  )
);

describe("a requested language", () => {
  it.effect("that is available causes no warning", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { status, result, request, warnings } = yield* runToEnd(accountId, {
        ...ENGLISH,
        policy: "strict"
      });
      assert.deepStrictEqual([status, warnings, request.language], ["complete", [], "en-GB"]);
      assert.isFalse(result?.coverage.languageMissing);
    }).pipe(Effect.provide(world()))
  );

  it.effect("that is not available: the original transcript is returned with a warning, and charged", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { absent, creditsRefunded, result, warnings } = yield* runToEnd(accountId, SWAHILI);
      assert.deepStrictEqual(warnings, [
        'There are no subtitles in "sw": the transcript is in another language.'
      ]);
      assert.deepStrictEqual([absent, creditsRefunded], [[], 0]);
      assert.include(
        (result?.artifacts ?? []).map(({ name }) => name),
        "transcript.txt"
      );
    }).pipe(Effect.provide(world()))
  );

  it.effect(
    "that is not available fails a strict run with a full refund, and best-effort does not warn",
    () =>
      Effect.gen(function* () {
        const accountId = yield* openAccount();
        const { status, failure } = yield* runToEnd(accountId, { ...SWAHILI, policy: "strict" });
        assert.deepStrictEqual([status, failure?.reason], ["failed", "input_unavailable"]);
        assert.include(failure?.message, '"sw"');
        assert.strictEqual(yield* balanceOf(accountId), START);
        const silent = yield* runToEnd(accountId, { ...SWAHILI, policy: "best-effort" });
        assert.deepStrictEqual(silent.warnings, []);
      }).pipe(Effect.provide(world()))
  );

  it.effect("counts in AI runs alike", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const body = {
        url: VIDEO,
        schema: { type: "object", minProperties: 1 },
        inputs: ["transcript"],
        language: "sw"
      };
      const strict = yield* runToEnd(accountId, { ...body, policy: "strict" });
      assert.strictEqual(strict.failure?.reason, "input_unavailable");
      // Climbs to the audio, with which nothing is said of languages.
      const inputs = ["transcript", "audio"];
      const auto = yield* runToEnd(accountId, { ...body, inputs, auto: true, maxSpendCredits: 1_000 });
      assert.deepStrictEqual(auto.result?.rung, ["transcript", "audio"]);
      assert.isTrue(auto.warnings.some((warning) => warning.includes('"sw"')));
    }).pipe(Effect.provide(world({ analyst: listener })))
  );

  it.effect("is part of the cache key if a transcript is requested", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      yield* runToEnd(accountId, SWAHILI);
      yield* runToEnd(accountId, { url: VIDEO, parts: ["audio"], language: "sw" });
      const cachedOf = (body: object) => Effect.map(probe(accountId, body), ({ cached }) => cached);
      assert.isTrue(yield* cachedOf({ ...SWAHILI, language: "SW" }));
      assert.isFalse(yield* cachedOf(ENGLISH));
      assert.isFalse(yield* cachedOf({ url: VIDEO, parts: ["transcript"] }));
      assert.isTrue(yield* cachedOf({ url: VIDEO, parts: ["audio"], language: "fr" }));
      // The result lacks an input, which `strict` does not allow.
      assert.isFalse(yield* cachedOf({ ...SWAHILI, policy: "strict" }));
      const { extraction } = yield* submit(accountId, SWAHILI);
      assert.deepStrictEqual([extraction.creditsDebited, extraction.status], [0, "complete"]);
    }).pipe(Effect.provide(world()))
  );

  it.effect(
    "that is not a tag is rejected by submit; probe ignores it, because it does not affect the price",
    () =>
      Effect.gen(function* () {
        const accountId = yield* openAccount();
        for (const language of ["", "English", "e n", "und", "zz"]) {
          const refusal = yield* Effect.flip(submit(accountId, { url: VIDEO, language }));
          assert.deepInclude(refusal, {
            _tag: "InvalidRequest",
            details: { param: "language", reason: "invalid_language" }
          });
          yield* probe(accountId, { url: VIDEO, language });
        }
        const typed = yield* Effect.flip(submit(accountId, { url: VIDEO, language: 7 }));
        assert.deepInclude(typed, { details: { param: "language" } });
      }).pipe(Effect.provide(world()))
  );
});
