/** The audio of a run for a language model: transcribed, else as audio, else not at all. Tests: prepareInputs.test.ts. */
import type { Failed } from "@winnow/core/domain/source/Failed";
import type { InputText } from "@winnow/core/domain/text/InputText";
import { speechWarnings } from "@winnow/core/domain/transcript/SpeechWarnings";
import { later } from "@winnow/core/domain/transcript/CaptionTimes";
import { timeMark } from "@winnow/core/domain/transcript/Transcript";
import type { Material } from "@winnow/core/ports/Analyst";
import type { FetchedFile } from "@winnow/core/ports/Downloader";
import { speechFrom } from "@winnow/core/ports/Transcriber";
import * as Effect from "effect/Effect";
import type { RefusedModality } from "../../model-server/ServerFault.ts";
import type { MediaUnreadable } from "../../programs/LocalMedia.ts";
import { type RecordedSound, type SoundPiece, SoundReader } from "../../speech/SoundReader.ts";
import type { SpeechClient } from "../../speech/SpeechClient.ts";
import { PIECE_SECONDS_MAX, transcribeSound } from "../../speech/transcribeSound.ts";
import { LlmClient } from "../provider/LlmClient.ts";
import { audioTokens } from "../provider/TokenCount.ts";
import type { MediaItem } from "../inputs/InputItems.ts";

export interface TranscribedAudio {
  /** Null if the audio itself is sent. */
  readonly text: InputText | null;
  readonly media: ReadonlyArray<MediaItem>;
  /** About the words, for the caller. */
  readonly warnings: ReadonlyArray<string>;
}

const NOTHING_SAID: TranscribedAudio = {
  text: { source: "transcript", segments: [] },
  media: [],
  warnings: []
};

type Heard = Pick<Material, "range" | "spokenLanguage">;

const asWords = (sound: RecordedSound, { range, spokenLanguage }: Heard) =>
  Effect.map(transcribeSound(sound, spokenLanguage), (heard): TranscribedAudio => {
    const speech = speechFrom(range?.startSec ?? 0, heard);
    return {
      text: {
        source: "transcript",
        segments: speech.segments.map(({ text, startSeconds, endSeconds }) => ({
          text,
          startSeconds,
          endSeconds,
          author: null
        }))
      },
      media: [],
      warnings: speechWarnings(speech)
    };
  });

const asSound = (
  pieces: ReadonlyArray<SoundPiece>,
  { range }: Heard
): Effect.Effect<TranscribedAudio, MediaUnreadable> =>
  Effect.map(
    Effect.forEach(pieces, (piece) =>
      Effect.map(piece.read, (bytes): MediaItem => {
        const { startSeconds, endSeconds } = later(piece, range?.startSec ?? 0);
        const base64 = Buffer.from(bytes).toString("base64");
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
    (media) => ({ text: null, media, warnings: [] })
  );

/**
 * Null if the model does not accept audio. If the server does not transcribe, or not this recording, the model gets
 * the audio. A provider error fails the run, because otherwise a busy hour would look like silence.
 */
export const transcribeAudio = Effect.fn("OpenAiAnalyst.transcribeAudio")(function* (
  file: FetchedFile,
  refused: ReadonlyArray<RefusedModality>,
  heard: Heard
): Effect.fn.Return<TranscribedAudio | null, Failed, LlmClient | SoundReader | SpeechClient> {
  const client = yield* LlmClient;
  const reader = yield* SoundReader;
  const { audio, transcription } = yield* client.capabilities;
  const takesAudio = audio && !refused.includes("audio");
  if (!transcription && !takesAudio) return null;
  return yield* Effect.scoped(
    Effect.gen(function* () {
      const sound = yield* reader.sound(file);
      if (sound === null) return NOTHING_SAID;
      const words = transcription
        ? yield* asWords(sound, heard).pipe(
            Effect.catchTags({
              TranscriptionRefused: () => Effect.succeed(null),
              InputTooLong: () => Effect.succeed(null)
            })
          )
        : null;
      if (words !== null) return words;
      return takesAudio
        ? yield* Effect.flatMap(sound.pieces(PIECE_SECONDS_MAX), (pieces) => asSound(pieces, heard))
        : null;
    })
  ).pipe(Effect.catchTag("MediaUnreadable", () => Effect.succeed(null)));
});
