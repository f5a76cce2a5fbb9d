/**
 * The sound of a run for a model: as words from the transcription endpoint, else as sound, else not at all.
 */
import { openAsBlob } from "node:fs";
import { readFile } from "node:fs/promises";
import type { InputText, TextSegment } from "@winnow/core/domain/InputText";
import type { FetchedFile } from "@winnow/core/ports/Downloader";
import type { AnalysisFailed } from "@winnow/core/ports/Analyst";
import * as Effect from "effect/Effect";
import { LlmClient, type Transcription } from "../LlmClient.ts";
import type { SoundChunk } from "./cutSound.ts";
import type { MediaItem } from "./InputItem.ts";
import { MediaReader } from "./MediaReader.ts";
import { timeMark } from "./renderTexts.ts";
import { audioTokens } from "./TokenEstimate.ts";

/** Stretches transcribed at once: an hour is six, and providers limit the rate. */
const TRANSCRIBED_AT_ONCE = 3;

export interface TranscribedAudio {
  /** Null when the sound is sent as it is. */
  readonly text: InputText | null;
  readonly media: ReadonlyArray<MediaItem>;
}

/** Times of the stretch become times of the media; without times the stretch itself is the time. */
const segmentsOf = (
  { startSeconds, endSeconds }: SoundChunk,
  { text, segments, hasTimes }: Transcription
): ReadonlyArray<TextSegment> => {
  const told = hasTimes
    ? segments.map((each) => ({
        text: each.text,
        startSeconds: startSeconds + each.startSeconds,
        endSeconds: startSeconds + each.endSeconds
      }))
    : [{ text, startSeconds, endSeconds }];
  return told.flatMap((each) =>
    each.text.trim() === "" ? [] : [{ ...each, text: each.text.trim(), author: null }]
  );
};

const transcribed = Effect.fnUntraced(function* (chunks: ReadonlyArray<SoundChunk>) {
  const client = yield* LlmClient;
  const parts = yield* Effect.forEach(
    chunks,
    (chunk, index) =>
      Effect.promise(() => openAsBlob(chunk.path, { type: "audio/mpeg" })).pipe(
        Effect.flatMap((audio) => client.transcribe({ audio, filename: `sound-${index + 1}.mp3` })),
        Effect.map((transcription) => segmentsOf(chunk, transcription))
      ),
    { concurrency: TRANSCRIBED_AT_ONCE }
  );
  const heard: TranscribedAudio = { text: { source: "transcript", segments: parts.flat() }, media: [] };
  return heard;
});

const asSound = (chunks: ReadonlyArray<SoundChunk>): Effect.Effect<TranscribedAudio> =>
  Effect.map(
    Effect.forEach(chunks, ({ path, startSeconds, endSeconds }) =>
      Effect.map(
        Effect.promise(() => readFile(path)),
        (bytes): MediaItem => {
          const base64 = bytes.toString("base64");
          const label = `sound from ${timeMark(startSeconds)} to ${timeMark(endSeconds)}`;
          return {
            _tag: "Media",
            part: { _tag: "Audio", label, format: "mp3", base64 },
            startSeconds,
            tokens: audioTokens(endSeconds - startSeconds),
            mediaBytes: base64.length
          };
        }
      )
    ),
    (media) => ({ text: null, media })
  );

/**
 * Null when the model cannot hear it. Where the server transcribes nothing, or not this sound, the model
 * itself may hear; a fault of the provider is one of the run, or a busy hour would pass for silence.
 */
export const hearSound = Effect.fn("OpenAiAnalyst.hearSound")(function* (
  file: FetchedFile
): Effect.fn.Return<TranscribedAudio | null, AnalysisFailed, LlmClient | MediaReader> {
  const client = yield* LlmClient;
  const reader = yield* MediaReader;
  const before = yield* client.capabilities;
  if (!before.transcription && !before.audio) return null;
  return yield* Effect.scoped(
    Effect.gen(function* () {
      const chunks = yield* reader.sound(file);
      const words = before.transcription
        ? yield* transcribed(chunks).pipe(
            Effect.catchTags({
              ModalityRefused: () => Effect.succeed(null),
              InputTooLong: () => Effect.succeed(null)
            })
          )
        : null;
      if (words !== null) return words;
      return before.audio ? yield* asSound(chunks) : null;
    })
  ).pipe(Effect.catchTag("MediaUnreadable", () => Effect.succeed(null)));
});
