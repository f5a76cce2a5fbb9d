/** The audio of a run for a model: transcribed, else as audio, else not at all. */
import type { InputText } from "@winnow/core/domain/text/InputText";
import type { FetchedFile } from "@winnow/core/ports/Downloader";
import type { AnalysisFailed } from "@winnow/core/ports/Analyst";
import * as Effect from "effect/Effect";
import { LlmClient } from "../client/LlmClient.ts";
import type { RefusedModality } from "../client/LlmFailures.ts";
import type { MediaItem } from "./PreparedInputs.ts";
import type { MediaUnreadable } from "./LocalMedia.ts";
import { MediaReader } from "./MediaReader.ts";
import { readPiece, type RecordedSound, type SoundPiece } from "./RecordedSound.ts";
import { timeMark } from "./renderTexts.ts";
import { audioTokens } from "../client/TokenEstimate.ts";
import { PIECE_SECONDS_MAX, transcribeSound } from "./transcribeSound.ts";

export interface TranscribedAudio {
  /** Null if the audio itself is sent. */
  readonly text: InputText | null;
  readonly media: ReadonlyArray<MediaItem>;
}

const NOTHING_SAID: TranscribedAudio = { text: { source: "transcript", segments: [] }, media: [] };

const asWords = (sound: RecordedSound) =>
  Effect.map(transcribeSound(sound), ({ segments }): TranscribedAudio => ({
    text: { source: "transcript", segments: segments.map((each) => ({ ...each, author: null })) },
    media: []
  }));

const asSound = (pieces: ReadonlyArray<SoundPiece>): Effect.Effect<TranscribedAudio, MediaUnreadable> =>
  Effect.map(
    Effect.forEach(pieces, (piece) =>
      Effect.map(readPiece(piece), (bytes): MediaItem => {
        const { startSeconds, endSeconds } = piece;
        const base64 = bytes.toString("base64");
        const label = `sound from ${timeMark(startSeconds)} to ${timeMark(endSeconds)}`;
        return {
          _tag: "Media",
          part: { _tag: "Audio", label, format: "mp3", base64 },
          startSeconds,
          tokens: audioTokens(endSeconds - startSeconds),
          mediaBytes: base64.length
        };
      })
    ),
    (media) => ({ text: null, media })
  );

/**
 * Null if the model does not accept audio. If the server does not transcribe, or not this recording, the model gets
 * the audio. A provider error fails the run, because otherwise a busy hour would look like silence.
 */
export const transcribeAudio = Effect.fn("OpenAiAnalyst.transcribeAudio")(function* (
  file: FetchedFile,
  refused: ReadonlyArray<RefusedModality>
): Effect.fn.Return<TranscribedAudio | null, AnalysisFailed, LlmClient | MediaReader> {
  const client = yield* LlmClient;
  const reader = yield* MediaReader;
  const { audio, transcription } = yield* client.capabilities;
  const takesAudio = audio && !refused.includes("audio");
  if (!transcription && !takesAudio) return null;
  return yield* Effect.scoped(
    Effect.gen(function* () {
      const sound = yield* reader.sound(file);
      if (sound === null) return NOTHING_SAID;
      const words = transcription
        ? yield* asWords(sound).pipe(
            Effect.catchTags({
              ModalityRefused: () => Effect.succeed(null),
              InputTooLong: () => Effect.succeed(null)
            })
          )
        : null;
      if (words !== null) return words;
      return takesAudio ? yield* Effect.flatMap(sound.pieces(PIECE_SECONDS_MAX), asSound) : null;
    })
  ).pipe(Effect.catchTag("MediaUnreadable", () => Effect.succeed(null)));
});
