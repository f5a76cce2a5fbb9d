/** What a stretch of a video costs: quoted, debited and settled as a video of its length, whether or not that is stated. */
import { assert, layer } from "@effect/vitest";
import * as Arbitrary from "effect/Arbitrary";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Schema from "effect/Schema";
import * as FakeAnalyst from "@winnow/testing/fakes/FakeAnalyst";
import { sampleFacts } from "@winnow/testing/samples/samples";
import { price } from "../../../src/domain/money/Pricing.ts";
import { DEFAULT_RATES } from "../../../src/domain/money/Rates.ts";
import { WORST_CASE_DURATION_MS } from "../../../src/domain/source/SourceFacts.ts";
import { intBetween, Modalities, oneOf } from "../../domain/Arbitraries.ts";
import { execute, openAccount, probe, read, submit, world } from "../World.ts";
import { completeView, ear, kept, WORDS } from "./Hearing.ts";

const LENGTHS_MS = [400, 16_000, 213_000, 299_900, 1_234_567, 3_600_000];
const PER_MILLE = 1_000;
const BOTH = [true, false];

const urlOf = (lengthMs: number, isStated: boolean, hasCaptions: boolean) =>
  `https://example.com/${lengthMs}/${isStated}/${hasCaptions}`;

const sources = Object.fromEntries(
  LENGTHS_MS.flatMap((lengthMs) =>
    BOTH.flatMap((isStated) =>
      BOTH.map((hasSubtitles) => {
        const lengthSeconds = lengthMs / 1_000;
        const durationSeconds = isStated ? lengthSeconds : null;
        const facts = sampleFacts({ durationSeconds, hasSubtitles, hasComments: true });
        return [
          urlOf(lengthMs, isStated, hasSubtitles),
          { facts, measuredDurationSeconds: lengthSeconds, streamDurationSeconds: lengthSeconds }
        ];
      })
    )
  )
);

/** Each rate is another one. */
const RATES = {
  ...DEFAULT_RATES,
  baseCredits: 3,
  transcriptCredits: 7,
  commentsCredits: 11,
  audioCreditsPerSecond: 0.3,
  videoCreditsPerSecond: 1.3,
  aiTextCreditsPerSecond: 0.7,
  aiAudioCreditsPerSecond: 1.9,
  aiVideoCreditsPerSecond: 2.3
};

const Bit = Arbitrary.schema(Schema.Boolean);

const engine = Layer.provideMerge(
  world({ sources, plans: { default: { prices: RATES } }, analyst: FakeAnalyst.layer() }),
  ear(Effect.succeed(WORDS))
);

layer(engine)("a stretch of a video", (it) => {
  it.effect.prop(
    "is quoted, debited and settled as a video of its length; of unknown length as at most 300 s, and then as it was",
    {
      lengthMs: oneOf(LENGTHS_MS),
      isStated: Bit,
      hasCaptions: Bit,
      isRead: Bit,
      modalities: Modalities,
      from: intBetween(0, PER_MILLE - 1),
      /** Beyond its end too; 0: none is given. */
      to: intBetween(0, 2 * PER_MILLE)
    },
    ({ lengthMs, isStated, hasCaptions, isRead, modalities, from, to }) =>
      Effect.gen(function* () {
        const startMs = Math.floor((lengthMs * from) / PER_MILLE);
        const givenMs = to === 0 ? Infinity : 1 + Math.floor((lengthMs * to) / PER_MILLE);
        const thereMs = Math.min(givenMs, lengthMs - startMs);
        const quotedMs = isStated ? thereMs : Math.min(givenMs, WORST_CASE_DURATION_MS);
        const named = isRead && modalities.length === 0 ? (["comments"] as const) : modalities;
        const body = {
          url: urlOf(lengthMs, isStated, hasCaptions),
          ...(isRead ? { schema: { type: "object", minProperties: 1 }, inputs: named } : { parts: named }),
          range: {
            startSec: startMs / 1_000,
            ...(to === 0 ? {} : { endSec: (startMs + givenMs) / 1_000 })
          },
          speech: !hasCaptions,
          force: true
        };
        const priceOf = (durationMs: number): number => {
          const speech = !hasCaptions && named.some((each) => each === "transcript");
          const selection = { mode: isRead ? "ai" : "download", modalities: named, speech } as const;
          return price({ kind: "video", durationMs, imageCount: 0 }, selection, RATES).credits;
        };
        const accountId = yield* openAccount(100_000);
        const quote = yield* probe(accountId, body);
        const { extraction } = yield* submit(accountId, body);
        assert.deepStrictEqual(
          [quote.price.credits, extraction.creditsDebited],
          [priceOf(quotedMs), priceOf(quotedMs)]
        );
        yield* execute(extraction);
        const done = yield* read(accountId, extraction.id);
        assert.strictEqual(kept(done), priceOf(Math.min(thereMs, quotedMs)));
        assert.strictEqual(completeView(done).summary.duration, isStated ? lengthMs / 1_000 : null);
        if (isStated && done.request.range !== null)
          assert.strictEqual(completeView(done).summary.durationSeconds, thereMs / 1_000);
      }),
    { arbitrary: { runs: 500 } }
  );
});
