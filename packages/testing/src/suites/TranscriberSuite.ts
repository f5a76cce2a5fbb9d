/**
 * What every implementation of Transcriber promises, on recordings that the caller has for its model.
 * Run by LocalTranscriber.test.ts, OpenAiTranscriber.suite.test.ts.
 */
import { assert, layer as withLayer, type Vitest } from "@effect/vitest";
import { SPEECH_FAILURE_REASONS } from "@winnow/core/domain/source/Failed";
import type { FetchedFile } from "@winnow/core/ports/Downloader";
import type { StepProgress } from "@winnow/core/domain/run/RunProgress";
import { CurrentRun, type Run, runFor } from "@winnow/core/ports/CurrentRun";
import { type TranscribedSpeech, Transcriber } from "@winnow/core/ports/Transcriber";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import type * as Layer from "effect/Layer";

/** What is said, and when. */
export interface Utterance {
  /** Compared without case and punctuation. */
  readonly text: string;
  readonly startSeconds: number;
  readonly endSeconds: number;
}

export interface TranscriberRecordings {
  readonly spoken: {
    readonly file: FetchedFile;
    readonly durationSeconds: number;
    /** In order; the recording says nothing else. */
    readonly utterances: ReadonlyArray<Utterance>;
  };
  /** Has an audio track in which nobody speaks. */
  readonly silent: FetchedFile;
  /** Has no audio track. */
  readonly soundless: FetchedFile;
}

/** Recognisers place a word within a breath. */
const TOLERANCE_SECONDS = 0.6;

/** A real model on a busy machine. */
const TEST_MS = 120_000;

const folded = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();

const transcribe = (file: FetchedFile, over: Partial<Run> = {}) =>
  Transcriber.use((transcriber) => transcriber.transcribe(file, { language: null })).pipe(
    Effect.provideService(CurrentRun, runFor("acc_test", over))
  );

const speechOf = (speech: TranscribedSpeech | null): TranscribedSpeech => speech ?? assert.fail("no sound");

const speech = (it: Vitest.MethodsNonLive, { spoken, silent, soundless }: TranscriberRecordings): void => {
  const { durationSeconds, file, utterances } = spoken;

  it.effect(
    "what is said is written down once, in order, at its times",
    () =>
      Effect.gen(function* () {
        const { gaps = [], segments } = speechOf(yield* transcribe(file));
        assert.strictEqual(
          folded(segments.map(({ text }) => text).join(" ")),
          folded(utterances.map(({ text }) => text).join(" "))
        );
        const [first, last] = [utterances[0], utterances.at(-1)];
        assert.approximately(segments[0]?.startSeconds ?? 0, first?.startSeconds ?? 0, TOLERANCE_SECONDS);
        assert.approximately(segments.at(-1)?.endSeconds ?? 0, last?.endSeconds ?? 0, TOLERANCE_SECONDS);
        assert.deepStrictEqual(gaps, []);
        let before = 0;
        for (const { startSeconds, endSeconds } of segments) {
          assert.isAtLeast(startSeconds, before);
          assert.isAtLeast(endSeconds, startSeconds);
          assert.isAtMost(endSeconds, durationSeconds + TOLERANCE_SECONDS);
          before = startSeconds;
        }
      }),
    TEST_MS
  );

  it.effect(
    "words that are reported are those of their segment, within its times",
    () =>
      Effect.gen(function* () {
        const { segments } = speechOf(yield* transcribe(file));
        for (const { words, text, startSeconds, endSeconds } of segments) {
          if (words === undefined) continue;
          assert.strictEqual(folded(words.map((word) => word.text).join(" ")), folded(text));
          for (const word of words) {
            assert.isAtLeast(word.startSeconds, startSeconds);
            assert.isAtMost(word.endSeconds, endSeconds);
          }
        }
      }),
    TEST_MS
  );

  it.effect(
    "progress begins with nothing, never goes back, and ends with the whole recording",
    () =>
      Effect.gen(function* () {
        const seen: Array<Extract<StepProgress, { readonly step: "transcribing" }>> = [];
        const report: Run["report"] = (progress) =>
          Effect.sync(() => (progress.step === "transcribing" ? void seen.push(progress) : assert.fail()));
        yield* transcribe(file, { report });
        assert.strictEqual(seen[0]?.doneSeconds, 0);
        assert.strictEqual(seen.at(-1)?.doneSeconds, seen.at(-1)?.totalSeconds);
        let before = 0;
        for (const { doneSeconds, totalSeconds } of seen) {
          assert.isAtLeast(doneSeconds, before);
          assert.approximately(totalSeconds, durationSeconds, 1);
          before = doneSeconds;
        }
      }),
    TEST_MS
  );

  it.effect(
    "a recording in which nobody speaks has no segments, which is no failure",
    () =>
      Effect.gen(function* () {
        const { gaps = [], segments } = speechOf(yield* transcribe(silent));
        assert.deepStrictEqual([segments, gaps], [[], []]);
      }),
    TEST_MS
  );

  it.effect(
    "a file without an audio track has no transcript at all",
    () => Effect.map(transcribe(soundless), (heard) => assert.isNull(heard)),
    TEST_MS
  );

  it.effect(
    "interruption ends it",
    () =>
      Effect.gen(function* () {
        const begun = yield* Deferred.make<void>();
        const report = () => Effect.asVoid(Deferred.succeed(begun, undefined));
        const running = yield* Effect.forkChild(transcribe(file, { report }));
        yield* Deferred.await(begun);
        yield* Fiber.interrupt(running);
      }),
    TEST_MS
  );
};

/** `broken` is the same implementation with a model that cannot answer. */
export const suite = <E, E2>(
  name: string,
  layer: Layer.Layer<never, E>,
  {
    broken,
    recordings
  }: { readonly broken: Layer.Layer<never, E2>; readonly recordings: TranscriberRecordings }
): void => {
  withLayer(layer, { excludeTestServices: true })(`Transcriber: ${name}`, (it) => speech(it, recordings));
  withLayer(broken, { excludeTestServices: true })(`Transcriber: ${name}, broken`, (it) => {
    it.effect(
      "a model that cannot answer is a failure of speech, never a recording without words",
      () =>
        Effect.gen(function* () {
          const failed = yield* Effect.flip(transcribe(recordings.spoken.file));
          assert.include(SPEECH_FAILURE_REASONS, failed.reason);
          assert.match(failed.message, /^[A-Z].*\.$/u);
          assert.notMatch(failed.message, /https?:|\/|\d{2,}/u);
        }),
      TEST_MS
    );
  });
};
