/**
 * Words of a video that has no captions: its sound, written down by the operator's speech model (contract 11,
 * `speech`), and what an AI pass heard itself.
 */
import * as Effect from "effect/Effect";
import * as Result from "effect/Result";
import type * as Scope from "effect/Scope";
import { AUDIO_FILE, TRANSCRIPT_FILE, VIDEO_FILE } from "../domain/ArtifactName.ts";
import type { Extraction } from "../domain/Extraction.ts";
import type { FailedLookup } from "../domain/FailedLookup.ts";
import { languageDistance } from "../domain/LanguageTag.ts";
import type { Modality } from "../domain/Modality.ts";
import type { QuotableText } from "../domain/QuoteSearch.ts";
import { isTooLong } from "../domain/SourceFacts.ts";
import type { TranscriptSegment } from "../domain/Transcript.ts";
import { speechFiles } from "../domain/TranscriptFiles.ts";
import {
  type DownloadFailed,
  Downloader,
  type Fetched,
  type FetchedFile,
  type FetchProgress,
  textFile
} from "../ports/Downloader.ts";
import { type HeardSpeech, Transcriber, type TranscriptionFailed } from "../ports/Transcriber.ts";

/** What listening came to. */
export interface Listened {
  /** Absent where nothing was listened to. */
  readonly sound?: "speech" | "no_speech";
  /** Whether there are captions, nobody knows: the words were heard instead. */
  readonly captionsUnknown?: true;
}

/** A fetch, and what was heard where it brought no captions. */
export interface Spoken extends Listened {
  readonly found: Fetched;
}

const filesOf = (language: string | null, segments: ReadonlyArray<TranscriptSegment>) =>
  Object.entries(speechFiles(language, segments)).map(([name, text]) => textFile(name, text));

const soundOf = (files: ReadonlyArray<FetchedFile>): FetchedFile | undefined =>
  files.find(({ name }) => name === AUDIO_FILE) ?? files.find(({ name }) => name === VIDEO_FILE);

const failedWith = ({ reason, message }: DownloadFailed | TranscriptionFailed): FailedLookup => ({
  modality: "transcript",
  reason: reason === "host_not_public" ? "blocked_address" : reason,
  message
});

/** In vain: whether anything is said, nobody knows. What the source said of its captions is not the point then. */
const inVain = (found: Fetched, failed: FailedLookup): Spoken => ({
  found: {
    ...found,
    failedLookups: [
      ...(found.failedLookups ?? []).filter(({ modality }) => modality !== "transcript"),
      failed
    ]
  }
});

const CAPTIONS_UNKNOWN = "The captions could not be looked up, so the transcript was made from the audio.";

const heardIn = (found: Fetched, { language, segments }: HeardSpeech, wanted: string | undefined): Spoken => {
  if (segments.length === 0) return { found, sound: "no_speech" };
  const others = (found.failedLookups ?? []).filter(({ modality }) => modality !== "transcript");
  const captionsUnknown = others.length < (found.failedLookups ?? []).length;
  return {
    found: {
      ...found,
      files: [...found.files, ...filesOf(language, segments)],
      unavailable: found.unavailable.filter((modality) => modality !== "transcript"),
      failedLookups: others,
      languageMissing:
        wanted !== undefined && language !== null && languageDistance(language, wanted) === null,
      warnings: captionsUnknown ? [...found.warnings, CAPTIONS_UNKNOWN] : found.warnings
    },
    sound: "speech",
    ...(captionsUnknown ? { captionsUnknown } : {})
  };
};

interface Listening {
  readonly onProgress: (progress: FetchProgress) => Effect.Effect<void>;
  /** What the fetch was for. */
  readonly wants: ReadonlyArray<Modality>;
}

/** The sound of what was fetched, or fetched for it alone; null where there is none. */
const fetchSound = Effect.fnUntraced(function* (
  { accountId, request }: Extraction,
  found: Fetched,
  { wants, onProgress }: Listening
): Effect.fn.Return<
  Pick<Fetched, "measuredDurationSeconds"> & { readonly file: FetchedFile | null },
  DownloadFailed | FailedLookup,
  Downloader | Scope.Scope
> {
  const { measuredDurationSeconds } = found;
  const file = soundOf(found.files);
  if (file !== undefined) return { file, measuredDurationSeconds };
  if (wants.includes("audio")) return { file: null, measuredDurationSeconds };
  const downloader = yield* Downloader;
  const url = request.normalizedUrl;
  const more = yield* downloader.fetch({
    accountId,
    url,
    wantsOf: () => ["audio"],
    wantsOnly: true,
    onProgress
  });
  const [failed] = more.failedLookups ?? [];
  if (failed !== undefined) return yield* Effect.fail({ ...failed, modality: "transcript" as const });
  return {
    file: soundOf(more.files) ?? null,
    measuredDurationSeconds: more.measuredDurationSeconds ?? measuredDurationSeconds
  };
});

/** As fetched, with the words of its sound in the place of a transcript that was asked for and is not there. */
export const withSpeech = Effect.fn("Speech.withSpeech")(function* (
  extraction: Extraction,
  fetched: Fetched,
  listening: Listening
): Effect.fn.Return<Spoken, never, Downloader | Scope.Scope> {
  const { language, speech } = extraction.request;
  const isWanted = speech === true && fetched.facts.kind === "video";
  if (!isWanted || !fetched.unavailable.includes("transcript")) return { found: fetched };
  const fetchedSound = yield* Effect.result(fetchSound(extraction, fetched, listening));
  if (Result.isFailure(fetchedSound)) {
    const failure = fetchedSound.failure;
    return inVain(fetched, "_tag" in failure ? failedWith(failure) : failure);
  }
  const { file, measuredDurationSeconds } = fetchedSound.success;
  const found = { ...fetched, measuredDurationSeconds };
  if (file === null || isTooLong(found.facts, measuredDurationSeconds)) return { found };
  yield* listening.onProgress({ step: "converting", percent: null, bytes: file.sizeBytes });
  const { transcribe } = yield* Transcriber;
  return yield* transcribe(file).pipe(
    Effect.map((heard) => (heard === null ? { found } : heardIn(found, heard, language))),
    Effect.catch((failure) => Effect.succeed(inVain(found, failedWith(failure))))
  );
});

/**
 * Files of what the AI pass heard, where the run has no other transcript; none where the model told no times.
 */
export const heardFiles = (
  files: ReadonlyArray<FetchedFile>,
  heard: ReadonlyArray<QuotableText>
): ReadonlyArray<FetchedFile> => {
  if (files.some(({ name }) => name === TRANSCRIPT_FILE)) return [];
  const segments = heard
    .filter(({ source }) => source === "transcript")
    .flatMap((text) => text.segments)
    .flatMap(({ text, startSeconds, endSeconds }) =>
      startSeconds === null || endSeconds === null ? [] : [{ text, startSeconds, endSeconds }]
    );
  return segments.length === 0 ? [] : filesOf(null, segments);
};

/** Of anything that knows it, that alone. */
export const soundOfRun = ({ sound, captionsUnknown }: Listened): Listened => ({
  ...(sound === undefined ? {} : { sound }),
  ...(captionsUnknown === undefined ? {} : { captionsUnknown })
});
