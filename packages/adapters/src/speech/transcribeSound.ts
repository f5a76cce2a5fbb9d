/** Transcribes a recording in chunks cut at silence, several at once; times are its own. Tests: slowServers.test.ts. */
import * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import type { Failed } from "@winnow/core/domain/source/Failed";
import { LANGUAGE_UNKNOWN, languageTagOf } from "@winnow/core/domain/text/LanguageTag";
import { roundedSeconds } from "@winnow/core/domain/text/Milliseconds";
import { cutAtSilence, LEVEL_STEP_SECONDS, soundSeconds, withSilenceAround } from "./SoundLevels.ts";
import type { Stretch } from "@winnow/core/domain/transcript/CaptionTimes";
import { isNoSpeechPhrase, spokenSegments, withDoubts } from "./SpokenSegments.ts";
import type { TranscriptSegment } from "@winnow/core/domain/transcript/Transcript";
import { CurrentRun, type Run } from "@winnow/core/ports/CurrentRun";
import type { TranscribedSpeech } from "@winnow/core/ports/Transcriber";
import { SpeechClient, type Transcription } from "./SpeechClient.ts";
import type { InputTooLong } from "../model-server/LlmFailures.ts";
import type { TranscriptionRefused } from "./SpeechFailures.ts";
import type { MediaUnreadable } from "../programs/LocalMedia.ts";
import type { RecordedSound, SoundPiece } from "./SoundReader.ts";

/** Ten minutes have 2.4 MB, below the 1,400 s and 20 MB that servers accept. */
export const PIECE_SECONDS_MAX = 600;

/** The first chunk shows the speed of the server. */
const FIRST_PIECE_SECONDS = 120;

/** A server that rejects less than this as too long does not accept speech at all. */
const PIECE_SECONDS_MIN = 30;

/** What a server gets by its speed: seconds of work for a second of sound. */
interface Pace {
  readonly pieceSeconds: number;
  readonly chunksAtOnce: number;
}

/** An hour has six large chunks, and providers limit rates. */
const FAST: Pace = { pieceSeconds: PIECE_SECONDS_MAX, chunksAtOnce: 3 };
/** Small, for progress; many servers work on one chunk at a time, so that the third waits for two others. */
const SLOW: Pace = { pieceSeconds: 120, chunksAtOnce: 3 };
const SLOWEST: Pace = { pieceSeconds: 60, chunksAtOnce: 1 };

const FAST_MAX = 0.1;
const SLOW_MAX = 0.5;

/** What a request takes beside its work, which counts if the first chunk is short. */
const LATENCY_SECONDS = 2;

/** Without times of its own, a text has those of its chunk, so chunks are short. */
const TIMELESS_PIECE_SECONDS = 60;

/** By what the first chunk took, in seconds. */
const paceOf = (tookSeconds: number, { hasTimes, piece }: TranscribedChunk): Pace => {
  const speed = (tookSeconds - LATENCY_SECONDS) / (piece.endSeconds - piece.startSeconds);
  const slow = speed <= SLOW_MAX ? SLOW : SLOWEST;
  const pace = speed <= FAST_MAX ? FAST : slow;
  return hasTimes ? pace : { ...pace, pieceSeconds: Math.min(pace.pieceSeconds, TIMELESS_PIECE_SECONDS) };
};

/** An empty transcription of more audio than this is requested once more, because servers lose chunks. */
const SILENT_SECONDS_MAX = 1;

type TranscriptionFailure = Failed | TranscriptionRefused | InputTooLong | MediaUnreadable;

interface TranscribedChunk {
  readonly piece: Stretch;
  readonly segments: ReadonlyArray<TranscriptSegment>;
  /** As of {@link Transcription}. */
  readonly hasTimes: boolean;
  readonly removedCount: number;
  readonly isSure: boolean;
  readonly language: string | null;
  /** The server itself reports that nobody speaks, or that there is no more than a sound. */
  readonly isReportedSilent: boolean;
}

/** Converts times of the chunk to times of the recording; without times, the chunk's own time is used. */
const segmentsOf = (
  { startSeconds, endSeconds }: Stretch,
  { text, segments, hasTimes }: Transcription
): ReadonlyArray<TranscriptSegment> => {
  if (!hasTimes) return [{ text, startSeconds, endSeconds }];
  const within = (seconds: number): number =>
    roundedSeconds(Math.min(endSeconds, Math.max(startSeconds, startSeconds + seconds)));
  const moved = <A extends Stretch>(each: A): A => ({
    ...each,
    startSeconds: within(each.startSeconds),
    endSeconds: within(Math.max(each.startSeconds, each.endSeconds))
  });
  return segments
    .filter((each) => startSeconds + each.startSeconds < endSeconds)
    .map(({ words, ...each }) => ({
      ...moved(each),
      ...(words === undefined ? {} : { words: words.map(moved) })
    }));
};

const TWO_LETTERS = /^[a-z]{2}$/u;

/** The codes that transcription servers take; null if they have none for the language. */
const codeOf = (language: string | null): string | null => {
  const primary = language?.split("-")[0]?.toLowerCase() ?? "";
  return TWO_LETTERS.test(primary) ? primary : null;
};

interface Listening {
  readonly sound: RecordedSound;
  readonly language: string | null;
}

const isNoWords = (text: string): boolean => text.trim() === "" || isNoSpeechPhrase(text);

const askFor = Effect.fnUntraced(function* ({ sound, language }: Listening, piece: SoundPiece, name: string) {
  const client = yield* SpeechClient;
  const audio = new Blob([yield* piece.read], { type: "audio/mpeg" });
  const transcription = yield* client.transcribe({
    audio,
    filename: `sound-${name}.mp3`,
    soundSeconds: piece.endSeconds - piece.startSeconds,
    language: codeOf(language)
  });
  const { hasTimes, isSure, language: heardLanguage, removedCount, silentCount, text } = transcription;
  const chunk: TranscribedChunk = {
    piece,
    segments: spokenSegments(sound.levels, segmentsOf(piece, transcription)),
    hasTimes,
    removedCount,
    isSure,
    language: heardLanguage,
    isReportedSilent: silentCount > 0 || (text !== "" && isNoWords(text))
  };
  return chunk;
});

/** Whether it may be that somebody speaks where the server had no words. */
const isLost = (sound: RecordedSound, { piece, segments, isReportedSilent }: TranscribedChunk): boolean =>
  segments.length === 0 && !isReportedSilent && soundSeconds(sound.levels, piece) > SILENT_SECONDS_MAX;

/** Requested once more with the silence around it if it came back empty, and in halves if it is too long. */
const transcribeChunk = (
  listening: Listening,
  piece: SoundPiece
): Effect.Effect<ReadonlyArray<TranscribedChunk>, TranscriptionFailure, SpeechClient> => {
  const { sound } = listening;
  const seconds = piece.endSeconds - piece.startSeconds;
  const name = String(piece.startSeconds);
  const again = Effect.flatMap(
    sound.pieces(Number.POSITIVE_INFINITY, withSilenceAround(sound.levels, piece)),
    ([wider = piece]) => askFor(listening, wider, name)
  );
  return askFor(listening, piece, name).pipe(
    Effect.flatMap((first) => (isLost(sound, first) ? again : Effect.succeed(first))),
    Effect.map((answer) => [{ ...answer, piece }]),
    Effect.catchTag("InputTooLong", (tooLong) =>
      seconds / 2 < PIECE_SECONDS_MIN
        ? Effect.fail(tooLong)
        : Effect.flatMap(sound.pieces(seconds / 2, piece), (halves) =>
            Effect.map(
              Effect.forEach(halves, (half) => transcribeChunk(listening, half)),
              (answers) => answers.flat()
            )
          )
    )
  );
};

/** The language of most of the recording. */
const languageOf = (chunks: ReadonlyArray<TranscribedChunk>): string | null => {
  const seconds = new Map<string, number>();
  for (const { language, segments, piece } of chunks) {
    const tag = languageTagOf(language ?? "");
    const length = piece.endSeconds - piece.startSeconds;
    if (segments.length > 0 && tag !== LANGUAGE_UNKNOWN) seconds.set(tag, (seconds.get(tag) ?? 0) + length);
  }
  return [...seconds].toSorted(([, left], [, right]) => right - left)[0]?.[0] ?? null;
};

/** May pass: the chunk is requested once more. After a time-out, nothing is. */
const mayPass = (failure: TranscriptionFailure): boolean =>
  failure._tag === "Failed" && failure.reason === "speech_unavailable";

const lengthOf = (stretches: ReadonlyArray<Stretch>): number =>
  stretches.reduce((sum, { startSeconds, endSeconds }) => sum + endSeconds - startSeconds, 0);

const tenths = (seconds: number): number => Math.round(seconds * 10) / 10;

/** Tells how much of the recording is done when chunks are. */
const makeProgress = ({ levels }: RecordedSound, { report }: Run) => {
  const totalSeconds = tenths(levels.levels.length * LEVEL_STEP_SECONDS);
  const audibleSeconds = lengthOf(cutAtSilence(levels, PIECE_SECONDS_MAX));
  let sentSeconds = 0;
  const at = (part: number) =>
    report({
      step: "transcribing",
      doneSeconds: tenths(Math.min(1, part) * totalSeconds),
      totalSeconds
    });
  return {
    begun: at(0),
    chunk: (piece: Stretch) =>
      Effect.suspend(() => {
        sentSeconds += lengthOf([piece]);
        return at(sentSeconds / audibleSeconds);
      }),
    ended: at(1)
  };
};

/** The first chunk alone, then the others at the pace of the server; those that failed once more after all others. */
const transcribeChunks = Effect.fnUntraced(function* (
  listening: Listening,
  done: (piece: Stretch) => Effect.Effect<void>
) {
  const { sound } = listening;
  const transcribe = (piece: SoundPiece) => Effect.tap(transcribeChunk(listening, piece), () => done(piece));
  const [opening] = cutAtSilence(sound.levels, FIRST_PIECE_SECONDS);
  if (opening === undefined) return [];
  const [first] = yield* sound.pieces(FIRST_PIECE_SECONDS, opening);
  if (first === undefined) return [];
  const [took, beginning] = yield* Effect.timed(
    Effect.retry(transcribe(first), { times: 1, while: mayPass })
  );
  const [known] = beginning;
  const pace = known === undefined ? SLOWEST : paceOf(Duration.toSeconds(took), { ...known, piece: first });
  const rest = yield* sound.pieces(pace.pieceSeconds, {
    startSeconds: first.endSeconds,
    endSeconds: sound.levels.levels.length * LEVEL_STEP_SECONDS
  });
  const tried = yield* Effect.forEach(
    rest,
    (piece) =>
      transcribe(piece).pipe(
        Effect.catch((failure) => (mayPass(failure) ? Effect.succeed(null) : Effect.fail(failure)))
      ),
    { concurrency: pace.chunksAtOnce }
  );
  const others = yield* Effect.forEach(tried, (chunks, index) => {
    const piece = rest[index];
    return chunks !== null || piece === undefined ? Effect.succeed(chunks ?? []) : transcribe(piece);
  });
  return [beginning, ...others].flat();
});

/** The whole recording or a failure; where the server had no words for sound, twice, is among the gaps. */
export const transcribeSound = Effect.fn("OpenAi.transcribeSound")(function* (
  sound: RecordedSound,
  language: string | null
): Effect.fn.Return<TranscribedSpeech, TranscriptionFailure, SpeechClient> {
  const progress = makeProgress(sound, yield* CurrentRun);
  yield* progress.begun;
  const chunks = yield* transcribeChunks({ sound, language }, progress.chunk);
  yield* progress.ended;
  const { segments, isUnsure } = withDoubts(sound.levels, {
    segments: chunks.flatMap((chunk) => chunk.segments),
    removedCount: chunks.reduce((sum, { removedCount }) => sum + removedCount, 0),
    isSure: chunks.some((chunk) => chunk.isSure)
  });
  const gaps = segments.length === 0 ? [] : chunks.filter((chunk) => isLost(sound, chunk));
  return {
    language: segments.length === 0 ? null : languageOf(chunks),
    segments,
    ...(gaps.length === 0
      ? {}
      : { gaps: gaps.map(({ piece: { startSeconds, endSeconds } }) => ({ startSeconds, endSeconds })) }),
    ...(isUnsure ? { isUnsure } : {})
  };
});
