/**
 * Extracts video frames in one pass over the key frames, about twenty times cheaper than decoding everything. Videos
 * with hardly any key frames are decoded. A model gets scene changes first, the rest evenly spread. Tests: chooseFrames.test.ts.
 */
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import type { Conversion } from "../../programs/Ffmpeg.ts";
import { options, type ProcessFailed } from "@winnow/isolation/process/BoundedProcess";
import { type Frame, FRAME_SIDE_PIXELS } from "./MediaReader.ts";
import type { LocalMedia } from "../../programs/LocalMedia.ts";

/** A candidate key frame. */
export interface FrameCandidate {
  /** Number of its file, from 1. */
  readonly number: number;
  readonly atSeconds: number;
  /** ffmpeg's scene score, 0 to 1. */
  readonly sceneScore: number;
}

/** Minimum score of a new scene (ffmpeg's documentation of `select` suggests 0.3 to 0.5). */
const SCENE_SCORE_MIN = 0.3;

/** Maximum share of frames used for scenes, so that fast cuts leave room for the rest. */
const SCENES_SHARE_MAX = 0.5;

const nearest = (candidates: ReadonlyArray<FrameCandidate>, atSeconds: number): FrameCandidate | null =>
  candidates.reduce<FrameCandidate | null>(
    (best, each) =>
      best === null || Math.abs(each.atSeconds - atSeconds) < Math.abs(best.atSeconds - atSeconds)
        ? each
        : best,
    null
  );

/** In order of time, at most `framesMax`; all of them if there are no more. */
export const chooseFrames = (
  candidates: ReadonlyArray<FrameCandidate>,
  framesMax: number
): ReadonlyArray<FrameCandidate> => {
  const inTime = candidates.toSorted((left, right) => left.atSeconds - right.atSeconds);
  if (inTime.length <= framesMax) return inTime;
  const scenes = inTime
    .filter(({ sceneScore }) => sceneScore >= SCENE_SCORE_MIN)
    .toSorted((left, right) => right.sceneScore - left.sceneScore)
    .slice(0, Math.floor(framesMax * SCENES_SHARE_MAX));
  const chosen = new Set(scenes);
  const evenly = framesMax - chosen.size;
  const startSeconds = inTime[0]?.atSeconds ?? 0;
  const spanSeconds = (inTime.at(-1)?.atSeconds ?? 0) - startSeconds;
  for (let index = 0; index < evenly; index++) {
    const target = startSeconds + ((index + 0.5) / evenly) * spanSeconds;
    const frame = nearest(
      inTime.filter((each) => !chosen.has(each)),
      target
    );
    if (frame !== null) chosen.add(frame);
  }
  return inTime.filter((each) => chosen.has(each));
};

/** Candidates per requested frame: enough to choose scenes from. */
const CANDIDATES_PER_FRAME = 4;

/** Minimum distance of candidates: anything shown for less time is a transition. */
const GAP_MIN_SECONDS = 0.5;

/** If key frames are further apart than this, they show too little of a video. */
const KEY_FRAME_EVERY_SECONDS = 20;

/** This many key frames are enough for a long video. */
const KEY_FRAMES_ENOUGH = 16;

/** A frame of this side length has less than 200 kB. */
const FRAME_BYTES_MAX = 2 ** 20;

/** Two lines per candidate. */
const LIST_BYTES_MAX = 2 ** 20;

const SEEN = "seen.txt";
const KEPT_FRAMES = "kept.txt";

/** Times and scores of all candidates, then only of those that differ from the previous one: one file each. */
const filters = (gapSeconds: number): string =>
  [
    `select='isnan(prev_selected_t)+gte(t-prev_selected_t\\,${gapSeconds.toFixed(3)})'`,
    `scale='min(${FRAME_SIDE_PIXELS},iw)':'min(${FRAME_SIDE_PIXELS},ih)':` +
      "force_original_aspect_ratio=decrease:force_divisible_by=2:out_range=pc",
    "format=yuvj420p",
    "select='gte(scene\\,0)'",
    `metadata=print:file=${SEEN}`,
    "mpdecimate",
    `metadata=print:file=${KEPT_FRAMES}`
  ].join(",");

/** The output of ffmpeg's `metadata=print`: two lines per frame. */
export const readCandidates = (text: string): ReadonlyArray<FrameCandidate> =>
  [...text.matchAll(/pts_time:(-?[\d.]+)\s+lavfi\.scene_score=([\d.]+)/gu)].map(([, time, score], index) => ({
    number: index + 1,
    atSeconds: Math.max(0, Number(time)),
    sceneScore: Number(score)
  }));

const readText = ({ read }: Conversion, name: string): Effect.Effect<string> =>
  Effect.map(read(name, LIST_BYTES_MAX), (bytes) => bytes?.toString("utf8") ?? "");

interface Pass {
  readonly seen: number;
  readonly kept: ReadonlyArray<FrameCandidate>;
  readonly readFrame: (number: number) => Effect.Effect<Buffer | null>;
}

const pass = Effect.fnUntraced(function* (
  { ffmpeg, folder, path, durationSeconds }: LocalMedia,
  candidatesMax: number,
  skip: "nokey" | "noref"
): Effect.fn.Return<Pass, ProcessFailed, Scope.Scope> {
  const gapSeconds = Math.max(GAP_MIN_SECONDS, durationSeconds / candidatesMax);
  const conversion = yield* ffmpeg.convert(
    folder,
    [path],
    [
      ...options(`-map 0:v:0 -vf ${filters(gapSeconds)} -vsync vfr -q:v 5 -f image2`),
      ...options(`-frames:v ${candidatesMax + 1}`),
      `${skip}_%04d.jpg`
    ],
    () => ["-skip_frame", skip]
  );
  return {
    seen: readCandidates(yield* readText(conversion, SEEN)).length,
    kept: readCandidates(yield* readText(conversion, KEPT_FRAMES)),
    readFrame: (number) => conversion.read(`${skip}_${String(number).padStart(4, "0")}.jpg`, FRAME_BYTES_MAX)
  };
});

/** Output written before a failure is used: a damaged end does not spoil the beginning. */
export const extractFrames = Effect.fnUntraced(function* (
  media: LocalMedia,
  framesMax: number
): Effect.fn.Return<ReadonlyArray<Frame>, ProcessFailed, Scope.Scope> {
  const candidatesMax = framesMax * CANDIDATES_PER_FRAME;
  const expected = Math.min(KEY_FRAMES_ENOUGH, Math.ceil(media.durationSeconds / KEY_FRAME_EVERY_SECONDS));
  const byKey = yield* pass(media, candidatesMax, "nokey");
  const enough = byKey.seen >= expected;
  // Decoding everything may time out; the few key frames already exist.
  const all = enough ? byKey : yield* Effect.orElseSucceed(pass(media, candidatesMax, "noref"), () => byKey);
  const { kept, readFrame } = all.kept.length > byKey.kept.length ? all : byKey;
  const frames = yield* Effect.forEach(chooseFrames(kept, framesMax), ({ number, atSeconds }) =>
    Effect.map(readFrame(number), (jpeg) => (jpeg === null ? [] : [{ atSeconds, jpeg } satisfies Frame]))
  );
  return frames.flat();
});
