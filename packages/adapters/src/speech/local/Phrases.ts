/**
 * What a model hears at once: phrases that the voice detector found, joined as far as the model's half minute goes,
 * and cut where they are longer. Pure, and nothing is lost.
 */
import { SAMPLE_HERTZ } from "./RecogniserMessages.ts";

/** Speech with its place in the recording, in samples. */
export interface Spoken {
  readonly start: number;
  readonly samples: Float32Array;
}

export interface Phrases {
  /** What can be recognised now that this phrase was found. */
  readonly add: (phrase: Spoken) => ReadonlyArray<Spoken>;
  /** What is left at the end of the recording. */
  readonly end: () => ReadonlyArray<Spoken>;
}

/** What the detector takes at once: the window that it was trained with. */
export const WINDOW_SAMPLES = 512;

/** Less than the half minute of Whisper, which leaves out the rest. */
export const SPOKEN_SAMPLES_MAX = 28 * SAMPLE_HERTZ;

/** A longer phrase is cut at the quietest place within this before the maximum. */
const CUT_SEARCH_SAMPLES = 8 * SAMPLE_HERTZ;

/** The start of the quietest window of the last seconds before the maximum. */
const quietest = (samples: Float32Array): number => {
  let least = Number.POSITIVE_INFINITY;
  let place = SPOKEN_SAMPLES_MAX;
  const last = SPOKEN_SAMPLES_MAX - WINDOW_SAMPLES;
  for (let at = SPOKEN_SAMPLES_MAX - CUT_SEARCH_SAMPLES; at <= last; at += WINDOW_SAMPLES) {
    let energy = 0;
    for (let index = at; index < at + WINDOW_SAMPLES; index++) energy += (samples[index] ?? 0) ** 2;
    if (energy < least) {
      least = energy;
      place = at;
    }
  }
  return place;
};

const cut = ({ samples, start }: Spoken): ReadonlyArray<Spoken> => {
  if (samples.length <= SPOKEN_SAMPLES_MAX) return [{ start, samples }];
  const at = quietest(samples);
  return [
    { start, samples: samples.slice(0, at) },
    ...cut({ start: start + at, samples: samples.slice(at) })
  ];
};

const endOf = ({ samples, start }: Spoken): number => start + samples.length;

/** The pause between them becomes silence. */
const joined = (before: Spoken, phrase: Spoken): Spoken => {
  const samples = new Float32Array(endOf(phrase) - before.start);
  samples.set(before.samples);
  samples.set(phrase.samples, phrase.start - before.start);
  return { start: before.start, samples };
};

/** Joins phrases with pauses up to a maximum; 0 joins none. */
export const makePhrases = (pauseSamplesMax: number): Phrases => {
  let waiting: Spoken | null = null;
  const isJoinable = (before: Spoken, phrase: Spoken): boolean =>
    phrase.start - endOf(before) <= pauseSamplesMax && endOf(phrase) - before.start <= SPOKEN_SAMPLES_MAX;
  const flush = (): ReadonlyArray<Spoken> => {
    const ready = waiting === null ? [] : [waiting];
    waiting = null;
    return ready;
  };
  const take = (phrase: Spoken): ReadonlyArray<Spoken> => {
    if (waiting !== null && isJoinable(waiting, phrase)) {
      waiting = joined(waiting, phrase);
      return [];
    }
    const ready = flush();
    waiting = phrase;
    return ready;
  };
  return {
    add: (phrase) => (pauseSamplesMax === 0 ? cut(phrase) : cut(phrase).flatMap(take)),
    end: flush
  };
};
