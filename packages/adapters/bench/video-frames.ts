/**
 * Frames of a three-minute video for a model, against one ffmpeg pass that decodes everything: time, and the memory
 * of ffmpeg. Also the preparation of the audio. `pnpm exec node bench/video-frames.ts [file]`
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import * as Effect from "effect/Effect";
import * as MediaReader from "../src/model/inputs/MediaReader.ts";
import { median } from "./timing.ts";

const run = promisify(execFile);
const ROUNDS = 5;
const FRAMES = 32;

/** GNU time reports peak memory, if it is installed. */
const TIME = "/usr/bin/time";

const ffmpeg = (folder: string, args: ReadonlyArray<string>) =>
  run("ffmpeg", ["-nostdin", "-v", "error", "-y", ...args], { cwd: folder });

/** Three scenes of a minute each, 720p, with x264's default key frames. */
const makeVideo = async (folder: string): Promise<string> => {
  const sources = ["testsrc2", "mandelbrot", "smptehdbars"].flatMap((name) => [
    "-f",
    "lavfi",
    "-t",
    "60",
    "-i",
    `${name}=size=1280x720:rate=25`
  ]);
  const rest =
    "-f lavfi -t 180 -i sine -filter_complex concat=n=3:v=1:a=0[v] -map [v] -map 3:a " +
    "-c:v libx264 -preset veryfast -pix_fmt yuv420p -c:a aac video.mp4";
  await ffmpeg(folder, [...sources, ...rest.split(" ")]);
  return join(folder, "video.mp4");
};

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
};

const memoryOf = async (folder: string, args: ReadonlyArray<string>): Promise<string> => {
  if (!existsSync(TIME)) return "unknown";
  const { stderr } = await run(TIME, ["-f", "%M", "ffmpeg", "-nostdin", "-v", "error", "-y", ...args], {
    cwd: folder
  });
  return `${Math.round(Number(stderr.trim().split("\n").at(-1)) / 1_024)} MB`;
};

const folder = await mkdtemp(join(tmpdir(), "winnow-bench-"));
const path = process.argv[2] === undefined ? await makeVideo(folder) : resolve(process.argv[2]);
const file = {
  name: "video.mp4",
  contentType: "video/mp4",
  sizeBytes: (await stat(path)).size,
  source: { _tag: "LocalFile" as const, path }
};
const plain = [
  "-i",
  path,
  "-map",
  "0:v:0",
  "-vf",
  `fps=${FRAMES}/180,scale=512:-2`,
  "-q:v",
  "5",
  "p_%04d.jpg"
];

await Effect.gen(function* () {
  const reader = yield* MediaReader.MediaReader;
  const ours: Array<number> = [];
  const theirs: Array<number> = [];
  const sounds: Array<number> = [];
  let frames = 0;
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(
      yield* Effect.promise(() =>
        timed(async () => {
          frames = (await Effect.runPromise(reader.frames(file, FRAMES))).length;
        })
      )
    );
    sounds.push(
      yield* Effect.promise(() => timed(() => Effect.runPromise(Effect.scoped(reader.sound(file)))))
    );
    theirs.push(yield* Effect.promise(() => timed(() => ffmpeg(folder, plain))));
  }
  const memory = yield* Effect.promise(() => memoryOf(folder, plain));
  const keyMemory = yield* Effect.promise(() => memoryOf(folder, ["-skip_frame", "nokey", ...plain]));
  const [own, all, sound] = [median(ours), median(theirs), median(sounds)];
  console.log(`${frames} frames by key frames: ${own.toFixed(0)} ms, ffmpeg ${keyMemory}`);
  console.log(`${FRAMES} frames by decoding all: ${all.toFixed(0)} ms, ffmpeg ${memory}`);
  console.log(`ratio ${(own / all).toFixed(3)}; sound ${sound.toFixed(0)} ms`);
  console.log(`this process: ${Math.round(process.resourceUsage().maxRSS / 1_024)} MB at most`);
}).pipe(Effect.provide(MediaReader.layer({ workDir: join(folder, "work") })), Effect.runPromise);
await rm(folder, { recursive: true, force: true });
