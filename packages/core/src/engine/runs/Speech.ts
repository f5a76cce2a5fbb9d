/**
 * Transcribes the audio of videos without captions with the operator's speech model (`speech` of a submit), and
 * stores what an AI pass transcribed itself.
 */
import * as Effect from "effect/Effect";
import * as Result from "effect/Result";
import type * as Scope from "effect/Scope";
import { AUDIO_FILE, hasModality, VIDEO_FILE } from "../../domain/result/ArtifactName.ts";
import { isCut } from "../../domain/request/RunRequest.ts";
import type { Extraction } from "../../domain/run/Extraction.ts";
import type { Failed } from "../../domain/source/Failed.ts";
import { languageDistance } from "../../domain/text/LanguageTag.ts";
import type { Modality } from "../../domain/source/Modality.ts";
import type { QuotableText } from "../../domain/evidence/QuoteSearch.ts";
import { isTooLong, listsCaptions } from "../../domain/source/SourceFacts.ts";
import type { SourceDetails } from "../../domain/source/SourceMetadata.ts";
import type { Stretch } from "../../domain/transcript/CaptionTimes.ts";
import { speechWarnings } from "../../domain/transcript/SpeechWarnings.ts";
import type { TranscriptSegment } from "../../domain/transcript/Transcript.ts";
import { speechFiles } from "../../domain/result/TranscriptFiles.ts";
import {
  Downloader,
  type Fetched,
  type FetchedFile,
  type FetchRequest,
  textFile
} from "../../ports/Downloader.ts";
import { speechFrom, type TranscribedSpeech, Transcriber } from "../../ports/Transcriber.ts";

/** A fetch, with a transcript from its audio if there were no captions. */
export interface WithSpeech {
  readonly found: Fetched;
  /** Null if nothing was transcribed. */
  readonly sound: "speech" | "no_speech" | null;
}

const filesOf = (
  language: string | null,
  segments: ReadonlyArray<TranscriptSegment>,
  gaps: ReadonlyArray<Stretch> = []
) => Object.entries(speechFiles(language, segments, gaps)).map(([name, text]) => textFile(name, text));

const soundOf = (files: ReadonlyArray<FetchedFile>): FetchedFile | undefined =>
  files.find(({ name }) => name === AUDIO_FILE) ?? files.find(({ name }) => name === VIDEO_FILE);

/**
 * Transcription failed, so it is unknown whether there is speech; this replaces the source's report about captions.
 */
const withFailure = (found: Fetched, failed: Failed): WithSpeech => ({
  found: { ...found, failedLookups: { ...found.failedLookups, transcript: failed } },
  sound: null
});

const CAPTIONS_UNKNOWN = "The captions could not be looked up, so the transcript was made from the audio.";

const withTranscript = (found: Fetched, speech: TranscribedSpeech, wanted: string | null): WithSpeech => {
  const { language, segments, gaps } = speech;
  const warnings = [...found.warnings, ...speechWarnings(speech)];
  if (segments.length === 0) return { found: { ...found, warnings }, sound: "no_speech" };
  return {
    found: {
      ...found,
      files: [...found.files, ...filesOf(language, segments, gaps)],
      languageMissing: wanted !== null && language !== null && languageDistance(language, wanted) === null,
      warnings: found.failedLookups?.transcript === undefined ? warnings : [...warnings, CAPTIONS_UNKNOWN]
    },
    sound: "speech"
  };
};

/** What is spoken; what the caller wishes to read may be another language. */
export const spokenLanguage = ({ request }: Extraction, { language }: SourceDetails): string | null =>
  language ?? request.language;

interface Listening {
  /** What was fetched. */
  readonly wants: ReadonlyArray<Modality>;
  /** What every fetch of the run has in common. */
  readonly fetching: Omit<FetchRequest, "wantsOf">;
}

/** Audio that was fetched anyway, or fetched for this alone; null if there is none. */
const fetchSound = Effect.fnUntraced(function* (
  found: Fetched,
  { wants, fetching }: Listening
): Effect.fn.Return<
  Pick<Fetched, "measuredDurationSeconds"> & { readonly file: FetchedFile | null },
  Failed,
  Downloader | Scope.Scope
> {
  const { measuredDurationSeconds } = found;
  const file = soundOf(found.files);
  if (file !== undefined) return { file, measuredDurationSeconds };
  if (wants.includes("audio")) return { file: null, measuredDurationSeconds };
  const downloader = yield* Downloader;
  const more = yield* downloader.fetch({ ...fetching, wantsOf: () => ["audio"], wantsOnly: true });
  const failed = more.failedLookups?.audio;
  if (failed !== undefined) return yield* failed;
  return {
    file: soundOf(more.files) ?? null,
    measuredDurationSeconds: more.measuredDurationSeconds ?? measuredDurationSeconds
  };
});

/** The fetched inputs, with a transcript of the audio if one was requested and there are no captions. */
export const withSpeech = Effect.fn("Speech.withSpeech")(function* (
  extraction: Extraction,
  fetched: Fetched,
  listening: Listening
): Effect.fn.Return<WithSpeech, never, Downloader | Scope.Scope> {
  const { captions, language, range, speech } = extraction.request;
  const isWanted = speech && fetched.facts.kind === "video";
  const hasTranscript = !listening.wants.includes("transcript") || hasModality(fetched.files, "transcript");
  if (!isWanted || hasTranscript) return { found: fetched, sound: null };
  // The whole was listened to, unless it has captions.
  if (isCut(extraction.request))
    return { found: fetched, sound: listsCaptions(fetched.facts, captions) ? null : "no_speech" };
  const fetchedSound = yield* Effect.result(fetchSound(fetched, listening));
  if (Result.isFailure(fetchedSound)) return withFailure(fetched, fetchedSound.failure);
  const { fetching } = listening;
  const { file, measuredDurationSeconds } = fetchedSound.success;
  const found = { ...fetched, measuredDurationSeconds };
  if (file === null || isTooLong(found.facts, measuredDurationSeconds, fetching.maxDurationSeconds))
    return { found, sound: null };
  const { transcribe } = yield* Transcriber;
  return yield* transcribe(file, { language: spokenLanguage(extraction, found.details ?? {}) }).pipe(
    Effect.map((transcript) =>
      transcript === null
        ? { found, sound: null }
        : withTranscript(found, speechFrom(range?.startSec ?? 0, transcript), language)
    ),
    Effect.catch((failure) => Effect.succeed(withFailure(found, failure)))
  );
});

/**
 * Files of the AI pass's own transcription if the run has no other transcript; none if the model reported no times.
 */
export const transcribedFiles = (
  files: ReadonlyArray<FetchedFile>,
  heard: ReadonlyArray<QuotableText>
): ReadonlyArray<FetchedFile> => {
  if (hasModality(files, "transcript")) return [];
  const segments = heard
    .filter(({ source }) => source === "transcript")
    .flatMap((text) => text.segments)
    .flatMap(({ text, startSeconds, endSeconds }) =>
      startSeconds === null || endSeconds === null ? [] : [{ text, startSeconds, endSeconds }]
    );
  return segments.length === 0 ? [] : filesOf(null, segments);
};
