/**
 * Transcribes a recording with the operator's speech model.
 *
 * Times are seconds from the start of the recording, however it was split for the model. Hallucinated text
 * over silence and repetition loops are removed.
 */
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import type { TranscriptSegment } from "../domain/transcript/Transcript.ts";
import type { FetchedFile } from "./Downloader.ts";

/** The recording could not be transcribed completely; retryable errors have already been retried. */
export class TranscriptionFailed extends Schema.TaggedError<TranscriptionFailed>()("TranscriptionFailed", {
  reason: Schema.Literals(["model_error", "timeout"]),
  message: Schema.String
}) {}

export interface TranscribedSpeech {
  /** BCP 47; null if the model does not report it. */
  readonly language: string | null;
  /** In chronological order; empty if there is no speech. */
  readonly segments: ReadonlyArray<TranscriptSegment>;
}

export interface TranscriberShape {
  /** Name of the speech model; null if none is configured: `speech` is then rejected at submit. */
  readonly model: string | null;

  /**
   * Transcribes the whole recording or fails; null for one without an audio track, which is not charged.
   * Interruption aborts the requests.
   */
  readonly transcribe: (file: FetchedFile) => Effect.Effect<TranscribedSpeech | null, TranscriptionFailed>;
}

/** Without a speech model. */
export const NO_TRANSCRIBER: TranscriberShape = {
  model: null,
  transcribe: () =>
    Effect.fail(new TranscriptionFailed({ reason: "model_error", message: "No speech model is configured." }))
};

/** An optional port: without it, there is no speech model. */
export class Transcriber extends Context.Reference<TranscriberShape>("@winnow/core/ports/Transcriber", {
  defaultValue: () => NO_TRANSCRIBER
}) {}
