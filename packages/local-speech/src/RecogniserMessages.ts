/** What the server and the process that recognises speech say to each other. Tests: LocalTranscriber.test.ts. */
import type { ModelFiles } from "./SpeechModels.ts";

/** Sample rate of all models. */
export const SAMPLE_HERTZ = 16_000;

/** Begins a recording; the first one loads the model. */
export interface BeginTask {
  readonly task: "begin";
  readonly files: ModelFiles;
  readonly voiceDetector: string;
  readonly threads: number;
  /** As the model names it; empty: recognised. */
  readonly language: string;
}

/** The next sound of the recording, as 16-bit little-endian samples, or its end. */
export type RecogniserTask = BeginTask | { readonly task: "sound" } | { readonly task: "end" };

/** A stretch of speech, in samples of the recording. */
export interface Utterance {
  readonly startSample: number;
  readonly endSample: number;
  readonly text: string;
  /** Empty if the model does not say. */
  readonly language: string;
  /** Pieces of words, and when each begins in seconds after the start; both empty if the model does not say. */
  readonly tokens: ReadonlyArray<string>;
  readonly timestamps: ReadonlyArray<number>;
}

/** Those that have ended since the last answer. */
export interface RecogniserAnswer {
  readonly utterances: ReadonlyArray<Utterance>;
}
