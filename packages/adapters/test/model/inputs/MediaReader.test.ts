// @module-tag long
import { CurrentRun, runFor } from "@winnow/core/ports/CurrentRun";
import { inRun } from "@winnow/testing/samples/samples";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Schedule from "effect/Schedule";
import sharp from "sharp";
import * as MediaReader from "../../../src/model/media/MediaReader.ts";
import * as FfmpegMediaReader from "../../../src/model/media/FfmpegMediaReader.ts";
import { SoundReader } from "../../../src/speech/SoundReader.ts";
import { chmodSync, readFileSync, readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, beforeAll, layer } from "@effect/vitest";
import type { FetchedFile } from "@winnow/core/ports/Downloader";
import type { Frame } from "../../../src/model/media/MediaReader.ts";
import { runFolders } from "../../sources/harness.ts";
import { childrenOf } from "@winnow/isolation/test/descendants";
import { COLOURS, ffmpeg, fileOf, makePicture, makeTone, makeVideo, temporaryFolder } from "./media.ts";

const SCENE_SECONDS = 4;
const X264 = "-c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac";

const folder = temporaryFolder();
const workDir = join(folder, "work");

/** The real ffmpeg, except that it never ends by itself. */
const endless = join(folder, "endless");
writeFileSync(endless, "#!/bin/sh\nexec ffmpeg -nostdin -v error -re -f lavfi -i sine -f null -\n");
chmodSync(endless, 0o755);

let video: FetchedFile;
let still: FetchedFile;
beforeAll(async () => {
  video = await makeVideo(folder, "video.mp4", { sceneSeconds: SCENE_SECONDS, options: `${X264} -g 10` });
  await ffmpeg(folder, ..."-f lavfi -i color=red:size=320x180:rate=5:duration=30 -g 5 still.mp4".split(" "));
  still = fileOf(folder, "still.mp4");
});

const dominant = async ({ jpeg }: Frame): Promise<string> => {
  const { dominant } = await sharp(jpeg).stats();
  const { r, g, b } = dominant;
  const bits = [r, g, b].map((value) => (value > 100 ? "1" : "0")).join("");
  return (
    { "100": "red", "010": "green", "001": "blue", "110": "yellow", "101": "purple", "111": "white" }[bits] ??
    (g > 60 ? "green" : r > 60 ? "purple" : bits)
  );
};

const coloursOf = (frames: ReadonlyArray<Frame>) =>
  Effect.promise(async () => [...new Set(await Promise.all(frames.map(dominant)))]);

/** Programs working in a run's folder below `workDir`; Linux only, otherwise none. */
const programs = (): ReadonlyArray<string> =>
  readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/u.test(pid) && readlinkSync(`/proc/${pid}/cwd`).startsWith(workDir);
    } catch {
      return false;
    }
  });

layer(inRun(FfmpegMediaReader.layer({ workDir })), { excludeTestServices: true })(
  "the pictures and sound of a file",
  (it) => {
    it.effect("frames show every scene, in the order of time, with their times", () =>
      Effect.gen(function* () {
        const reader = yield* MediaReader.MediaReader;
        const frames = yield* reader.frames(video, 32);
        assert.deepStrictEqual(yield* coloursOf(frames), [...COLOURS]);
        const times = frames.map(({ atSeconds }) => atSeconds);
        assert.deepStrictEqual(
          times,
          times.toSorted((left, right) => left - right)
        );
        for (const { atSeconds } of frames) {
          assert.isAtLeast(atSeconds, 0);
          assert.isBelow(atSeconds, SCENE_SECONDS * COLOURS.length);
        }
        for (const frame of frames) {
          const { width, height, format } = yield* Effect.promise(() => sharp(frame.jpeg).metadata());
          assert.deepStrictEqual({ width, height, format }, { width: 512, height: 288, format: "jpeg" });
        }
        assert.deepStrictEqual(runFolders(workDir), []);
      })
    );

    it.effect("there are never more images than requested, and a static image is sent once", () =>
      Effect.gen(function* () {
        const reader = yield* MediaReader.MediaReader;
        assert.isAtMost((yield* reader.frames(video, 4)).length, 4);
        assert.lengthOf(yield* reader.frames(still, 32), 1);
      })
    );

    it.effect("a video with a single key frame is decoded", () =>
      Effect.gen(function* () {
        const options = `${X264} -g 9999 -sc_threshold 0`;
        const sparse = yield* Effect.promise(() =>
          makeVideo(folder, "sparse.mp4", { sceneSeconds: 5, options, size: "320x180" })
        );
        const reader = yield* MediaReader.MediaReader;
        assert.deepStrictEqual(yield* coloursOf(yield* reader.frames(sparse, 32)), [...COLOURS]);
      })
    );

    it.effect("bytes do as well as a file, and VP9 as well as H.264", () =>
      Effect.gen(function* () {
        const options = "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -g 10 -c:a libvorbis";
        const webm = yield* Effect.promise(() =>
          makeVideo(folder, "video.webm", { sceneSeconds: 1, options, size: "160x90" })
        );
        const bytes = readFileSync(join(folder, "video.webm"));
        const reader = yield* MediaReader.MediaReader;
        const frames = yield* reader.frames({ ...webm, source: { _tag: "Bytes", bytes } }, 32);
        assert.isAtLeast(frames.length, COLOURS.length);
        assert.deepStrictEqual(runFolders(workDir), []);
      })
    );

    it.effect("audio is split into compressed chunks, from video and audio files alike", () =>
      Effect.gen(function* () {
        const sounds = yield* SoundReader;
        const long = yield* Effect.promise(() => makeTone(folder, "audio.m4a", 130));
        const stretches = yield* Effect.scoped(
          Effect.gen(function* () {
            const sound = yield* sounds.sound(long);
            const chunks = yield* (sound ?? assert.fail()).pieces(60);
            return yield* Effect.forEach(chunks, (chunk) =>
              Effect.map(chunk.read, ({ length }) => ({ ...chunk, length }))
            );
          })
        );
        assert.deepStrictEqual(
          stretches.map(({ startSeconds }) => startSeconds),
          [0, 60, 120]
        );
        assert.closeTo(stretches[2]?.endSeconds ?? 0, 130, 0.2);
        assert.closeTo(stretches[0]?.length ?? 0, 240_000, 5_000);
        const [one, ...others] = yield* Effect.scoped(
          Effect.flatMap(sounds.sound(video), (sound) => (sound ?? assert.fail()).pieces(600))
        );
        assert.deepStrictEqual(others, []);
        assert.closeTo(one?.endSeconds ?? 0, SCENE_SECONDS * COLOURS.length, 0.2);
        assert.deepStrictEqual(runFolders(workDir), []);
      })
    );

    it.effect("a silent video has no audio, and files other than media are not read", () =>
      Effect.gen(function* () {
        const reader = yield* MediaReader.MediaReader;
        const sounds = yield* SoundReader;
        assert.isNull(yield* Effect.scoped(sounds.sound(still)));
        writeFileSync(join(folder, "broken.mp4"), "#EXTM3U\nfile:///etc/passwd\n");
        const broken = fileOf(folder, "broken.mp4");
        assert.strictEqual((yield* Effect.flip(reader.frames(broken, 8)))._tag, "MediaUnreadable");
        assert.strictEqual((yield* Effect.flip(Effect.scoped(sounds.sound(broken))))._tag, "MediaUnreadable");
        assert.strictEqual((yield* Effect.flip(reader.picture(broken, 100)))._tag, "MediaUnreadable");
        const audio = fileOf(folder, "audio.m4a");
        assert.strictEqual((yield* Effect.flip(reader.frames(audio, 8)))._tag, "MediaUnreadable");
      })
    );

    it.effect("images of different accounts are converted in different processes", () =>
      Effect.gen(function* () {
        const reader = yield* MediaReader.MediaReader;
        const image = yield* Effect.promise(() => makePicture(folder, "image.02.jpg", "300x300"));
        const converters = () =>
          childrenOf(String(process.pid)).filter((pid) => {
            try {
              return readFileSync(`/proc/${pid}/cmdline`, "latin1").includes("PictureHost");
            } catch {
              return false; // it has just ended
            }
          });
        yield* Effect.provideService(reader.picture(image, 100), CurrentRun, runFor("acc_one"));
        const ofOne = converters();
        yield* Effect.provideService(reader.picture(image, 100), CurrentRun, runFor("acc_two"));
        assert.lengthOf(new Set([...converters(), ...ofOne]), ofOne.length + 1);
      })
    );

    it.effect("images are scaled down, never up", () =>
      Effect.gen(function* () {
        const reader = yield* MediaReader.MediaReader;
        const large = yield* Effect.promise(() => makePicture(folder, "image.01.jpg", "1200x3000"));
        const side = (jpeg: Uint8Array) =>
          Effect.promise(async () => Math.max((await sharp(jpeg).metadata()).height, 0));
        assert.strictEqual(yield* side(yield* reader.picture(large, 1_024)), 1_024);
        assert.strictEqual(yield* side(yield* reader.picture(large, 4_000)), 3_000);
      })
    );
  }
);

layer(FfmpegMediaReader.layer({ workDir, programs: { ffmpeg: endless } }), { excludeTestServices: true })(
  "what takes for ever",
  (it) => {
    it.effect("no program survives an interruption", () =>
      Effect.gen(function* () {
        const sounds = yield* SoundReader;
        const fiber = yield* Effect.forkChild(Effect.scoped(sounds.sound(video)));
        yield* Effect.suspend(() => (programs().length > 0 ? Effect.void : Effect.fail("not yet"))).pipe(
          Effect.retry({ schedule: Schedule.spaced("5 millis"), times: 10_000 })
        );
        yield* Fiber.interrupt(fiber);
        assert.deepStrictEqual(programs(), []);
        assert.deepStrictEqual(runFolders(workDir), []);
      })
    );
  }
);
