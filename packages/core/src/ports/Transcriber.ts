/**
 * Transcribes a recording with the operator's speech model.
 *
 * - A recording is transcribed as a whole or fails: a model that failed is never "nobody speaks". The one exception is
 *   a stretch with sound for which a working model had no words, twice; it is named in `gaps`.
 * - Silence, noise and music are "nobody speaks": no segments, which is no failure. Words invented over silence, and
 *   repetition loops, are removed.
 * - Times are seconds from the start of the recording and within it, however it was split for the model.
 * - Failures that may pass have been retried; nothing is sent again after a time-out. `speech_timeout`: the model took
 *   longer than the sound allows; `speech_unavailable`: it is away or failed on this recording; `speech_misconfigured`:
 *   only the operator can mend it (key, model, endpoint).
 * - Messages are for callers: no key, address or path, and no words of the model's server.
 */
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import { Failed } from "../domain/source/Failed.ts";
import { later, type Stretch } from "../domain/transcript/CaptionTimes.ts";
import type { TranscriptSegment } from "../domain/transcript/Transcript.ts";
import type { FetchedFile } from "./Downloader.ts";

export interface TranscriptionOptions {
  /** The language that is spoken, BCP 47; null: the model recognises it. */
  readonly language: string | null;
}

export interface TranscribedSpeech {
  /** BCP 47; null if the model does not report it. */
  readonly language: string | null;
  /** In chronological order; empty if nobody speaks. */
  readonly segments: ReadonlyArray<TranscriptSegment>;
  /** Stretches with sound that the model had no words for, in order; absent: none. */
  readonly gaps?: ReadonlyArray<Stretch>;
  /** The model had few words for the sound, or most of what it wrote was removed; the caller is warned. Absent: no. */
  readonly isUnsure?: boolean;
}

/** Of a recording that begins later in its source: with the times of the source. */
export const speechFrom = (startSeconds: number, speech: TranscribedSpeech): TranscribedSpeech => ({
  ...speech,
  segments: speech.segments.map(({ words, ...segment }) => ({
    ...later(segment, startSeconds),
    ...(words === undefined ? {} : { words: words.map((word) => later(word, startSeconds)) })
  })),
  ...(speech.gaps === undefined ? {} : { gaps: speech.gaps.map((gap) => later(gap, startSeconds)) })
});

export interface TranscriberShape {
  /** Name of the speech model; null if none is configured: `speech` is then rejected at submit. */
  readonly model: string | null;

  /**
   * Null for a recording without an audio track, which is not charged. Interruption stops the work: it aborts
   * requests and ends processes. Reports at the beginning, with nothing done, and whenever more is done (CurrentRun).
   */
  readonly transcribe: (
    file: FetchedFile,
    options: TranscriptionOptions
  ) => Effect.Effect<TranscribedSpeech | null, Failed>;
}

/** Without a speech model. */
const NO_TRANSCRIBER: TranscriberShape = {
  model: null,
  transcribe: () =>
    Effect.fail(new Failed({ reason: "speech_misconfigured", message: "No speech model is configured." }))
};

/** An optional port: without it, there is no speech model. */
export class Transcriber extends Context.Reference<TranscriberShape>("@winnow/core/ports/Transcriber", {
  defaultValue: () => NO_TRANSCRIBER
}) {}
