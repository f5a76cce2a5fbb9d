/** Finds the audible parts of a recording from its levels, and places to cut it between words. Tests: SpokenSegments.test.ts. */

import { roundedSeconds } from "@winnow/core/domain/text/Milliseconds";
import type { Stretch } from "@winnow/core/domain/transcript/CaptionTimes";

/** Interval of levels, in seconds. */
export const LEVEL_STEP_SECONDS = 0.1;

/** Minimum length of a pause in speech, in seconds. */
const PAUSE_SECONDS_MIN = 0.4;

/** A pause of at least this length is left out of all chunks, because speech models invent words over silence. */
const LEFT_OUT_SECONDS_MIN = 20;

/** How much of a long pause is kept on either side, in seconds, because words begin softly. */
const MARGIN_SECONDS = 0.5;

/** Shorter sounds are clicks, in seconds. */
const SOUND_SECONDS_MIN = 0.2;

/** Sound this much softer than the loudest part is not speech, in dB, within the absolute limits below. */
const BELOW_LOUDEST_DB = 30;
const SILENCE_DB_MIN = -60;
const SILENCE_DB_MAX = -40;

/** The loudest two seconds are ignored, since they may be bangs. */
const LOUDEST_STEPS = 20;

export interface SoundLevels {
  /** RMS in dBFS per step; `-Infinity` for digital silence. */
  readonly levels: ReadonlyArray<number>;
  /** Threshold of silence, in dBFS. */
  readonly silenceDb: number;
}

export const soundLevels = (levels: ReadonlyArray<number>): SoundLevels => {
  const sorted = levels.toSorted((left, right) => right - left);
  const loudest = sorted[Math.min(LOUDEST_STEPS, sorted.length - 1)] ?? Number.NEGATIVE_INFINITY;
  return {
    levels,
    silenceDb: Math.min(SILENCE_DB_MAX, Math.max(SILENCE_DB_MIN, loudest - BELOW_LOUDEST_DB))
  };
};

const stepOf = (seconds: number): number => Math.round(seconds / LEVEL_STEP_SECONDS);
const secondsOf = (step: number): number => roundedSeconds(step * LEVEL_STEP_SECONDS);

const isSilent = ({ levels, silenceDb }: SoundLevels, step: number): boolean =>
  (levels[step] ?? Number.NEGATIVE_INFINITY) < silenceDb;

/** Audible seconds within a section. */
export const soundSeconds = (sound: SoundLevels, { startSeconds, endSeconds }: Stretch): number => {
  const end = Math.min(sound.levels.length, Math.max(stepOf(endSeconds), stepOf(startSeconds) + 1));
  let steps = 0;
  for (let step = Math.max(0, stepOf(startSeconds)); step < end; step++) if (!isSilent(sound, step)) steps++;
  return secondsOf(steps);
};

/** Silence before and after a stretch that helps a recogniser to notice its first and last word. */
const LEAD_STEPS_MAX = 20;

/** The stretch with up to two seconds of the silence around it. */
export const withSilenceAround = (sound: SoundLevels, { startSeconds, endSeconds }: Stretch): Stretch => {
  let [start, end] = [stepOf(startSeconds), stepOf(endSeconds)];
  const [first, last] = [
    Math.max(0, start - LEAD_STEPS_MAX),
    Math.min(sound.levels.length, end + LEAD_STEPS_MAX)
  ];
  while (start > first && isSilent(sound, start - 1)) start -= 1;
  while (end < last && isSilent(sound, end)) end += 1;
  return { startSeconds: secondsOf(start), endSeconds: secondsOf(end) };
};

/** Ranges of silent steps; `end` is exclusive. */
const pausesIn = (sound: SoundLevels, from: number, to: number) => {
  const pauses: Array<{ readonly start: number; readonly end: number }> = [];
  let start = from;
  for (let step = from; step <= to; step++) {
    if (step < to && isSilent(sound, step)) continue;
    if (step > start) pauses.push({ start, end: step });
    start = step + 1;
  }
  return pauses;
};

/**
 * If a chunk must be cut within speech, it is cut at a step this much softer than its neighbours, in dB, or as late
 * as possible.
 */
const SOFTER_DB = 6;

/** The middle of the longest pause in the second half of what fits, else a softer step, else the end. */
const cutStep = (sound: SoundLevels, start: number, latest: number): number => {
  const from = start + Math.ceil((latest - start) / 2);
  const pauses = pausesIn(sound, from, latest).filter(
    (pause) => pause.end - pause.start >= stepOf(PAUSE_SECONDS_MIN)
  );
  const [longest] = pauses.toSorted((left, right) => right.end - right.start - (left.end - left.start));
  if (longest !== undefined) return Math.floor((longest.start + longest.end) / 2);
  const levelOf = (step: number): number => sound.levels[step] ?? 0;
  let softest = latest;
  for (let step = latest - 1; step >= from; step--) {
    if (levelOf(step) < levelOf(softest) - SOFTER_DB) softest = step;
  }
  return softest;
};

const cutOf = (sound: SoundLevels, start: number, end: number, stepsMax: number): ReadonlyArray<number> => {
  const cuts: Array<number> = [];
  let from = start;
  while (end - from > stepsMax) {
    from = cutStep(sound, from, from + stepsMax);
    cuts.push(from);
  }
  return cuts;
};

/** Split at long pauses, which are left out. */
const sounding = (sound: SoundLevels, start: number, end: number) => {
  const pauses = pausesIn(sound, start, end).filter(
    (pause) => pause.end - pause.start >= stepOf(LEFT_OUT_SECONDS_MIN)
  );
  const margin = stepOf(MARGIN_SECONDS);
  const borders = [
    { start, end: start },
    ...pauses.map((pause) => ({
      start: pause.start === start ? start : pause.start + margin,
      end: pause.end === end ? end : pause.end - margin
    })),
    { start: end, end }
  ];
  return borders
    .slice(1)
    .map((border, index) => ({ start: borders[index]?.end ?? start, end: border.start }));
};

/**
 * The audible sections of a recording in order, at most `secondsMax` long, split in pauses or at the softest step.
 * Empty for a silent recording.
 */
export const cutAtSilence = (
  sound: SoundLevels,
  secondsMax: number,
  { startSeconds, endSeconds }: Stretch = {
    startSeconds: 0,
    endSeconds: secondsOf(sound.levels.length)
  }
): ReadonlyArray<Stretch> =>
  sounding(sound, stepOf(startSeconds), Math.min(stepOf(endSeconds), sound.levels.length))
    .flatMap(({ start, end }) => {
      const borders = [start, ...cutOf(sound, start, end, stepOf(secondsMax)), end];
      return borders.slice(1).map((border, index) => ({
        startSeconds: secondsOf(borders[index] ?? start),
        endSeconds: secondsOf(border)
      }));
    })
    .filter((stretch) => soundSeconds(sound, stretch) >= SOUND_SECONDS_MIN);
