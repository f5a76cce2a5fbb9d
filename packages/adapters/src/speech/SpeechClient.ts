/**
 * The transcription endpoint of the operator's server. Uses only the configured address and bypasses the egress guard.
 *
 * Errors never contain a key, an address or the provider's message. Tests: Transcriptions.test.ts.
 */
import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import type { Failed } from "@winnow/core/domain/source/Failed";
import type { TranscriptSegment } from "@winnow/core/domain/transcript/Transcript";
import type { InputTooLong } from "../model-server/LlmFailures.ts";
import type { TranscriptionRefused } from "./SpeechFailures.ts";

export interface TranscriptionRequest {
  /** A Blob as from `fs.openAsBlob`, because a retry reads it again. */
  readonly audio: Blob;
  /** The server determines the format by its extension. */
  readonly filename: string;
  /** Length of the sound, which the time limit follows from. */
  readonly soundSeconds: number;
  /** The language that is spoken, as a two-letter code; null: the model recognises it. */
  readonly language: string | null;
}

export interface Transcription {
  readonly text: string;
  /** Segments without those that are probably not speech; empty if the server reports no times. */
  readonly segments: ReadonlyArray<TranscriptSegment>;
  /** Whether the server reports times: without segments there was no speech then, whatever `text` contains. */
  readonly hasTimes: boolean;
  /** Segments that were left out because the model itself took them for silence or noise. */
  readonly silentCount: number;
  /** Segments that were left out because the model itself was unsure of them. */
  readonly removedCount: number;
  /** The model was sure of a segment. */
  readonly isSure: boolean;
  /** A tag or an English name as reported by the server; null if it reports none. */
  readonly language: string | null;
}

export class SpeechClient extends Context.Service<
  SpeechClient,
  {
    readonly model: string;

    /**
     * Fails if it takes more than a minute and four times the sound's length, after which nothing is sent again.
     *
     * @fails TranscriptionRefused the server does not transcribe, or not this; InputTooLong the file is too large
     */
    readonly transcribe: (
      request: TranscriptionRequest
    ) => Effect.Effect<Transcription, Failed | TranscriptionRefused | InputTooLong>;
  }
>()("@winnow/adapters/speech/SpeechClient") {}
