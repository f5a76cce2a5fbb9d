/**
 * Where something sounds in a recording, read off its levels, and where to cut it without cutting a word.
 */

/** Time between two levels, in seconds. */
export const LEVEL_STEP_SECONDS = 0.1;

/** A stretch of a recording, in seconds from its start. */
export interface Stretch {
  readonly startSeconds: number;
  readonly endSeconds: number;
}

/** Pauses in speech are longer than this, in seconds. */
const PAUSE_SECONDS_MIN = 0.4;

/** A pause this long is not part of any piece: speech models invent words over it. */
const LEFT_OUT_SECONDS_MIN = 20;

/** Kept of a long pause on either side of what sounds, in seconds: words begin softly. */
const MARGIN_SECONDS = 0.5;

/** What sounds shorter than this is a click, in seconds. */
export const SOUND_SECONDS_MIN = 0.2;

/** What is this much softer than the loudest of the recording is not speech, in dB, within limits that hold for all. */
const BELOW_LOUDEST_DB = 30;
const SILENCE_DB_MIN = -60;
const SILENCE_DB_MAX = -40;

/** The loudest two seconds may be bangs. */
const LOUDEST_STEPS = 20;

export interface SoundLevels {
  /** RMS in dBFS of each step; `-Infinity` for digital silence. */
  readonly levels: ReadonlyArray<number>;
  /** What is softer is silence, in dBFS. */
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
const secondsOf = (step: number): number => Math.round(step * LEVEL_STEP_SECONDS * 1_000) / 1_000;

const isSilent = ({ levels, silenceDb }: SoundLevels, step: number): boolean =>
  (levels[step] ?? Number.NEGATIVE_INFINITY) < silenceDb;

/** Of a stretch, how much of it sounds, in seconds. */
export const soundSeconds = (sound: SoundLevels, { startSeconds, endSeconds }: Stretch): number => {
  const end = Math.min(sound.levels.length, Math.max(stepOf(endSeconds), stepOf(startSeconds) + 1));
  let steps = 0;
  for (let step = Math.max(0, stepOf(startSeconds)); step < end; step++) if (!isSilent(sound, step)) steps++;
  return secondsOf(steps);
};

/** Runs of silent steps, `end` not included. */
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

/** A word is cut in two at a step that is much softer than its neighbours, or as late as can be: this much, in dB. */
const SOFTER_DB = 6;

/** The middle of the longest pause in the second half of what fits; else where it is much softer; else its end. */
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

/** Parted by pauses that are left out, without what is silent. */
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
 * The stretches of a recording that sound, in their order, none longer than `secondsMax`: parted in pauses, or where
 * it is softest. None of a silent one.
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
