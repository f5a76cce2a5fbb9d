/**
 * Transcribes a recording: in chunks cut at silence, several concurrently, with times relative to the recording. A
 * language model gets the audio of a run transcribed, else as audio, else not at all.
 */
import * as Effect from "effect/Effect";
import * as Result from "effect/Result";
import { spokenSegments } from "@winnow/core/domain/transcript/SpokenSegments";
import { LANGUAGE_UNKNOWN, languageTagOf } from "@winnow/core/domain/text/LanguageTag";
import { LEVEL_STEP_SECONDS, soundSeconds } from "@winnow/core/domain/transcript/SoundLevels";
import { timeMark, type TranscriptSegment } from "@winnow/core/domain/transcript/Transcript";
import type { AnalysisFailed } from "@winnow/core/ports/Analyst";
import type { TranscribedSpeech, TranscriptionOptions } from "@winnow/core/ports/Transcriber";
import { LlmClient, type Transcription } from "../client/LlmClient.ts";
import type { InputTooLong, ModalityRefused, RefusedModality } from "../client/LlmFailures.ts";
import type { MediaUnreadable } from "./LocalMedia.ts";
import { readPiece, type RecordedSound, type SoundPiece } from "./RecordedSound.ts";
import type { InputText } from "@winnow/core/domain/text/InputText";
import type { FetchedFile } from "@winnow/core/ports/Downloader";
import type { MediaItem } from "./InputItems.ts";
import { MediaReader } from "./MediaReader.ts";
import { audioTokens } from "../client/TokenCount.ts";

/** Ten minutes have 2.4 MB, below the 1,400 s and 20 MB that servers accept. */
const PIECE_SECONDS_MAX = 600;

/** A server that rejects less than this as too long does not accept speech at all. */
const PIECE_SECONDS_MIN = 30;

/** Concurrent chunks: an hour has six, and providers limit rates. */
const CHUNKS_AT_ONCE = 3;

/** An empty transcription of more audio than this is requested once more, because servers lose chunks. */
const SILENT_SECONDS_MAX = 1;

type TranscriptionFailure = AnalysisFailed | InputTooLong | ModalityRefused | MediaUnreadable;

interface TranscribedChunk {
  readonly segments: ReadonlyArray<TranscriptSegment>;
  readonly language: string | null;
  readonly seconds: number;
}

/** Converts times of the chunk to times of the recording; without times, the chunk's own time is used. */
const segmentsOf = (
  { startSeconds, endSeconds }: SoundPiece,
  { text, segments, hasTimes }: Transcription
): ReadonlyArray<TranscriptSegment> => {
  if (!hasTimes) return [{ text, startSeconds, endSeconds }];
  const within = (seconds: number): number =>
    Math.round(Math.min(endSeconds, Math.max(startSeconds, startSeconds + seconds)) * 1_000) / 1_000;
  return segments
    .filter((each) => startSeconds + each.startSeconds < endSeconds)
    .map((each) => ({
      text: each.text,
      startSeconds: within(each.startSeconds),
      endSeconds: within(Math.max(each.startSeconds, each.endSeconds))
    }));
};

const askFor = Effect.fnUntraced(function* (piece: SoundPiece) {
  const client = yield* LlmClient;
  const audio = new Blob([new Uint8Array(yield* readPiece(piece))], { type: "audio/mpeg" });
  return yield* client.transcribe({ audio, filename: `sound-${piece.startSeconds}.mp3` });
});

/** Chunks too long for the server are split in half. */
const transcribeChunk = (
  sound: RecordedSound,
  piece: SoundPiece
): Effect.Effect<ReadonlyArray<TranscribedChunk>, TranscriptionFailure, LlmClient> => {
  const seconds = piece.endSeconds - piece.startSeconds;
  const toChunk = (transcription: Transcription): TranscribedChunk => ({
    segments: spokenSegments(sound.levels, segmentsOf(piece, transcription)),
    language: transcription.language,
    seconds
  });
  const once = Effect.map(askFor(piece), toChunk);
  return once.pipe(
    Effect.flatMap((first) =>
      first.segments.length === 0 && soundSeconds(sound.levels, piece) > SILENT_SECONDS_MAX
        ? once
        : Effect.succeed(first)
    ),
    Effect.map((answer) => [answer]),
    Effect.catchTag("InputTooLong", (tooLong) =>
      seconds / 2 < PIECE_SECONDS_MIN
        ? Effect.fail(tooLong)
        : Effect.flatMap(sound.pieces(seconds / 2, piece), (halves) =>
            Effect.map(
              Effect.forEach(halves, (half) => transcribeChunk(sound, half)),
              (answers) => answers.flat()
            )
          )
    )
  );
};

/** The language of most of the recording. */
const languageOf = (pieces: ReadonlyArray<TranscribedChunk>): string | null => {
  const seconds = new Map<string, number>();
  for (const { language, segments, seconds: length } of pieces) {
    const tag = languageTagOf(language ?? "");
    if (segments.length > 0 && tag !== LANGUAGE_UNKNOWN) seconds.set(tag, (seconds.get(tag) ?? 0) + length);
  }
  return [...seconds].toSorted(([, left], [, right]) => right - left)[0]?.[0] ?? null;
};

/**
 * The whole recording or nothing. Failed chunks are retried one by one after the others; if all of them fail, the
 * server is the cause.
 */
export const transcribeSound = Effect.fn("OpenAi.transcribeSound")(function* (
  sound: RecordedSound,
  { onProgress }: Pick<TranscriptionOptions, "language" | "onProgress">
): Effect.fn.Return<TranscribedSpeech, TranscriptionFailure, LlmClient> {
  const pieces = yield* sound.pieces(PIECE_SECONDS_MAX);
  const totalSeconds = sound.levels.levels.length * LEVEL_STEP_SECONDS;
  let sentSeconds = 0;
  yield* onProgress({ doneSeconds: 0, totalSeconds });
  const tried = yield* Effect.forEach(
    pieces,
    (piece) =>
      Effect.result(transcribeChunk(sound, piece)).pipe(
        Effect.tap(() => {
          sentSeconds += piece.endSeconds - piece.startSeconds;
          return onProgress({ doneSeconds: Math.min(sentSeconds, totalSeconds), totalSeconds });
        })
      ),
    { concurrency: CHUNKS_AT_ONCE }
  );
  const isDown = tried.every(Result.isFailure);
  const chunks = yield* Effect.forEach(tried, (result, index) => {
    const piece = pieces[index];
    return Result.isSuccess(result) || isDown || piece === undefined
      ? Effect.fromResult(result)
      : transcribeChunk(sound, piece);
  });
  yield* onProgress({ doneSeconds: totalSeconds, totalSeconds });
  const all = chunks.flat();
  return { language: languageOf(all), segments: all.flatMap(({ segments }) => segments) };
});

export interface TranscribedAudio {
  /** Null if the audio itself is sent. */
  readonly text: InputText | null;
  readonly media: ReadonlyArray<MediaItem>;
}

const NOTHING_SAID: TranscribedAudio = { text: { source: "transcript", segments: [] }, media: [] };

/** An AI pass reports no progress of its own. */
const UNWATCHED = { language: null, onProgress: () => Effect.void };

const asWords = (sound: RecordedSound) =>
  Effect.map(transcribeSound(sound, UNWATCHED), ({ segments }): TranscribedAudio => ({
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
