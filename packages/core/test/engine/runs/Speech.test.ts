import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { resultView } from "../../../src/domain/result/ResultView.ts";
import { type InspectedFetch } from "../../../src/ports/Downloader.ts";
import { type TranscribedSpeech } from "../../../src/ports/Transcriber.ts";
import * as FakeAnalyst from "@winnow/testing/fakes/FakeAnalyst";
import { Failed, SPEECH_FAILURE_REASONS } from "../../../src/domain/source/Failed.ts";
import { balanceOf, openAccount, probe, runToEnd, submit, VIDEO, world } from "../World.ts";
import { asked, completeView, hearing, kept, PRICE, SECONDS, text, video, WORDS } from "./Hearing.ts";

const SILENT: TranscribedSpeech = { language: null, segments: [] };

describe("a video without captions", () => {
  it.effect("gets a transcript of its audio, at the quoted price", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const quoted = yield* probe(accountId, asked);
      assert.strictEqual(quoted.price.credits, PRICE);
      assert.deepStrictEqual(quoted.price.parts.download, { transcript: 100_000, audio: 400_000 });
      assert.strictEqual(quoted.price.parts.audio, 2_000_000);
      assert.deepStrictEqual(quoted.unavailable, []);
      const run = yield* runToEnd(accountId, asked);
      assert.deepStrictEqual([run.creditsDebited, kept(run)], [PRICE, PRICE]);
      const { parts, summary, warnings } = completeView(run);
      assert.deepStrictEqual([parts.transcript, parts.audio], ["found", "not_requested"]);
      assert.strictEqual(summary.transcriptFile, "transcript.txt");
      assert.isNull(summary.audioFile);
      assert.deepStrictEqual(warnings, []);
      assert.strictEqual(yield* text(run, "transcript.txt"), "Guten Tag.\nEs kostet 12 Euro.\n");
      const { language, origin, segments } = JSON.parse(yield* text(run, "transcript.json"));
      assert.deepStrictEqual([language, origin, segments.length], ["de", "speech", 2]);
      assert.include(
        yield* text(run, "subtitles.de.vtt"),
        "00:00:03.000 --> 00:00:04.000\nEs kostet 12 Euro."
      );
      assert.include(yield* text(run, "subtitles.de.srt"), "2\n00:00:03,000 --> 00:00:04,000");
    }).pipe(Effect.provide(hearing()))
  );

  it.effect("has its words at their times in the video if only a stretch is heard", () =>
    Effect.gen(function* () {
      const run = yield* runToEnd(yield* openAccount(), { ...asked, range: { startSec: 60, endSec: 90 } });
      const { gaps, segments } = JSON.parse(yield* text(run, "transcript.json"));
      assert.deepStrictEqual(gaps, [{ startSec: 70.5, endSec: 80 }]);
      assert.deepStrictEqual(
        segments.map(({ startSec, endSec }: { startSec: number; endSec: number }) => [startSec, endSec]),
        [
          [61, 62.5],
          [63, 64]
        ]
      );
      assert.deepStrictEqual(segments[0].words, [{ text: "Guten", startSec: 61, endSec: 61.4 }]);
      assert.include(yield* text(run, "subtitles.de.srt"), "2\n00:01:03,000 --> 00:01:04,000");
      assert.match(completeView(run).warnings.join(), /01:10 to 01:20/u);
    }).pipe(
      Effect.provide(
        hearing(
          Effect.succeed({
            ...WORDS,
            segments: WORDS.segments.map((segment, index) =>
              index > 0
                ? segment
                : { ...segment, words: [{ text: "Guten", startSeconds: 1, endSeconds: 1.4 }] }
            ),
            gaps: [{ startSeconds: 10.5, endSeconds: 20 }]
          })
        )
      )
    )
  );

  describe("of more than an hour on a plan that allows it", () => {
    const long = 5_000;
    const plans = { default: { maxDurationSec: 7_200 } };
    const fetches: Array<InspectedFetch> = [];
    const source = video(
      { beforeFetch: (request) => Effect.sync(() => fetches.push(request)) },
      { durationSeconds: long }
    );
    const onPlan = hearing(Effect.succeed(WORDS), { ...source, plans });

    it.effect.each([{ parts: ["transcript"] }, { parts: ["transcript", "audio"] }])(
      "is transcribed: %j",
      (body) =>
        Effect.gen(function* () {
          const run = yield* runToEnd(yield* openAccount(), { ...asked, ...body });
          const { parts, warnings } = completeView(run);
          assert.deepStrictEqual([parts.transcript, warnings], ["found", []]);
          assert.deepStrictEqual([run.creditsDebited, kept(run)], [60 + 1.2 * long, 60 + 1.2 * long]);
        }).pipe(Effect.provide(onPlan))
    );

    it.effect("has its audio fetched under the same limit, and by a forced run from its own inspection", () =>
      Effect.gen(function* () {
        fetches.length = 0;
        yield* runToEnd(yield* openAccount(), { ...asked, force: true });
        const [first = assert.fail(), sound = assert.fail()] = fetches;
        assert.strictEqual(sound.maxDurationSeconds, plans.default.maxDurationSec);
        assert.isNumber(sound.notBeforeMs);
        assert.strictEqual(sound.notBeforeMs, first.notBeforeMs);
      }).pipe(Effect.provide(onPlan))
    );
  });

  it.effect("without speech is charged for the audio, and the result says so", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const run = yield* runToEnd(accountId, asked);
      assert.strictEqual(kept(run), PRICE - 10);
      const { parts, warnings } = completeView(run);
      assert.strictEqual(parts.transcript, "not_found");
      assert.match(warnings.join(), /contains no speech.*is charged/u);
      assert.isTrue((yield* probe(accountId, asked)).cached);
    }).pipe(Effect.provide(hearing(Effect.succeed(SILENT))))
  );

  it.effect("without an audio track is not charged for audio", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const run = yield* runToEnd(accountId, asked);
      assert.strictEqual(kept(run), 50);
      assert.strictEqual(completeView(run).parts.transcript, "not_found");
    }).pipe(Effect.provide(hearing(Effect.die("nothing to hear"), video({ files: {} }))))
  );

  it.effect("whose downloaded video has no audio is not charged for audio either", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const run = yield* runToEnd(accountId, { ...asked, parts: ["transcript", "video"] });
      assert.strictEqual(kept(run), 50 + 0.5 * SECONDS);
      const { parts, warnings } = completeView(run);
      assert.strictEqual(parts.transcript, "not_found");
      assert.notMatch(warnings.join(), /nobody speaks/u);
    }).pipe(Effect.provide(hearing(Effect.succeed(null))))
  );

  it.effect("is not sent to an AI run as audio again; its transcript is the input", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const run = yield* runToEnd(accountId, {
        url: VIDEO,
        schema: { type: "object", minProperties: 1 },
        inputs: ["transcript", "audio"],
        speech: true
      });
      assert.strictEqual(kept(run), 50 + 10 + 0.2 * SECONDS + 0.5 * SECONDS + SECONDS);
      assert.strictEqual(run.result?.outcome, "ok");
    }).pipe(
      Effect.provide(
        hearing(undefined, {
          ...video(),
          analyst: FakeAnalyst.layer(({ texts, isSoundWritten }) => {
            assert.isTrue(isSoundWritten);
            assert.include(JSON.stringify(texts), "Es kostet 12 Euro.");
            return Effect.succeed({ outcome: "ok", verdictReason: null, extraction: { euros: 12 } });
          })
        })
      )
    )
  );
});

describe("failed transcription", () => {
  const down = Effect.fail(new Failed({ reason: "speech_unavailable", message: "It is down." }));

  it.effect("of everything requested fails the run as retryable with a full refund", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const run = yield* runToEnd(accountId, asked);
      assert.deepStrictEqual(
        [run.status, run.failure?.reason, kept(run)],
        ["failed", "speech_unavailable", 0]
      );
      assert.notMatch(run.failure?.message ?? "", /has no|There is no/u);
    }).pipe(Effect.provide(hearing(down)))
  );

  for (const reason of SPEECH_FAILURE_REASONS) {
    const failing = Effect.fail(new Failed({ reason, message: "It is down." }));

    it.effect(`is told as ${reason}, retryable if waiting can help, and refunded to the credit`, () =>
      Effect.gen(function* () {
        const accountId = yield* openAccount();
        const before = yield* balanceOf(accountId);
        const alone = yield* runToEnd(accountId, asked);
        const view = resultView(alone, "https://winnow.example");
        assert.deepInclude(view, { error: "The audio could not be transcribed. It is down." });
        assert.deepInclude(view.status === "failed" ? view.failure : assert.fail(), {
          reason,
          retryable: reason !== "speech_misconfigured"
        });
        assert.strictEqual(yield* balanceOf(accountId), before);
        const beside = yield* runToEnd(accountId, { ...asked, parts: ["transcript", "audio"] });
        assert.strictEqual(yield* balanceOf(accountId), before - 50 - 0.2 * SECONDS);
        assert.notMatch(completeView(beside).warnings.join(), /no speech|looked up/u);
      }).pipe(Effect.provide(hearing(failing)))
    );
  }

  it.effect("beside other results costs neither transcript nor audio, and is never reused", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const body = { ...asked, parts: ["transcript", "audio"] };
      const run = yield* runToEnd(accountId, body);
      assert.strictEqual(kept(run), 50 + 0.2 * SECONDS);
      assert.strictEqual(completeView(run).parts.transcript, "lookup_failed");
      assert.isFalse((yield* probe(accountId, body)).cached);
    }).pipe(Effect.provide(hearing(down)))
  );

  it.effect("because the audio could not be fetched says so", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const run = yield* runToEnd(accountId, asked);
      assert.deepStrictEqual([run.status, run.failure?.reason, kept(run)], ["failed", "rate_limited", 0]);
    }).pipe(
      Effect.provide(
        hearing(
          Effect.die("nothing to hear"),
          video({
            beforeFetch: ({ wants }) =>
              wants.includes("audio")
                ? Effect.fail(new Failed({ reason: "rate_limited", message: "Too many requests." }))
                : Effect.void
          })
        )
      )
    )
  );
});

describe("speech of a video with captions", () => {
  it.effect("is refunded: nothing is transcribed", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const run = yield* runToEnd(accountId, asked);
      assert.deepStrictEqual([run.creditsDebited, kept(run)], [PRICE, 60]);
      const { origin } = JSON.parse(yield* text(run, "transcript.json"));
      assert.strictEqual(origin, "people");
    }).pipe(Effect.provide(hearing(Effect.die("not to be heard"), video({}, { hasSubtitles: true }))))
  );

  it.effect("whose look-up failed is transcribed, and the next run looks them up again", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const run = yield* runToEnd(accountId, asked);
      const { parts, warnings } = completeView(run);
      assert.deepStrictEqual([parts.transcript, kept(run)], ["found", PRICE]);
      assert.match(warnings.join(), /captions could not be looked up/u);
      assert.isFalse((yield* probe(accountId, asked)).cached);
    }).pipe(
      Effect.provide(
        hearing(
          undefined,
          video(
            {
              failedLookups: {
                transcript: new Failed({ reason: "rate_limited", message: "Too many requests." })
              }
            },
            { hasSubtitles: true }
          )
        )
      )
    )
  );
});

describe("speech", () => {
  const bodies = [
    { parts: ["transcript"] },
    { parts: ["transcript", "audio"] },
    { parts: ["transcript", "comments", "audio", "video"] },
    { parts: ["comments"] },
    {},
    { schema: { type: "object", minProperties: 1 } },
    { schema: { type: "object", minProperties: 1 }, inputs: ["transcript", "video"] },
    {
      schema: { type: "object", minProperties: 1 },
      inputs: ["transcript", "audio"],
      auto: true,
      maxSpendCredits: 5_000
    }
  ];
  for (const body of bodies) {
    it.effect(`in ${JSON.stringify(body)} costs what was quoted`, () =>
      Effect.gen(function* () {
        const accountId = yield* openAccount();
        const whole = { url: VIDEO, speech: true, ...body };
        const { price } = yield* probe(accountId, whole);
        const { extraction } = yield* submit(accountId, whole);
        assert.strictEqual(extraction.creditsDebited, price.credits);
      }).pipe(Effect.provide(hearing(undefined, { ...video(), analyst: FakeAnalyst.layer() })))
    );
  }

  it.effect("stays told of an auto run whose later steps read something else", () => {
    const failedLookups = {
      transcript: new Failed({ reason: "rate_limited", message: "Too many requests." })
    };
    const analyst = FakeAnalyst.layer(({ inputs }) =>
      Effect.succeed(
        inputs.includes("audio")
          ? { outcome: "ok", verdictReason: null, extraction: { a: 1 } }
          : { outcome: "uncertain", verdictReason: "It could be anything.", extraction: null }
      )
    );
    return Effect.gen(function* () {
      const { result } = yield* runToEnd(yield* openAccount(), {
        url: VIDEO,
        speech: true,
        ...bodies.at(-1)
      });
      assert.deepStrictEqual(result?.rung, ["transcript", "audio"]);
      assert.deepInclude(result?.coverage, { sound: "speech", captionsUnknown: true });
    }).pipe(
      Effect.provide(hearing(undefined, { ...video({ failedLookups }, { hasSubtitles: true }), analyst }))
    );
  });

  it.effect("changes the cache key only if a transcript is requested", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const keyOf = (body: object) =>
        Effect.map(
          submit(accountId, { url: VIDEO, force: true, ...body }),
          ({ extraction }) => extraction.cacheKey
        );
      assert.strictEqual(
        yield* keyOf({ parts: ["audio"], speech: true }),
        yield* keyOf({ parts: ["audio"] })
      );
      assert.notStrictEqual(
        yield* keyOf({ parts: ["transcript"], speech: true }),
        yield* keyOf({ parts: ["transcript"] })
      );
    }).pipe(Effect.provide(hearing()))
  );

  it.effect("is refused without a speech model, by submit and probe", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      for (const refused of [
        yield* Effect.flip(submit(accountId, asked)),
        yield* Effect.flip(probe(accountId, asked))
      ]) {
        assert.deepInclude(refused, { details: { param: "speech", reason: "speech_not_configured" } });
      }
      yield* submit(accountId, { ...asked, speech: false });
    }).pipe(Effect.provide(world(video())))
  );
});

describe("the audio that an AI run reads", () => {
  it.effect("becomes the transcript of a video that has none", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const run = yield* runToEnd(accountId, {
        url: VIDEO,
        schema: { type: "object", minProperties: 1 },
        inputs: ["audio"]
      });
      const { origin, segments } = JSON.parse(yield* text(run, "transcript.json"));
      assert.deepStrictEqual([origin, segments[0]?.text], ["speech", "Heard words."]);
      assert.strictEqual(completeView(run).summary.transcriptFile, "transcript.txt");
      assert.strictEqual(completeView(run).parts.transcript, "not_requested");
      const both = yield* runToEnd(accountId, {
        url: VIDEO,
        schema: { type: "object", minProperties: 1 },
        inputs: ["transcript", "audio"]
      });
      assert.strictEqual(completeView(both).parts.transcript, "found");
      assert.include(completeView(both).warnings.join(), "was made from the audio");
    }).pipe(
      Effect.provide(
        world({
          ...video(),
          analyst: FakeAnalyst.layer(() =>
            Effect.succeed({
              outcome: "ok",
              verdictReason: null,
              extraction: { isFound: true },
              texts: [
                {
                  source: "transcript",
                  segments: [{ text: "Heard words.", startSeconds: 0, endSeconds: 2, author: null }]
                }
              ]
            })
          )
        })
      )
    )
  );
});
