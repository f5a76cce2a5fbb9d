/**
 * For any facts, bodies and plans: quote and debit are equal, a refund is at most the debit, nothing is charged
 * twice, and a run reads no more than was debited.
 */
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Result from "effect/Result";
import type { PlansGiven } from "../../../src/domain/money/Plan.ts";
import { price } from "../../../src/domain/money/Pricing.ts";
import { selectionOf } from "../../../src/domain/request/RunRequest.ts";
import type { Extraction } from "../../../src/domain/run/Extraction.ts";
import { MODALITIES, type Modality } from "../../../src/domain/source/Modality.ts";
import { pricedFacts } from "../../../src/domain/source/SourceFacts.ts";
import { Failed, SPEECH_FAILURE_REASONS } from "../../../src/domain/source/Failed.ts";
import { type TranscribedSpeech, Transcriber } from "../../../src/ports/Transcriber.ts";
import * as FakeAnalyst from "@winnow/testing/fakes/FakeAnalyst";
import { sampleFacts } from "@winnow/testing/samples/samples";
import { assertLaws, openAccount, probe, read, execute, submit, world } from "../World.ts";

const KINDS = ["video", "photos", "webpage"] as const;
const DURATIONS = [null, 0, 0.4, 16, 213, 299.9, 300, 3_600];
const RANGES = [{ startSec: 0 }, { endSec: 100.5 }, { startSec: 10, endSec: 11 }, { startSec: 250.125 }];

/** A seeded generator: picks the same options in every test run. */
const picks = (seed: number) => {
  let state = seed * 2_654_435_761 + 1;
  return <A>(options: ReadonlyArray<A>): A => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return options[Math.floor((state / 2 ** 32) * options.length)] as A;
  };
};

/** Auto mode climbs as far as it may, because the model is never sure. */
const analyst = FakeAnalyst.layer(() =>
  Effect.succeed({ outcome: "ok", verdictReason: null, extraction: { isFound: true }, confidence: 0 })
);

const url = "https://example.com/any";

const factsOf = (pick: ReturnType<typeof picks>) =>
  sampleFacts({
    kind: pick(KINDS),
    webpageUrl: url,
    durationSeconds: pick(DURATIONS),
    hasSubtitles: pick([true, false]),
    captionLanguages: pick([[], ["people"], ["automatic"], ["people", "automatic"]] as const).map(
      (origin) => ({ language: "en", origin })
    ),
    hasComments: pick([true, false]),
    imageCount: pick([0, 1, 7])
  });

const someOf = (pick: ReturnType<typeof picks>): ReadonlyArray<Modality> =>
  MODALITIES.filter(() => pick([true, false]));

/** What a speech model may make of a recording, or how it may fail. */
const HEARD: ReadonlyArray<Effect.Effect<TranscribedSpeech | null, Failed>> = [
  ...SPEECH_FAILURE_REASONS.map((reason) => Effect.fail(new Failed({ reason, message: "No." }))),
  Effect.succeed(null),
  Effect.succeed({ language: null, segments: [], isUnsure: true }),
  Effect.succeed({
    language: "de",
    segments: [{ startSeconds: 1, endSeconds: 2, text: "Guten Tag." }],
    gaps: [{ startSeconds: 3, endSeconds: 9 }]
  })
];

const bodyOf = (pick: ReturnType<typeof picks>): object => {
  const ai = pick([true, false]);
  const named = someOf(pick);
  return {
    url,
    ...(ai ? { schema: { type: "object", minProperties: 1 } } : {}),
    ...(named.length > 0 && pick([true, false]) ? { [ai ? "inputs" : "parts"]: named } : {}),
    ...(ai && pick([true, false]) ? { auto: true, maxSpendCredits: pick([50, 100, 187, 400, 5_000]) } : {}),
    ...(pick([true, false]) ? { maxCredits: pick([0, 50, 100, 230, 1_000]) } : {}),
    ...(pick([true, false]) ? { maxAgeSeconds: pick([0, 3_600]) } : {}),
    ...(pick([true, false, false]) ? { range: pick(RANGES) } : {}),
    captions: pick(["any", "people", "automatic"]),
    speech: pick([true, false]),
    policy: pick(["strict", "fallback", "best-effort"]),
    force: pick([true, false, false])
  };
};

/** Video costs at least as much as audio, so that each rung costs at least as much as the one before. */
const PLANS: ReadonlyArray<PlansGiven> = [
  {},
  { default: { prices: "free" } },
  {
    default: {
      prices: {
        aiTextCreditsPerSecond: 0.3,
        aiAudioCreditsPerSecond: 7,
        aiVideoCreditsPerSecond: 9,
        baseCredits: 3
      }
    }
  },
  { default: { prices: { aiVideoCreditsPerSecond: 0.001, transcriptCredits: 400 } } }
];

/** Charged at most, at the rates of the debit: the rung that auto mode returned was within what was paid. */
const returnedPrice = ({ seen, request, rates, result }: Extraction): number =>
  price(pricedFacts(seen), selectionOf({ ...request, modalities: result?.rung ?? [] }), rates).credits;

const SEEDS = Array.from({ length: 60 }, (_, index) => index + 1);

describe("any request for any source", () => {
  it.effect.each(SEEDS)("the quote equals the debit, and a run refunds at most that: seed %i", (seed) => {
    const pick = picks(seed);
    const plans = pick(PLANS);
    const source = { facts: factsOf(pick), measuredDurationSeconds: pick([null, 12, 400]) };
    return Effect.gen(function* () {
      const accountId = yield* openAccount(100_000);
      for (let step = 0; step < 6; step++) {
        const body = bodyOf(pick);
        const what = JSON.stringify(body);
        const quote = yield* Effect.result(probe(accountId, body));
        const made = yield* Effect.result(submit(accountId, body));
        if (Result.isFailure(quote) || Result.isFailure(made)) {
          assert.deepStrictEqual<unknown>(Result.getFailure(made), Result.getFailure(quote), what);
          continue;
        }
        const { extraction } = made.success;
        const { price, cached, unavailable } = quote.success;
        assert.strictEqual(extraction.creditsDebited, price.credits, what);
        assert.strictEqual(extraction.cachedFrom !== null, cached, what);
        assert.isAtLeast(price.freshCredits, price.credits, what);
        if (cached) assert.strictEqual(price.credits, 0, what);
        yield* execute(extraction);
        const done = yield* read(accountId, extraction.id);
        assert.isTrue(done.creditsRefunded >= 0 && done.creditsRefunded <= done.creditsDebited, what);
        assert.notStrictEqual(done.failure?.reason, "internal", what);
        for (const { input } of cached ? [] : unavailable)
          assert.notStrictEqual(done.result?.coverage.parts[input].state, "found", what);
        if (extraction.request.auto && done.status === "complete" && !cached) {
          assert.isAtMost(returnedPrice(done), done.creditsDebited, what);
        }
        if (done.status === "failed") assert.strictEqual(done.creditsRefunded, done.creditsDebited, what);
      }
      yield* assertLaws(accountId);
    }).pipe(
      Effect.provide(
        Layer.provideMerge(
          world({ sources: { [url]: source }, plans, analyst }),
          Layer.succeed(Transcriber, { model: "ear", transcribe: () => Effect.suspend(() => pick(HEARD)) })
        )
      )
    );
  });
});
