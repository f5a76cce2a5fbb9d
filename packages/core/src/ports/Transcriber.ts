/**
 * Writes down what is said in a recording, by a speech model of the operator.
 *
 * Times are seconds from the start of the recording, however it was parted for the model. Words over silence, and
 * words that go round in circles, are not among the answer.
 */
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import type { TranscriptSegment } from "../domain/Transcript.ts";
import type { FetchedFile } from "./Downloader.ts";

/** The recording was not written down as a whole; what can be retried was. */
export class TranscriptionFailed extends Schema.TaggedError<TranscriptionFailed>()("TranscriptionFailed", {
  reason: Schema.Literals(["model_error", "timeout"]),
  message: Schema.String
}) {}

export interface HeardSpeech {
  /** BCP 47; null where the model does not tell it. */
  readonly language: string | null;
  /** In the order of time; empty where nobody speaks. */
  readonly segments: ReadonlyArray<TranscriptSegment>;
}

export interface TranscriberShape {
  /** Name of the speech model; null when none is configured, and then `speech` is refused at submit. */
  readonly model: string | null;

  /**
   * The whole recording or nothing; null for one without an audio track, which costs nothing. Interruption stops the
   * requests.
   */
  readonly transcribe: (file: FetchedFile) => Effect.Effect<HeardSpeech | null, TranscriptionFailed>;
}

/** Without a speech model. */
export const NO_TRANSCRIBER: TranscriberShape = {
  model: null,
  transcribe: () =>
    Effect.fail(new TranscriptionFailed({ reason: "model_error", message: "No speech model is configured." }))
};

/** A port that need not be provided: there is no speech model then. */
export class Transcriber extends Context.Reference<TranscriberShape>("@winnow/core/ports/Transcriber", {
  defaultValue: () => NO_TRANSCRIBER
}) {}
