/** Whose captions become the transcript: quotes, refunds, reasons and reuse. */
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import type { CaptionLanguage } from "../../../src/domain/source/SourceFacts.ts";
import { sampleFacts } from "@winnow/testing/samples/samples";
import { balanceOf, openAccount, probe, runToEnd, submit, VIDEO, world } from "../World.ts";
import { hearing, kept, PRICE, text, video } from "./Hearing.ts";

const AUTOMATIC: CaptionLanguage = { language: "en", origin: "automatic" };
const PEOPLE: CaptionLanguage = { language: "en", origin: "people" };

const withCaptions = (...captionLanguages: ReadonlyArray<CaptionLanguage>) =>
  world({ sources: { [VIDEO]: { facts: sampleFacts({ durationSeconds: 213, captionLanguages }) } } });

const body = { url: VIDEO, parts: ["transcript"] };
const PEOPLES = { ...body, captions: "people" };

const NO_TRANSCRIPT = [{ input: "transcript", reason: "not_found" }] as const;

const BASE_CREDITS = 50;

describe("captions by people", () => {
  it.effect("of which there are only automatic ones are told in the quote, not found and refunded", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const told = yield* probe(accountId, PEOPLES);
      assert.deepInclude(told, {
        hasSubtitles: false,
        captionLanguages: [AUTOMATIC],
        unavailable: NO_TRANSCRIPT
      });
      const run = yield* runToEnd(accountId, PEOPLES);
      assert.deepStrictEqual([run.creditsDebited, kept(run)], [told.price.credits, BASE_CREDITS]);
      assert.strictEqual(run.result?.coverage.parts.transcript.state, "not_found");
      const sentence =
        "There is no transcript: the source has no subtitles made by people, only automatic captions.";
      assert.deepStrictEqual(run.warnings, [sentence]);
      const before = yield* balanceOf(accountId);
      const strict = yield* runToEnd(accountId, { ...PEOPLES, policy: "strict" });
      assert.deepInclude(strict.failure, { reason: "input_unavailable", message: sentence });
      assert.strictEqual(yield* balanceOf(accountId), before);
    }).pipe(Effect.provide(withCaptions(AUTOMATIC)))
  );

  it.effect("are the transcript if there are some, and automatic ones are not", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const found = yield* runToEnd(accountId, PEOPLES);
      assert.deepStrictEqual([found.absent, found.warnings, kept(found)], [[], [], BASE_CREDITS + 10]);
      const automatic = { ...body, captions: "automatic" };
      assert.deepStrictEqual((yield* probe(accountId, automatic)).unavailable, NO_TRANSCRIPT);
      assert.deepStrictEqual((yield* runToEnd(accountId, automatic)).warnings, [
        "There is no transcript: the source has no automatic captions, only subtitles made by people."
      ]);
    }).pipe(Effect.provide(withCaptions(PEOPLE)))
  );

  it.effect("of which only other languages exist are told as people's", () =>
    Effect.gen(function* () {
      const { warnings } = yield* runToEnd(yield* openAccount(), { ...PEOPLES, language: "sw" });
      assert.deepStrictEqual(warnings, [
        'There are no subtitles made by people in "sw": the transcript is in another language.'
      ]);
    }).pipe(Effect.provide(withCaptions(PEOPLE)))
  );

  const silent = { facts: sampleFacts({ durationSeconds: 213, captionLanguages: [PEOPLE] }), files: {} };

  it.effect("without words in a stretch are not said to be missing from the source", () =>
    Effect.gen(function* () {
      const stretch = { ...PEOPLES, range: { startSec: 0, endSec: 5 } };
      assert.deepStrictEqual((yield* runToEnd(yield* openAccount(), stretch)).warnings, [
        "There is no transcript: the captions of this stretch have no words."
      ]);
    }).pipe(Effect.provide(world({ sources: { [VIDEO]: silent } })))
  );

  const facts = { hasSubtitles: true, captionLanguages: [AUTOMATIC] };

  it.effect("of which there are none are replaced by speech if it was asked for, and `origin` tells", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const spoken = { ...PEOPLES, speech: true };
      assert.deepStrictEqual((yield* probe(accountId, spoken)).unavailable, []);
      const run = yield* runToEnd(accountId, spoken);
      assert.strictEqual(kept(run), PRICE);
      assert.strictEqual(JSON.parse(yield* text(run, "transcript.json")).origin, "speech");
      const any = yield* runToEnd(accountId, { ...body, speech: true });
      assert.strictEqual(kept(any), BASE_CREDITS + 10);
    }).pipe(Effect.provide(hearing(undefined, video({}, facts))))
  );

  it.effect("of a recording without speech are missing, and the audio is charged", () =>
    Effect.gen(function* () {
      const run = yield* runToEnd(yield* openAccount(), { ...PEOPLES, speech: true });
      assert.deepStrictEqual(run.warnings, [
        "There is no transcript: the source has no subtitles made by people, only automatic captions, and the audio " +
          "contains no speech. Analysing the audio is charged."
      ]);
    }).pipe(Effect.provide(hearing(Effect.succeed({ language: null, segments: [] }), video({}, facts))))
  );
});

describe("the choice of captions", () => {
  it.effect("counts for reuse if a transcript is requested, and `any` is what everybody gets", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const cachedOf = (asked: object) => Effect.map(probe(accountId, asked), ({ cached }) => cached);
      yield* runToEnd(accountId, body);
      yield* runToEnd(accountId, { url: VIDEO, parts: ["audio"] });
      assert.isTrue(yield* cachedOf({ ...body, captions: "any" }));
      assert.isFalse(yield* cachedOf(PEOPLES));
      assert.isTrue(yield* cachedOf({ url: VIDEO, parts: ["audio"], captions: "people" }));
    }).pipe(Effect.provide(withCaptions(PEOPLE, AUTOMATIC)))
  );

  it.effect("is not said to be missing while nobody knows", () =>
    Effect.gen(function* () {
      const told = yield* probe(yield* openAccount(), PEOPLES);
      assert.deepInclude(told, { hasSubtitles: true, unavailable: [] });
    }).pipe(Effect.provide(withCaptions()))
  );

  it.effect("that does not exist is refused by submit and probe, with what exists", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      for (const captions of ["machine", "", null, 7]) {
        const asked = { ...body, captions };
        const refusals = [
          yield* Effect.flip(submit(accountId, asked)),
          yield* Effect.flip(probe(accountId, asked))
        ];
        for (const refusal of refusals) {
          assert.deepInclude(refusal, { _tag: "InvalidRequest", details: { param: "captions" } });
          assert.include(refusal.message, "any, people or automatic");
        }
      }
    }).pipe(Effect.provide(withCaptions(PEOPLE)))
  );
});
