/**
 * What a model hears at once: phrases that the voice detector found, joined as far as the model's half minute goes,
 * with a breath before and after, and cut where they are longer. And the sound that may still be needed for it.
 * Change a length only with the word error rate of a real model before and after (README, "Take care").
 */
import { SAMPLE_HERTZ } from "./RecogniserMessages.ts";

/** A part of the recording, in samples; half open. */
export interface Part {
  readonly start: number;
  readonly end: number;
}

/** What the detector takes at once: the window that it was trained with. */
export const WINDOW_SAMPLES = 512;

/** With what is heard around it, less than the half minute of Whisper, which leaves out the rest. */
export const PHRASES_SAMPLES_MAX = 28 * SAMPLE_HERTZ;

/** A longer phrase is cut at the quietest place within this before the maximum. */
const CUT_SEARCH_SAMPLES = 8 * SAMPLE_HERTZ;

/** Whisper mishears single phrases: those with shorter pauses are heard together. */
const PAUSE_SAMPLES_MAX = 2 * SAMPLE_HERTZ;

/** Heard before and after, because the detector cuts closely: without it, a quarter more words are wrong. */
export const BREATH_SAMPLES = Math.round(0.3 * SAMPLE_HERTZ);

/** The recording as far as it is still needed. */
interface KeptSound {
  readonly append: (samples: Float32Array) => void;
  readonly dropBefore: (start: number) => void;
  /** Only what is kept. */
  readonly slice: (part: Part) => Float32Array;
  /** Length of the whole recording until now. */
  readonly end: () => number;
}

export const makeKeptSound = (): KeptSound => {
  let samples = new Float32Array();
  let start = 0;
  return {
    append: (more) => {
      const all = new Float32Array(samples.length + more.length);
      all.set(samples);
      all.set(more, samples.length);
      samples = all;
    },
    dropBefore: (place) => {
      const count = Math.max(0, Math.min(samples.length, place - start));
      samples = samples.slice(count);
      start += count;
    },
    slice: (part) => samples.slice(Math.max(0, part.start - start), Math.max(0, part.end - start)),
    end: () => start + samples.length
  };
};

/** The start of the quietest window of the last seconds before the maximum. */
const quietest = (samples: Float32Array): number => {
  let least = Number.POSITIVE_INFINITY;
  let place = PHRASES_SAMPLES_MAX;
  const last = PHRASES_SAMPLES_MAX - WINDOW_SAMPLES;
  for (let at = PHRASES_SAMPLES_MAX - CUT_SEARCH_SAMPLES; at <= last; at += WINDOW_SAMPLES) {
    let energy = 0;
    for (let index = at; index < at + WINDOW_SAMPLES; index++) energy += (samples[index] ?? 0) ** 2;
    if (energy < least) {
      least = energy;
      place = at;
    }
  }
  return place;
};

const cut = (sound: Pick<KeptSound, "slice">, { end, start }: Part): ReadonlyArray<Part> => {
  if (end - start <= PHRASES_SAMPLES_MAX) return [{ start, end }];
  const at = start + quietest(sound.slice({ start, end: start + PHRASES_SAMPLES_MAX }));
  return [{ start, end: at }, ...cut(sound, { start: at, end })];
};

export interface Phrases {
  /** What can be recognised now that this phrase was found. */
  readonly add: (phrase: Part) => ReadonlyArray<Part>;
  /** What is left at the end of the recording. */
  readonly end: () => ReadonlyArray<Part>;
  /** Where the sound begins that is still needed; infinite if none is. */
  readonly neededFrom: () => number;
}

/** Without `joins`, each phrase is recognised by itself, as the detector cut it. */
export const makePhrases = (sound: Pick<KeptSound, "slice">, joins: boolean): Phrases => {
  let waiting: Part | null = null;
  const take = (phrase: Part): ReadonlyArray<Part> => {
    if (waiting === null) {
      waiting = { start: Math.max(0, phrase.start - BREATH_SAMPLES), end: phrase.end };
      return [];
    }
    const pause = phrase.start - waiting.end;
    if (pause <= PAUSE_SAMPLES_MAX && phrase.end - waiting.start <= PHRASES_SAMPLES_MAX) {
      waiting = { start: waiting.start, end: phrase.end };
      return [];
    }
    const breath = Math.min(BREATH_SAMPLES, Math.floor(pause / 2));
    const ready = { start: waiting.start, end: waiting.end + breath };
    waiting = { start: phrase.start - breath, end: phrase.end };
    return [ready];
  };
  return {
    add: (phrase) => (joins ? cut(sound, phrase).flatMap(take) : cut(sound, phrase)),
    end: () => (waiting === null ? [] : [{ start: waiting.start, end: waiting.end + BREATH_SAMPLES }]),
    neededFrom: () => waiting?.start ?? Number.POSITIVE_INFINITY
  };
};
