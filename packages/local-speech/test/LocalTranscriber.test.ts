// @module-tag long
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import type { FetchedFile } from "@winnow/core/ports/Downloader";
import { CurrentRun, type Run, runFor } from "@winnow/core/ports/CurrentRun";
import { Transcriber } from "@winnow/core/ports/Transcriber";
import { suite } from "@winnow/testing/suites/TranscriberSuite";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Layer from "effect/Layer";
import * as LocalTranscriber from "../src/LocalTranscriber.ts";
import { findLocalModel, type LocalModel } from "../src/SpeechModels.ts";
import { ffmpeg, fileOf, temporaryFolder } from "@winnow/adapters/test/model/inputs/media";
import { until } from "@winnow/isolation/test/until";
import { makeToneModel, makeTones, type Tone } from "./toneModel.ts";

const folder = temporaryFolder();
const modelsDir = join(folder, "models");
makeToneModel(modelsDir);

const modelOf = (name: string): LocalModel => {
  const found = findLocalModel(name, modelsDir);
  return "problem" in found ? assert.fail(found.problem) : found;
};

const model = modelOf("tones");

const transcriber = (used: LocalModel): Layer.Layer<never> =>
  Layer.orDie(LocalTranscriber.layer({ model: used, threads: 1, workDir: join(folder, "work") }));

/** A word every two seconds. */
const TALK: ReadonlyArray<Tone> = (["one", "two", "three", "two", "one"] as const).map((word, index) => ({
  word,
  startSeconds: 1 + 2 * index
}));
const talk = makeTones(folder, "talk.wav", 45, TALK);

await ffmpeg(folder, ..."-f lavfi -i color=red:size=64x64:rate=5:duration=1 -an red.mp4".split(" "));

const brokenModel = (): LocalModel => {
  const path = join(folder, "broken.onnx");
  writeFileSync(path, "no model");
  return { ...model, files: { family: "senseVoice", model: path, tokens: model.files.tokens } };
};

suite("a model on this machine", transcriber(model), {
  broken: transcriber(brokenModel()),
  recordings: {
    spoken: {
      file: talk,
      durationSeconds: 45,
      utterances: TALK.map(({ startSeconds, word }) => ({
        text: word ?? "",
        startSeconds,
        endSeconds: startSeconds + 0.6
      }))
    },
    silent: makeTones(folder, "silent.wav", 5, []),
    soundless: fileOf(folder, "red.mp4")
  }
});

const transcribe = (file: FetchedFile, over: Partial<Run> = {}) =>
  Transcriber.use((port) => port.transcribe(file, { language: null })).pipe(
    Effect.provideService(CurrentRun, runFor("acc_test", over)),
    Effect.map((speech) => speech ?? assert.fail("no sound")),
    Effect.provide(transcriber(model))
  );

/** Processes whose command line has the entry of the recogniser. */
const recognisers = (): number =>
  readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/u.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("RecogniserHost");
    } catch {
      return false;
    }
  }).length;

describe("a model on this machine", () => {
  it.live("says which language, and when each word was said", () =>
    Effect.gen(function* () {
      const { language, segments } = yield* transcribe(talk);
      assert.strictEqual(language, "en");
      const [first] = segments[1]?.words ?? [];
      assert.strictEqual(first?.text, "two");
      assert.closeTo(first?.startSeconds ?? 0, 3, 0.2);
    })
  );

  it.live("names speech that it has no words for", () =>
    Effect.gen(function* () {
      const tones: ReadonlyArray<Tone> = [
        { word: "one", startSeconds: 1 },
        { word: null, startSeconds: 4, lengthSeconds: 2 },
        { word: "two", startSeconds: 8 }
      ];
      const { gaps = [], segments } = yield* transcribe(makeTones(folder, "hum.wav", 10, tones));
      assert.deepStrictEqual(
        segments.map(({ text }) => text),
        ["one", "two"]
      );
      assert.lengthOf(gaps, 1);
      assert.closeTo(gaps[0]?.startSeconds ?? 0, 4, 0.3);
      assert.closeTo(gaps[0]?.endSeconds ?? 0, 6, 0.3);
    })
  );

  it.live("hears speech without a pause in pieces of less than half a minute, and loses none of it", () =>
    Effect.gen(function* () {
      const words = ["one", "two", "three", "one", "three", "two", "one"] as const;
      const tones = words.map((word, index) => ({ word, startSeconds: 2 + 10 * index, lengthSeconds: 10 }));
      const { segments } = yield* transcribe(makeTones(folder, "long.wav", 75, tones));
      const lengths = segments.map(({ endSeconds, startSeconds }) => endSeconds - startSeconds);
      assert.isBelow(Math.max(...lengths), 28.1);
      assert.closeTo(
        lengths.reduce((sum, length) => sum + length, 0),
        70,
        0.5
      );
    })
  );

  it.live("ends with its run", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>();
      const report = () => Effect.asVoid(Deferred.succeed(begun, undefined));
      const running = yield* Effect.forkChild(transcribe(talk, { report }));
      yield* Deferred.await(begun);
      yield* Fiber.interrupt(running);
      yield* until(() => recognisers() === 0);
    })
  );
});
