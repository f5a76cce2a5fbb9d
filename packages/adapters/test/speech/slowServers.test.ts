/**
 * A talk of 55 minutes on recognisers of different speeds, on a clock of its own: a server that works on one chunk
 * at a time, and gives up nothing.
 */
import { assert, describe, it } from "@effect/vitest";
import { Failed } from "@winnow/core/domain/source/Failed";
import { LEVEL_STEP_SECONDS, cutAtSilence, soundLevels } from "../../src/speech/SoundLevels.ts";
import * as Clock from "effect/Clock";
import type { StepProgress } from "@winnow/core/domain/run/RunProgress";
import { CurrentRun, type Run, runFor } from "@winnow/core/ports/CurrentRun";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Semaphore from "effect/Semaphore";
import * as TestClock from "effect/testing/TestClock";
import { SpeechClient, type TranscriptionRequest } from "../../src/speech/SpeechClient.ts";
import type { RecordedSound } from "../../src/speech/SoundReader.ts";
import { transcribeSound } from "../../src/speech/transcribeSound.ts";

const MINUTE_SECONDS = 60;
const TALK_SECONDS = 55 * MINUTE_SECONDS;

const MP3 = new Uint8Array([1, 2, 3]);

/** Four seconds of speech, half a second of pause. */
const levels = soundLevels(
  Array.from({ length: TALK_SECONDS / LEVEL_STEP_SECONDS }, (_, step) => (step % 45 < 40 ? -20 : -70))
);

const talk: RecordedSound = {
  levels,
  pieces: (secondsMax, stretch) =>
    Effect.succeed(
      cutAtSilence(levels, secondsMax, stretch).map((each) => ({ ...each, read: Effect.succeed(MP3) }))
    )
};

const timeout = new Failed({ reason: "speech_timeout", message: "Too slow." });

/** What the server was asked for, and how long each request waited and worked. */
interface Seen {
  readonly requests: Array<TranscriptionRequest>;
  readonly waits: Array<number>;
  atOnce: number;
  atOnceMax: number;
}

/** A recogniser that needs `speed` seconds for a second of sound, within the limit of a transcription. */
const recogniser = (seen: Seen, speed: number, parallel: number, hasTimes: boolean) =>
  Effect.map(Semaphore.make(parallel), (turns) => {
    const transcribe = Effect.fnUntraced(function* (request: TranscriptionRequest) {
      seen.requests.push(request);
      seen.atOnce += 1;
      seen.atOnceMax = Math.max(seen.atOnceMax, seen.atOnce);
      const { soundSeconds } = request;
      const beganMs = yield* Clock.currentTimeMillis;
      yield* turns
        .withPermits(1)(Effect.sleep(1_000 * speed * soundSeconds))
        .pipe(
          Effect.timeoutOrElse({
            duration: 60_000 + 4_000 * soundSeconds,
            orElse: () => Effect.fail(timeout)
          }),
          Effect.ensuring(Effect.sync(() => (seen.atOnce -= 1)))
        );
      seen.waits.push((yield* Clock.currentTimeMillis) - beganMs);
      const segments = Array.from({ length: Math.floor(soundSeconds / 4.5) }, (_, index) => ({
        text: `Sentence ${index} of ${Math.round(soundSeconds)} has six words.`,
        startSeconds: index * 4.5,
        endSeconds: index * 4.5 + 4
      }));
      return {
        text: segments.map(({ text }) => text).join(" "),
        segments: hasTimes ? segments : [],
        hasTimes,
        silentCount: 0,
        removedCount: 0,
        isSure: true,
        language: "english"
      };
    });
    return SpeechClient.of({ model: "ear", transcribe });
  });

/** Transcribes the talk; how long it took, in seconds of the clock. */
const transcribed = Effect.fnUntraced(function* (speed: number, parallel = 1, hasTimes = true) {
  const seen: Seen = { requests: [], waits: [], atOnce: 0, atOnceMax: 0 };
  const progress: Array<StepProgress> = [];
  const report: Run["report"] = (now) => Effect.sync(() => void progress.push(now));
  const client = yield* recogniser(seen, speed, parallel, hasTimes);
  const running = yield* Effect.forkChild(
    Effect.timed(Effect.result(transcribeSound(talk, null))).pipe(
      Effect.provideService(SpeechClient, client),
      Effect.provideService(CurrentRun, runFor("acc_test", { report }))
    ),
    { startImmediately: true }
  );
  while (running.pollUnsafe() === undefined) {
    // Reading a chunk is real and takes no time of this clock.
    if (seen.atOnce > 0) yield* TestClock.adjust("1 second");
    yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)));
  }
  const [took, result] = yield* Fiber.join(running);
  return { result, tookSeconds: Number(took) / 1_000, seen, progress };
});

describe("a talk of 55 minutes", () => {
  it.effect("is transcribed by a server with real-time factor 0.3 that works on one chunk at a time", () =>
    Effect.gen(function* () {
      const { result, seen, progress } = yield* transcribed(0.3);
      assert.strictEqual(result._tag, "Success");
      const sent = seen.requests.reduce((sum, { soundSeconds }) => sum + soundSeconds, 0);
      assert.closeTo(sent, TALK_SECONDS, 1);
      assert.strictEqual(new Set(seen.requests.map(({ filename }) => filename)).size, seen.requests.length);
      assert.isAtMost(Math.max(...seen.requests.map(({ soundSeconds }) => soundSeconds)), 120);
      // Far below the limit of 540 s: two others are waited for.
      assert.isBelow(Math.max(...seen.waits), 120_000);
      assert.isAbove(progress.length, 25);
      const whole = { doneSeconds: TALK_SECONDS, totalSeconds: TALK_SECONDS };
      assert.deepStrictEqual(progress.at(-1), { step: "transcribing", ...whole });
    })
  );

  it.effect("gets one chunk until the speed is known, then three of ten minutes on a fast server", () =>
    Effect.gen(function* () {
      const { result, seen } = yield* transcribed(0.02, 3);
      assert.strictEqual(result._tag, "Success");
      assert.isAtMost(seen.requests[0]?.soundSeconds ?? 0, 120);
      assert.strictEqual(seen.atOnceMax, 3);
      // Cut in the second half of ten minutes.
      for (const { soundSeconds } of seen.requests.slice(1, -1)) assert.isAtLeast(soundSeconds, 300);
      assert.isAtMost(Math.max(...seen.requests.map(({ soundSeconds }) => soundSeconds)), 600);
    })
  );

  it.effect("gets chunks of a minute from which a server without times writes text, three at once", () =>
    Effect.gen(function* () {
      const { result, seen } = yield* transcribed(0.02, 3, false);
      assert.strictEqual(result._tag, "Success");
      assert.strictEqual(seen.atOnceMax, 3);
      assert.isAtMost(Math.max(...seen.requests.slice(1).map(({ soundSeconds }) => soundSeconds)), 60);
    })
  );

  it.effect("gets one chunk of a minute at a time on a server slower than half real time", () =>
    Effect.gen(function* () {
      const { result, seen } = yield* transcribed(3);
      assert.strictEqual(result._tag, "Success");
      assert.strictEqual(seen.atOnceMax, 1);
      assert.isAtMost(Math.max(...seen.requests.slice(1).map(({ soundSeconds }) => soundSeconds)), 60);
    })
  );

  it.effect(
    "fails on a server slower than four times the sound after one request, which is not repeated",
    () =>
      Effect.gen(function* () {
        const { result, seen } = yield* transcribed(6);
        assert.deepInclude(result, { _tag: "Failure", failure: timeout });
        assert.lengthOf(seen.requests, 1);
      })
  );
});
