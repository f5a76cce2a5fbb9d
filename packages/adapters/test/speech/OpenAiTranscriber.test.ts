// @module-tag long
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import type { FetchedFile } from "@winnow/core/ports/Downloader";
import { Transcriber } from "@winnow/core/ports/Transcriber";
import type { StepProgress } from "@winnow/core/domain/run/RunProgress";
import { CurrentRun, type Run, runFor } from "@winnow/core/ports/CurrentRun";
import * as Effect from "effect/Effect";
import { type Beep, beepsBetween, makeBeeps } from "../model/beeps.ts";
import { ffmpeg, fileOf, temporaryFolder } from "../model/inputs/media.ts";
import { transcribeAudio } from "../../src/model/media/transcribeAudio.ts";
import { listeningTo, transcriberOf } from "./transcribers.ts";
import { type Faults, fakeTranscriptionServer } from "./FakeTranscriptionServer.ts";

const folder = temporaryFolder();

/** Speech without a long pause, then one of a minute, then speech again; each takes two chunks. */
const TALK = [...beepsBetween(3, 80), ...beepsBetween(140, 208)];
const talk = makeBeeps(folder, "talk.wav", 210, TALK);

/** With pauses of several seconds, for which a model may invent text. */
const NOTES = [...beepsBetween(0, 20), ...beepsBetween(30, 50), ...beepsBetween(55, 60)];
const notes = makeBeeps(folder, "notes.wav", 62, NOTES);

/** Transcribes a recording; fails if no sound is found. */
const listen = Effect.fnUntraced(function* (file: FetchedFile, faults: Faults = {}) {
  const { baseUrl, heardSeconds } = yield* fakeTranscriptionServer(faults);
  const heard = yield* Transcriber.use(({ transcribe }) => transcribe(file, { language: null })).pipe(
    Effect.provideService(CurrentRun, runFor("acc_test")),
    Effect.provide(transcriberOf(baseUrl, join(folder, "work")))
  );
  return { heard: heard ?? assert.fail("no sound"), heardSeconds };
});

/** Asserts that each beep is found once, in order, and within half a second of its position. */
const assertHeard = (segments: ReadonlyArray<Beep>, beeps: ReadonlyArray<Beep>) => {
  assert.strictEqual(segments.length, beeps.length);
  for (const [index, { startSeconds, endSeconds }] of beeps.entries()) {
    assert.closeTo(segments[index]?.startSeconds ?? 0, startSeconds, 0.5);
    assert.closeTo(segments[index]?.endSeconds ?? 0, endSeconds, 0.5);
  }
};

describe("a recording in chunks", () => {
  it.live("is transcribed completely with timestamps, although the server takes 50 s and fails once", () =>
    Effect.gen(function* () {
      const { heard, heardSeconds } = yield* listen(talk, {
        refusesSecondsOver: 50,
        // One more than the requests of one attempt at a chunk.
        failing: { piece: 1, times: 5 }
      });
      assertHeard(heard.segments, TALK);
      assert.strictEqual(heard.language, "en");
      // The long pause is not sent, and no chunk is heard twice.
      assert.isBelow(
        heardSeconds.reduce((sum, seconds) => sum + seconds, 0),
        180
      );
    }).pipe(Effect.scoped)
  );

  it.live("is never transcribed in part: a chunk that keeps failing fails it", () =>
    Effect.gen(function* () {
      const parted = makeBeeps(folder, "parted.wav", 40, [...beepsBetween(0, 6), ...beepsBetween(34, 40)]);
      const failing = { piece: 1, times: Number.POSITIVE_INFINITY };
      const failure = yield* Effect.flip(listen(parted, { failing }));
      assert.strictEqual(failure.reason, "speech_unavailable");
    }).pipe(Effect.scoped)
  );
});

describe("a transcription", () => {
  it.live("is dropped during silence", () =>
    Effect.gen(function* () {
      const { heard } = yield* listen(notes, { invents: true });
      assertHeard(heard.segments, NOTES);
      assert.notInclude(JSON.stringify(heard.segments), "Thank you");
    }).pipe(Effect.scoped)
  );

  it.live("starts with the media, although its audio starts later", () =>
    Effect.gen(function* () {
      const late = [{ startSeconds: 0, endSeconds: 1 }];
      makeBeeps(folder, "late.wav", 5, late);
      const delayed =
        "-f lavfi -i color=black:size=64x64:rate=10:duration=12 -itsoffset 6 -i late.wav -map 0:v -map 1:a";
      yield* Effect.promise(() => ffmpeg(folder, ...delayed.split(" "), "late.mp4"));
      const file = { ...fileOf(folder, "late.mp4"), name: "video.mp4" };
      const { heard } = yield* listen(file);
      assertHeard(heard.segments, [{ startSeconds: 6, endSeconds: 7 }]);
    }).pipe(Effect.scoped)
  );
});

describe("a stretch with sound", () => {
  /** Three speakers with half a minute of silence between them; each gets a chunk of its own. */
  const THREE = [...beepsBetween(2, 6), ...beepsBetween(36, 40), ...beepsBetween(70, 74)];
  const three = makeBeeps(folder, "three.wav", 76, THREE);

  it.live("for which the model has no words, twice, is named as a gap with its times", () =>
    Effect.gen(function* () {
      const { heard } = yield* listen(three, { deafAtSeconds: 36 });
      assertHeard(heard.segments, [...beepsBetween(2, 6), ...beepsBetween(70, 74)]);
      const [gap, ...others] = heard.gaps ?? [];
      assert.isEmpty(others);
      assert.closeTo(gap?.startSeconds ?? 0, 36, 0.7);
      assert.closeTo(gap?.endSeconds ?? 0, 39.2, 0.7);
    }).pipe(Effect.scoped)
  );

  it.live("is named to the caller of an AI pass too, who sees the progress", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* fakeTranscriptionServer({ deafAtSeconds: 36 });
      const seen: Array<StepProgress> = [];
      const report: Run["report"] = (now) => Effect.sync(() => void seen.push(now));
      const heard = yield* transcribeAudio(three, [], { spokenLanguage: null }).pipe(
        Effect.provideService(CurrentRun, runFor("acc_test", { report })),
        Effect.provide(listeningTo(baseUrl, join(folder, "work")))
      );
      assert.match(heard?.warnings.join() ?? "", /gaps .*: 00:3[56] to 00:(?:39|40)\.$/u);
      const at = (doneSeconds: number) => ({ step: "transcribing", doneSeconds, totalSeconds: 76 });
      assert.deepStrictEqual([seen[0], seen.at(-1)], [at(0), at(76)]);
    }).pipe(Effect.scoped)
  );

  it.live("that begins too early for the model is sent again with the silence around it", () =>
    Effect.gen(function* () {
      const { heard } = yield* listen(three, { leadInSeconds: 1.5 });
      assertHeard(heard.segments, THREE);
      assert.isUndefined(heard.gaps);
    }).pipe(Effect.scoped)
  );

  it.live("of a minute in one segment becomes subtitles of at most seven seconds, with their words", () =>
    Effect.gen(function* () {
      const beeps = beepsBetween(1, 59);
      const file = makeBeeps(folder, "minute.wav", 60, beeps);
      const { heard } = yield* listen(file, { joins: true });
      const words = heard.segments.flatMap((segment) => segment.words ?? []);
      assertHeard(words, beeps);
      for (const { startSeconds, endSeconds, text } of heard.segments) {
        assert.isAtMost(endSeconds - startSeconds, 7);
        assert.match(text, /^[a-z].*\.$/u);
      }
    }).pipe(Effect.scoped)
  );
});

describe("a recording without speech", () => {
  it.live("has no words, and silence is not sent", () =>
    Effect.gen(function* () {
      const silent = yield* listen(makeBeeps(folder, "silent.wav", 30, []), { invents: true });
      assert.deepStrictEqual(silent.heardSeconds, []);
      const music = yield* listen(notes, { findsNoWords: true });
      assert.deepStrictEqual(music.heard, { language: null, segments: [] });
    }).pipe(Effect.scoped)
  );
});
