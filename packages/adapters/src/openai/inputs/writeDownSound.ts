/**
 * A recording through the transcription endpoint: in pieces cut at silence, several at once, put together again with
 * the times of the recording.
 */
import { openAsBlob } from "node:fs";
import { spokenSegments } from "@winnow/core/domain/HeardSpeech";
import { LANGUAGE_UNKNOWN, languageTagOf } from "@winnow/core/domain/LanguageTag";
import { soundSeconds } from "@winnow/core/domain/SoundLevels";
import type { TranscriptSegment } from "@winnow/core/domain/Transcript";
import type { AnalysisFailed } from "@winnow/core/ports/Analyst";
import type { HeardSpeech } from "@winnow/core/ports/Transcriber";
import * as Effect from "effect/Effect";
import * as Result from "effect/Result";
import { LlmClient, type Transcription } from "../LlmClient.ts";
import type { InputTooLong, ModalityRefused } from "../LlmFailures.ts";
import type { MediaUnreadable } from "./LocalMedia.ts";
import type { RecordedSound, SoundPiece } from "./RecordedSound.ts";

/** Ten minutes are 2.4 MB: below the 1,400 s and the 20 MB and more that servers take, and heard side by side. */
export const PIECE_SECONDS_MAX = 600;

/** A server that finds less than this too long takes no speech. */
const PIECE_SECONDS_MIN = 30;

/** Pieces asked for at once: an hour is six, and providers limit the rate. */
const PIECES_AT_ONCE = 3;

/** An answer without a word over more sound than this is asked for again once: servers lose pieces. */
const WORDLESS_SECONDS_MAX = 1;

type Refused = AnalysisFailed | InputTooLong | ModalityRefused | MediaUnreadable;

interface HeardPiece {
  readonly segments: ReadonlyArray<TranscriptSegment>;
  readonly language: string | null;
  readonly seconds: number;
}

/** Times of the piece become times of the recording; without times the piece itself is the time. */
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
  const audio = yield* Effect.promise(() => openAsBlob(piece.path, { type: "audio/mpeg" }));
  return yield* client.transcribe({ audio, filename: `sound-${piece.startSeconds}.mp3` });
});

/** What is too long for the server goes in halves. */
const hearPiece = (
  sound: RecordedSound,
  piece: SoundPiece
): Effect.Effect<ReadonlyArray<HeardPiece>, Refused, LlmClient> => {
  const seconds = piece.endSeconds - piece.startSeconds;
  const heard = (transcription: Transcription): HeardPiece => ({
    segments: spokenSegments(sound.levels, segmentsOf(piece, transcription)),
    language: transcription.language,
    seconds
  });
  const once = Effect.map(askFor(piece), heard);
  return once.pipe(
    Effect.flatMap((first) =>
      first.segments.length === 0 && soundSeconds(sound.levels, piece) > WORDLESS_SECONDS_MAX
        ? once
        : Effect.succeed(first)
    ),
    Effect.map((answer) => [answer]),
    Effect.catchTag("InputTooLong", (tooLong) =>
      seconds / 2 < PIECE_SECONDS_MIN
        ? Effect.fail(tooLong)
        : Effect.flatMap(sound.pieces(seconds / 2, piece), (halves) =>
            Effect.map(
              Effect.forEach(halves, (half) => hearPiece(sound, half)),
              (answers) => answers.flat()
            )
          )
    )
  );
};

/** Of most of the recording. */
const languageOf = (pieces: ReadonlyArray<HeardPiece>): string | null => {
  const seconds = new Map<string, number>();
  for (const { language, segments, seconds: length } of pieces) {
    const tag = languageTagOf(language ?? "");
    if (segments.length > 0 && tag !== LANGUAGE_UNKNOWN) seconds.set(tag, (seconds.get(tag) ?? 0) + length);
  }
  return [...seconds].toSorted(([, left], [, right]) => right - left)[0]?.[0] ?? null;
};

/**
 * The whole recording or nothing. A piece that failed is tried again alone once the others are through; where all of
 * them fail, it is the server.
 */
export const writeDownSound = Effect.fn("OpenAi.writeDownSound")(function* (
  sound: RecordedSound
): Effect.fn.Return<HeardSpeech, Refused, LlmClient> {
  const pieces = yield* sound.pieces(PIECE_SECONDS_MAX);
  const tried = yield* Effect.forEach(pieces, (piece) => Effect.result(hearPiece(sound, piece)), {
    concurrency: PIECES_AT_ONCE
  });
  const isDown = tried.every(Result.isFailure);
  const heard = yield* Effect.forEach(tried, (result, index) => {
    const piece = pieces[index];
    return Result.isSuccess(result) || isDown || piece === undefined
      ? Effect.fromResult(result)
      : hearPiece(sound, piece);
  });
  const all = heard.flat();
  return { language: languageOf(all), segments: all.flatMap(({ segments }) => segments) };
});
