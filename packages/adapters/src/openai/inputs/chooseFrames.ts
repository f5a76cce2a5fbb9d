/**
 * Which of a video's key frames a model sees: changes of scene first, the rest spread evenly. Pure.
 */

/** A key frame that could be sent. */
export interface FrameCandidate {
  /** Number of its file, from 1. */
  readonly number: number;
  readonly atSeconds: number;
  /** ffmpeg's measure of how new the picture is, 0 to 1. */
  readonly sceneScore: number;
}

/** From here on a picture is a new scene (ffmpeg's documentation of `select` says 0.3 to 0.5). */
const SCENE_SCORE_MIN = 0.3;

/** Of all frames, the most that scenes may take: fast cuts must not use up what shows the rest. */
const SCENES_SHARE_MAX = 0.5;

const nearest = (candidates: ReadonlyArray<FrameCandidate>, atSeconds: number): FrameCandidate | null =>
  candidates.reduce<FrameCandidate | null>(
    (best, each) =>
      best === null || Math.abs(each.atSeconds - atSeconds) < Math.abs(best.atSeconds - atSeconds)
        ? each
        : best,
    null
  );

/** In the order of time, `framesMax` at most; all of them when there are no more. */
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
