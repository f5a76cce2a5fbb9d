/** Chooses which key frames of a video a model gets: scene changes first, the rest evenly spread. Pure. */

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
