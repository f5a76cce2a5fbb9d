/**
 * What a run has fetched so far: its files, and the words in them. A later fetch of the same run brings
 * only what is new.
 *
 * Text is stored as soon as it is there and read back from the store, since the engine has no file system;
 * media waits for the end, because storing may move a file away that the analyst still reads.
 */
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import type * as Scope from "effect/Scope";
import * as Stream from "effect/Stream";
import {
  artifactOf,
  METADATA_FILE,
  PAGE_MARKDOWN_FILE,
  TRANSCRIPT_FILE,
  TRANSCRIPT_SEGMENTS_FILE
} from "../domain/ArtifactName.ts";
import { artifactTexts, TEXT_BYTES_MAX } from "../domain/ArtifactTexts.ts";
import { NO_SLIDES, wantsOf, type Shortfall, type SlidesRead } from "../domain/Availability.ts";
import type { Artifact, Extraction } from "../domain/Extraction.ts";
import type { FailedLookup } from "../domain/FailedLookup.ts";
import type { Failure } from "../domain/Failure.ts";
import type { InputText } from "../domain/InputText.ts";
import { canonical, type Modality } from "../domain/Modality.ts";
import { isTooLong, tooLongMessage, type SourceFacts, type SourceKind } from "../domain/SourceFacts.ts";
import { type SourceDetails, writeMetadata } from "../domain/SourceMetadata.ts";
import { captionsEndSeconds, readTranscript } from "../domain/Transcript.ts";
import { ArtifactStore } from "../ports/ArtifactStore.ts";
import {
  Downloader,
  type DownloadFailed,
  type Fetched,
  type FetchedFile,
  type FetchProgress,
  textFile,
  type WholePage
} from "../ports/Downloader.ts";
import { Store } from "../ports/Store.ts";
import { accountPlan } from "./AccountPlans.ts";
import { EngineSettings } from "./EngineSettings.ts";
import { soundOfRun, type Listened, withSpeech } from "./Speech.ts";
import { STORING_PATIENCE_MS, throughOutage } from "./Outages.ts";

/** With what listening to the sound came to. */
export interface FetchedInputs extends Listened {
  readonly facts: SourceFacts;
  /** As of ports/Downloader. */
  readonly details: SourceDetails;
  readonly measuredDurationSeconds: number | null;
  /** As of domain/Extraction; null where nothing tells it. */
  readonly estimatedDurationSeconds: number | null;
  /** In the order `summary.files` lists them. */
  readonly files: ReadonlyArray<FetchedFile>;
  /** Of what was wanted, what did not come. */
  readonly notFound: ReadonlyArray<Modality>;
  /** Of {@link notFound}, what the source was asked for in vain. */
  readonly failedLookups: ReadonlyArray<FailedLookup>;
  /** The transcript is not in the language that was asked for. */
  readonly languageMissing: boolean;
  readonly warnings: ReadonlyArray<string>;
  /** Of everything fetched. */
  readonly bytes: number;
  /** Modalities that were fetched, or found to be missing. */
  readonly fetched: ReadonlyArray<Modality>;
  /** Content of the text files, by name; empty on download-only runs. */
  readonly contents: ReadonlyMap<string, string>;
  readonly texts: ReadonlyArray<InputText>;
  /** As of domain/ArtifactTexts. */
  readonly markdown: InputText | null;
  /** The texts are all of a page, of which its files have what is probably its text. */
  readonly isWholePage: boolean;
  /** Sizes of the files that are stored already, by name. */
  readonly stored: ReadonlyMap<string, number>;
}

/** Files of one run that are stored at once: enough to hide the wait for a disk's flush. */
const STORED_AT_ONCE = 4;

const tooLong = (maxDurationSec: number): Failure => ({
  reason: "too_long",
  message: tooLongMessage(maxDurationSec)
});

const downloadFailure = ({ reason, message, retryAfterSeconds }: DownloadFailed): Failure => ({
  reason: reason === "host_not_public" ? "blocked_address" : reason,
  message,
  ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds })
});

type Attempted = Pick<Extraction, "id" | "attempt">;

const put = Effect.fnUntraced(function* ({ id, attempt }: Attempted, files: ReadonlyArray<FetchedFile>) {
  const artifacts = yield* ArtifactStore;
  const sizes = yield* Effect.forEach(
    files,
    ({ name, source }) =>
      artifacts.put({ extractionId: id, attempt, name }, source).pipe(
        throughOutage(STORING_PATIENCE_MS),
        Effect.map((bytes) => [name, bytes] as const)
      ),
    { concurrency: STORED_AT_ONCE }
  );
  return new Map(sizes);
});

/** The beginning of a stored text, as far as it is read at all. */
const readText = Effect.fnUntraced(function* ({ id, attempt }: Attempted, name: string, sizeBytes: number) {
  if (sizeBytes === 0) return "";
  const artifacts = yield* ArtifactStore;
  const end = Math.min(sizeBytes, TEXT_BYTES_MAX) - 1;
  return yield* artifacts
    .read({ extractionId: id, attempt, name }, { start: 0, end })
    .pipe(Stream.decodeText(), Stream.mkString, throughOutage(STORING_PATIENCE_MS));
});

const isCutOff = (stored: ReadonlyMap<string, number>, name: string): boolean =>
  (stored.get(name) ?? 0) > TEXT_BYTES_MAX;

/** Content that is read in place of that of the files. */
const filesOf = (wholePage: WholePage | null): ReadonlyArray<readonly [name: string, content: string]> =>
  wholePage === null
    ? []
    : [
        [TRANSCRIPT_FILE, wholePage.text],
        [PAGE_MARKDOWN_FILE, wholePage.markdown]
      ];

/** Reads the texts among newly fetched files. */
const withTexts = Effect.fnUntraced(function* (
  run: Attempted,
  before: FetchedInputs | null,
  { facts, files, wholePage = null }: Fetched
) {
  const added = files.filter(({ name }) => artifactOf(name)?.readAs === "text");
  // A dearer rung adds sound or pictures: the texts are parsed already.
  if (added.length === 0 && before?.facts.kind === facts.kind) {
    const { contents, stored, texts, markdown, isWholePage } = before;
    return { contents, stored, texts, markdown, isWholePage, warnings: [] };
  }
  const sizes = yield* put(run, added);
  const read = yield* Effect.forEach(added, ({ name }) =>
    Effect.map(readText(run, name, sizes.get(name) ?? 0), (text) => [name, text] as const)
  );
  const contents = new Map([...(before?.contents ?? []), ...read, ...filesOf(wholePage)]);
  const stored = new Map([...(before?.stored ?? []), ...sizes]);
  const { texts, markdown, cut } = artifactTexts(facts, contents);
  const long = new Set([...cut, ...[...sizes.keys()].filter((name) => isCutOff(sizes, name))]);
  const warnings = [...long].map((what) => `Only the beginning of ${what} was read, because it is too long.`);
  return {
    contents,
    stored,
    texts,
    markdown,
    isWholePage: wholePage !== null,
    warnings: added.length === 0 ? [] : warnings
  };
});

const NO_TEXTS = {
  contents: new Map<string, string>(),
  stored: new Map<string, number>(),
  texts: [],
  markdown: null,
  isWholePage: false,
  warnings: []
};

export interface FetchInputsRequest {
  readonly extraction: Extraction;
  readonly modalitiesOf: (kind: SourceKind) => ReadonlyArray<Modality>;
  /** What the run has already; null for its first fetch. */
  readonly before: FetchedInputs | null;
  readonly onProgress: (progress: FetchProgress) => Effect.Effect<void>;
}

const captionsEnd = (contents: ReadonlyMap<string, string>): number | null =>
  captionsEndSeconds(
    Option.getOrElse(readTranscript(contents.get(TRANSCRIPT_SEGMENTS_FILE) ?? ""), () => [])
  );

/** A forced run reads nothing that is older than its submit's own look, whose finding every run may build on. */
const inspectingOf = Effect.fnUntraced(function* ({ createdAtMs, inspected, request }: Extraction) {
  const { inspectTimeoutMs } = yield* EngineSettings;
  return {
    ...(request.force ? { notBeforeMs: createdAtMs - inspectTimeoutMs } : {}),
    ...(inspected === null ? {} : { known: { kind: inspected.kind, atMs: createdAtMs } })
  };
});

/** Files of the downloader live until the scope closes. */
export const fetchInputs = Effect.fn("InputFetch.fetchInputs")(function* ({
  extraction,
  modalitiesOf,
  before,
  onProgress
}: FetchInputsRequest): Effect.fn.Return<
  FetchedInputs,
  Failure,
  Downloader | ArtifactStore | Store | Scope.Scope
> {
  const downloader = yield* Downloader;
  const { language, mode, normalizedUrl } = extraction.request;
  const bytesBefore = before?.bytes ?? 0;
  const { maxDurationSec } = (yield* accountPlan(extraction.accountId)).limits;
  const isNew = (modality: Modality) => !(before?.fetched.includes(modality) ?? false);
  const addedOf = (kind: SourceKind) =>
    wantsOf(kind, { mode, modalities: canonical(modalitiesOf(kind)).filter(isNew) });
  const progress = (now: FetchProgress) => onProgress({ ...now, bytes: bytesBefore + now.bytes });
  const plain = yield* Effect.mapError(
    downloader.fetch({
      accountId: extraction.accountId,
      url: normalizedUrl,
      wantsOf: addedOf,
      ...(yield* inspectingOf(extraction)),
      ...(before === null ? {} : { wantsOnly: true }),
      ...(language === undefined ? {} : { language }),
      maxDurationSeconds: maxDurationSec,
      onProgress: progress
    }),
    downloadFailure
  );
  const { kind } = plain.facts;
  const spoken = yield* withSpeech(extraction, plain, { wants: addedOf(kind), onProgress: progress });
  const { found } = spoken;
  const measuredDurationSeconds = found.measuredDurationSeconds ?? before?.measuredDurationSeconds ?? null;
  if (isTooLong(found.facts, measuredDurationSeconds, maxDurationSec)) {
    return yield* Effect.fail(tooLong(maxDurationSec));
  }
  const { warnings, ...read } = mode === "ai" ? yield* withTexts(extraction, before, found) : NO_TEXTS;
  return {
    facts: found.facts,
    details: found.details ?? before?.details ?? {},
    measuredDurationSeconds,
    estimatedDurationSeconds:
      found.streamDurationSeconds ?? before?.estimatedDurationSeconds ?? captionsEnd(read.contents),
    // Media comes before text, as within one fetch.
    files: [...found.files, ...(before?.files ?? [])],
    notFound: [...(before?.notFound ?? []), ...found.unavailable],
    failedLookups: [...(before?.failedLookups ?? []), ...(found.failedLookups ?? [])],
    ...soundOfRun({ ...before, ...spoken }),
    languageMissing: (before?.languageMissing ?? false) || (found.languageMissing ?? false),
    warnings: [...(before?.warnings ?? []), ...found.warnings, ...warnings],
    bytes: bytesBefore + found.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    fetched: canonical(modalitiesOf(kind)),
    ...read
  };
});

/** What was not to be had, once it is known what the model did not read. */
export const shortfallOf = (
  { failedLookups, languageMissing, notFound, warnings, ...spoken }: FetchedInputs,
  unsupportedByModel: ReadonlyArray<Modality>,
  slides: SlidesRead = NO_SLIDES
): Shortfall => ({
  notFound,
  ...(failedLookups.length === 0 ? {} : { failedLookups }),
  ...soundOfRun(spoken),
  unsupportedByModel,
  languageMissing,
  slides,
  remarks: warnings
});

const metadataFile = ({ details, facts }: FetchedInputs): FetchedFile =>
  textFile(METADATA_FILE, writeMetadata(facts, details));

/** Stores what is not stored yet, writes `metadata.json`, and lists everything. */
export const storeAll = Effect.fn("InputFetch.store")(function* (run: Extraction, inputs: FetchedInputs) {
  const { stored } = inputs;
  const files = [...inputs.files, metadataFile(inputs)];
  const sizes = yield* put(
    run,
    files.filter(({ name }) => !stored.has(name))
  );
  return files.map(({ name, contentType }): Artifact => ({
    name,
    contentType,
    sizeBytes: stored.get(name) ?? sizes.get(name) ?? 0
  }));
});
