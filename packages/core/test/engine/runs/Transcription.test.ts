import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Layer from "effect/Layer";
import * as Stream from "effect/Stream";
import { type TranscribedSpeech, Transcriber } from "../../../src/ports/Transcriber.ts";
import { CurrentRun } from "../../../src/ports/CurrentRun.ts";
import * as FakeAnalyst from "@winnow/testing/fakes/FakeAnalyst";
import { Runs } from "../../../src/engine/runs/Runs.ts";
import { execute, openAccount, runToEnd, submit, VIDEO, world } from "../World.ts";
import { asked, completeView, hearing, kept, PRICE, SECONDS, text, video, WORDS } from "./Hearing.ts";

const OTHER_VIDEO = "https://example.com/watch/other";

const heard = (doneSeconds: number) =>
  Effect.flatMap(CurrentRun, ({ report }) =>
    report({ step: "transcribing", doneSeconds, totalSeconds: SECONDS })
  );

describe("a transcription", () => {
  const told: Array<string | null> = [];

  it.effect("is reported as a step of its own, in percent and seconds", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { extraction } = yield* submit(accountId, asked);
      const watched = yield* Runs.use((runs) => runs.watch(accountId, extraction.id));
      const watching = yield* Effect.forkChild(Stream.runCollect(watched), { startImmediately: true });
      yield* execute(extraction);
      const seen = yield* Fiber.join(watching);
      const { percent, doneSec, totalSec } =
        seen.find(({ step }) => step === "transcribing") ?? assert.fail("not seen");
      assert.deepStrictEqual([percent, doneSec, totalSec], [25, 50, SECONDS]);
    }).pipe(
      Effect.scoped,
      Effect.provide(
        Layer.provideMerge(
          world(video()),
          Layer.succeed(Transcriber, {
            model: "ear",
            transcribe: () => Effect.as(heard(50), WORDS)
          })
        )
      )
    )
  );

  it.effect("of an AI pass is reported as a step too, before its analysis", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { extraction } = yield* submit(accountId, {
        url: VIDEO,
        schema: { type: "object", minProperties: 1 },
        inputs: ["audio"],
        language: "fr"
      });
      const watched = yield* Runs.use((runs) => runs.watch(accountId, extraction.id));
      const watching = yield* Effect.forkChild(Stream.runCollect(watched), { startImmediately: true });
      yield* execute(extraction);
      const steps = (yield* Fiber.join(watching)).map(({ step, doneSec }) => [step, doneSec]);
      const at = steps.findIndex(([step]) => step === "transcribing");
      assert.deepStrictEqual(steps.slice(at, at + 2), [
        ["transcribing", 50],
        ["analysing", undefined]
      ]);
    }).pipe(
      Effect.scoped,
      Effect.provide(
        world({
          ...video(),
          analyst: FakeAnalyst.layer(({ spokenLanguage }) =>
            Effect.gen(function* () {
              assert.strictEqual(spokenLanguage, "fr");
              yield* heard(50);
              yield* heard(SECONDS);
              return { outcome: "ok", verdictReason: null, extraction: { isFound: true } } as const;
            })
          )
        })
      )
    )
  );

  it.effect("is told the language of the source, else the caller's", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      yield* runToEnd(accountId, { ...asked, language: "fr" });
      yield* runToEnd(accountId, { ...asked, url: OTHER_VIDEO, language: "fr" });
      yield* runToEnd(accountId, { ...asked, force: true });
      assert.deepStrictEqual(told, ["fr", "de-AT", null]);
    }).pipe(
      Effect.provide(
        Layer.provideMerge(
          world({
            sources: {
              ...video().sources,
              [OTHER_VIDEO]: { ...video().sources[VIDEO], details: { language: "de-AT" } }
            }
          }),
          Layer.succeed(Transcriber, {
            model: "ear",
            transcribe: (_, { language }) =>
              Effect.sync(() => {
                told.push(language);
                return WORDS;
              })
          })
        )
      )
    )
  );

  it.effect("is made of the stored audio of an extraction that is read again", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { id } = yield* runToEnd(accountId, { url: VIDEO, parts: ["audio"] });
      const schema = { type: "object", minProperties: 1 };
      const again = { fromExtraction: id, schema, inputs: ["transcript"] };
      const refused = yield* Effect.flip(submit(accountId, again));
      assert.deepInclude(refused, { details: { param: "inputs", reason: "not_kept" } });
      const run = yield* runToEnd(accountId, { ...again, speech: true });
      assert.strictEqual(yield* text(run, "transcript.txt"), "Guten Tag.\nEs kostet 12 Euro.\n");
    }).pipe(Effect.provide(hearing(undefined, { ...video(), analyst: FakeAnalyst.layer() })))
  );

  const WITH_GAPS: TranscribedSpeech = {
    ...WORDS,
    segments: [
      {
        startSeconds: 1,
        endSeconds: 2.5,
        text: "Guten Tag.",
        speaker: "A",
        words: [
          { text: "Guten", startSeconds: 1, endSeconds: 1.5 },
          { text: "Tag.", startSeconds: 1.6, endSeconds: 2.5 }
        ]
      }
    ],
    gaps: [{ startSeconds: 98.4, endSeconds: 101.7 }]
  };

  it.effect("names in file and warning where the model had no words, and keeps words and speakers", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const run = yield* runToEnd(accountId, asked);
      assert.strictEqual(kept(run), PRICE);
      assert.match(completeView(run).warnings.join(), /gaps where the speech model.*: 01:38 to 01:41\./u);
      const { gaps, segments } = JSON.parse(yield* text(run, "transcript.json"));
      assert.deepStrictEqual(gaps, [{ startSec: 98.4, endSec: 101.7 }]);
      assert.deepStrictEqual(segments, [
        {
          startSec: 1,
          endSec: 2.5,
          text: "Guten Tag.",
          words: [
            { text: "Guten", startSec: 1, endSec: 1.5 },
            { text: "Tag.", startSec: 1.6, endSec: 2.5 }
          ],
          speaker: "A"
        }
      ]);
    }).pipe(Effect.provide(hearing(Effect.succeed(WITH_GAPS))))
  );

  it.effect("of which the model was unsure says so, with words or without", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const run = yield* runToEnd(accountId, asked);
      assert.include(completeView(run).warnings.join(), "The speech model was unsure");
    }).pipe(Effect.provide(hearing(Effect.succeed({ ...WORDS, isUnsure: true }))))
  );
});
