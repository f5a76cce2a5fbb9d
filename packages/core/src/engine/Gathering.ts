/**
 * What a run has fetched so far: its files, and the words in them. A later fetch of the same run brings
 * only what is new.
 *
 * Text is stored as soon as it is there and read back from the store, since the engine has no file system;
 * media waits for the end, because storing may move a file away that the analyst still reads.
 */
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import * as Stream from "effect/Stream";
import { artifactTexts, TEXT_BYTES_MAX, TEXT_FILES } from "../domain/ArtifactTexts.ts";
import type { Artifact, Extraction } from "../domain/Extraction.ts";
import type { Failure } from "../domain/Failure.ts";
import type { InputText } from "../domain/InputText.ts";
import { canonical, type Modality } from "../domain/Modality.ts";
import { MAX_DURATION_SECONDS, type SourceFacts } from "../domain/SourceFacts.ts";
import { ArtifactStore } from "../ports/ArtifactStore.ts";
import {
  Downloader,
  type DownloadFailed,
  type FetchedFile,
  type FetchProgress
} from "../ports/Downloader.ts";
import { wantsOf } from "./Availability.ts";
import { EngineSettings } from "./EngineSettings.ts";

export interface Gathered {
  readonly facts: SourceFacts;
  readonly measuredDurationSeconds: number | null;
  /** In the order `summary.files` lists them. */
  readonly files: ReadonlyArray<FetchedFile>;
  /** Of what was wanted, what the source does not have. */
  readonly lacking: ReadonlyArray<Modality>;
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
  /** Sizes of the files that are stored already, by name. */
  readonly stored: ReadonlyMap<string, number>;
}

/** Containers round a length up by some frames: an hour may measure 3600.05 s. */
const MEASURE_TOLERANCE_SECONDS = 1;

/** Files of one run that are stored at once: enough to hide the wait for a disk's flush. */
const STORED_AT_ONCE = 4;

const TOO_LONG: Failure = { reason: "too_long", message: "The video is longer than 60 minutes." };

const downloadFailure = ({ reason, message, retryAfterSeconds }: DownloadFailed): Failure => ({
  reason: reason === "host_not_public" ? "blocked_address" : reason,
  message,
  ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds })
});

const isTooLong = ({ kind, durationSeconds }: SourceFacts, measuredSeconds: number | null): boolean =>
  kind === "video" &&
  ((durationSeconds ?? 0) > MAX_DURATION_SECONDS ||
    (measuredSeconds ?? 0) > MAX_DURATION_SECONDS + MEASURE_TOLERANCE_SECONDS);

/** The look that a run begins with: a forced one reads nothing that is older than its submit's own look. */
export const inspect = Effect.fn("Gathering.inspect")(function* ({ request, createdAtMs }: Extraction) {
  const downloader = yield* Downloader;
  const { inspectTimeoutMs } = yield* EngineSettings;
  const options = request.force ? { notBeforeMs: createdAtMs - inspectTimeoutMs } : {};
  const facts = yield* Effect.mapError(downloader.inspect(request.normalizedUrl, options), downloadFailure);
  return isTooLong(facts, null) ? yield* Effect.fail(TOO_LONG) : facts;
});

type Attempted = Pick<Extraction, "id" | "attempt">;

const put = Effect.fnUntraced(function* ({ id, attempt }: Attempted, files: ReadonlyArray<FetchedFile>) {
  const artifacts = yield* ArtifactStore;
  const sizes = yield* Effect.forEach(
    files,
    ({ name, source }) =>
      Effect.map(
        artifacts.put({ extractionId: id, attempt, name }, source),
        (bytes) => [name, bytes] as const
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
    .pipe(Stream.decodeText(), Stream.mkString);
});

const isCutOff = (stored: ReadonlyMap<string, number>, name: string): boolean =>
  (stored.get(name) ?? 0) > TEXT_BYTES_MAX;

/** Reads the texts among newly fetched files. */
const withTexts = Effect.fnUntraced(function* (
  run: Attempted,
  before: Gathered | null,
  facts: SourceFacts,
  files: ReadonlyArray<FetchedFile>
) {
  const added = files.filter(({ name }) => TEXT_FILES.has(name));
  // A dearer rung adds sound or pictures: the texts are parsed already.
  if (added.length === 0 && before?.facts.kind === facts.kind) {
    const { contents, stored, texts } = before;
    return { contents, stored, texts, warnings: [] };
  }
  const sizes = yield* put(run, added);
  const read = yield* Effect.forEach(added, ({ name }) =>
    Effect.map(readText(run, name, sizes.get(name) ?? 0), (text) => [name, text] as const)
  );
  const contents = new Map([...(before?.contents ?? []), ...read]);
  const stored = new Map([...(before?.stored ?? []), ...sizes]);
  const { texts, cut } = artifactTexts(facts, contents);
  const long = new Set([...cut, ...[...sizes.keys()].filter((name) => isCutOff(sizes, name))]);
  const warnings = [...long].map((what) => `Only the beginning of ${what} was read: it is too long.`);
  return { contents, stored, texts, warnings: added.length === 0 ? [] : warnings };
});

const NO_TEXTS = {
  contents: new Map<string, string>(),
  stored: new Map<string, number>(),
  texts: [],
  warnings: []
};

export interface GatherRequest {
  readonly extraction: Extraction;
  /** As looked at before. */
  readonly kind: SourceFacts["kind"];
  readonly modalities: ReadonlyArray<Modality>;
  /** What the run has already; null for its first fetch. */
  readonly before: Gathered | null;
  readonly onProgress: (progress: FetchProgress) => Effect.Effect<void>;
}

/** Files of the downloader live until the scope closes. */
export const gather = Effect.fn("Gathering.gather")(function* ({
  extraction,
  kind,
  modalities,
  before,
  onProgress
}: GatherRequest): Effect.fn.Return<Gathered, Failure, Downloader | ArtifactStore | Scope.Scope> {
  const downloader = yield* Downloader;
  const { language, mode, normalizedUrl } = extraction.request;
  const fetched = canonical(modalities);
  const added = fetched.filter((modality) => !(before?.fetched.includes(modality) ?? false));
  const bytesBefore = before?.bytes ?? 0;
  const found = yield* Effect.mapError(
    downloader.fetch({
      url: normalizedUrl,
      wants: wantsOf(kind, { mode, modalities: added }),
      ...(before === null ? {} : { wantsOnly: true }),
      ...(language === undefined ? {} : { language }),
      onProgress: (progress) => onProgress({ ...progress, bytes: bytesBefore + progress.bytes })
    }),
    downloadFailure
  );
  const measuredDurationSeconds = found.measuredDurationSeconds ?? before?.measuredDurationSeconds ?? null;
  if (isTooLong(found.facts, measuredDurationSeconds)) return yield* Effect.fail(TOO_LONG);
  const { warnings, ...read } =
    mode === "ai" ? yield* withTexts(extraction, before, found.facts, found.files) : NO_TEXTS;
  return {
    facts: found.facts,
    measuredDurationSeconds,
    // Media comes before text, as within one fetch.
    files: [...found.files, ...(before?.files ?? [])],
    lacking: [...(before?.lacking ?? []), ...found.unavailable],
    languageMissing: (before?.languageMissing ?? false) || (found.languageMissing ?? false),
    warnings: [...(before?.warnings ?? []), ...found.warnings, ...warnings],
    bytes: bytesBefore + found.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    fetched,
    ...read
  };
});

/** Stores what is not stored yet and lists everything. */
export const storeAll = Effect.fn("Gathering.store")(function* (
  run: Extraction,
  { files, stored }: Gathered
) {
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
