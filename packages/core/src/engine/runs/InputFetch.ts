/**
 * What a run has fetched so far: its files and the texts in them. Later fetches of the same run add only what is
 * new. Everything is stored at the end, because storing may move a file that the analyst still reads. Tests: Attempt.test.ts, Auto.test.ts.
 */
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import {
  artifactOf,
  hasModality,
  METADATA_FILE,
  pageFiles,
  SECTIONS_FILE
} from "../../domain/result/ArtifactName.ts";
import { artifactTexts, TEXT_BYTES_MAX } from "../../domain/result/ArtifactTexts.ts";
import {
  type Coverage,
  FOUND,
  isRequested,
  NOT_FOUND,
  NOTHING_FETCHED,
  type Part,
  wantsOf
} from "../../domain/run/Availability.ts";
import type { Artifact, Extraction } from "../../domain/run/Extraction.ts";
import { withinVideo } from "../../domain/money/Pricing.ts";
import { Failed } from "../../domain/source/Failed.ts";
import type { InputText, TextSection } from "../../domain/text/InputText.ts";
import { present, wholePartOf } from "../../domain/text/Json.ts";
import { byModality, canonical, type Modality } from "../../domain/source/Modality.ts";
import {
  isTooLong,
  pricedFacts,
  tooLongMessage,
  type SourceFacts,
  type SourceKind
} from "../../domain/source/SourceFacts.ts";
import { type SourceDetails, writeMetadata } from "../../domain/source/SourceMetadata.ts";
import { RANGE_HINT } from "../../domain/source/TimeRange.ts";
import { captionsEndSeconds } from "../../domain/transcript/Transcript.ts";
import { ArtifactStore } from "../../ports/ArtifactStore.ts";
import {
  Downloader,
  type Fetched,
  type FetchedFile,
  textFile,
  type WholePage
} from "../../ports/Downloader.ts";
import { Store } from "../../ports/Store.ts";
import { accountPlan } from "../accounts/AccountPlans.ts";
import { EngineSettings } from "../EngineSettings.ts";
import { type WithSpeech, withSpeech } from "./Speech.ts";
import { changingProgress } from "./ProgressFeed.ts";
import { STORING_RETRY_LIMIT_MS, retryOutage } from "../Outages.ts";

export interface FetchedInputs {
  readonly facts: SourceFacts;
  /** In the order of `summary.files`. */
  readonly files: ReadonlyArray<FetchedFile>;
  /** Of the text files; empty if they have none. */
  readonly sections: ReadonlyArray<TextSection>;
  /** Read instead of the files, which contain what is probably its main text. */
  readonly wholePage: WholePage | null;
  /** As of ports/Downloader. */
  readonly details: SourceDetails;
  readonly measuredDurationSeconds: number | null;
  /** As in domain/run/Extraction; null if unknown. */
  readonly estimatedDurationSeconds: number | null;
  /** Without what the model did not read. */
  readonly coverage: Coverage;
  /** As of ports/Downloader; null if there are no routes. */
  readonly route: string | null;
  /** Total of everything fetched. */
  readonly bytes: number;
  /** Empty for download-only runs. */
  readonly texts: ReadonlyArray<InputText>;
  /** As of domain/result/ArtifactTexts. */
  readonly markdown: InputText | null;
}

/** Maximum files of one run stored concurrently: enough to hide the latency of disk flushes. */
const STORED_AT_ONCE = 4;

/** The beginning of a text, up to the limit that is read, and not within a character or an entry. */
const readText = ({ name, source }: FetchedFile): string => {
  if (source._tag !== "Bytes") throw new Error(`The downloader must return ${name} as bytes`);
  const isCut = source.bytes.length > TEXT_BYTES_MAX;
  const text = new TextDecoder().decode(source.bytes.subarray(0, TEXT_BYTES_MAX), { stream: isCut });
  return isCut && name.endsWith(".json") ? wholePartOf(text) : text;
};

type Readable = Pick<FetchedInputs, "facts" | "files" | "sections" | "wholePage">;

/** The texts of what was fetched so far. */
const textsIn = ({ facts, files, sections, wholePage }: Readable) => {
  const texts = files.filter(({ name }) => artifactOf(name)?.readAs === "text");
  const read = texts.map((file) => [file.name, readText(file)] as const);
  const contents = new Map([...read, ...(wholePage === null ? [] : pageFiles(wholePage))]);
  const { cut, ...found } = artifactTexts(facts, contents, (wholePage ?? { sections }).sections ?? []);
  const tooLarge = texts.filter(({ sizeBytes }) => sizeBytes > TEXT_BYTES_MAX).map(({ name }) => name);
  const long = [...cut, ...tooLarge];
  return {
    ...found,
    warnings: long.map((what) => `Only the beginning of ${what} was read, because it is too long.`)
  };
};

const NO_TEXTS = { texts: [], markdown: null, warnings: [] };

export interface FetchInputsRequest {
  readonly extraction: Extraction;
  readonly modalitiesOf: (kind: SourceKind) => ReadonlyArray<Modality>;
  /** What the run already has; null for its first fetch. */
  readonly before: FetchedInputs | null;
}

/** A forced run ignores inspections older than that of its submit, which every run may use. */
const inspectingOf = Effect.fnUntraced(function* ({ createdAtMs, seen, request }: Extraction) {
  const { inspectTimeoutMs } = yield* EngineSettings;
  return present({
    notBeforeMs: request.force ? createdAtMs - inspectTimeoutMs : null,
    known: seen === null ? null : { kind: seen.kind, atMs: createdAtMs }
  });
});

/** What a fetch says of a modality that it was asked for. */
const partOf = (modality: Modality, { failedLookups, files }: Fetched): Part => {
  if (hasModality(files, modality)) return FOUND;
  const failure = failedLookups?.[modality];
  return failure === undefined ? NOT_FOUND : { state: "lookup_failed", failure };
};

const coverageOf = (
  before: Coverage,
  asked: ReadonlyArray<Modality>,
  { found, sound }: WithSpeech,
  warnings: ReadonlyArray<string>
): Coverage => ({
  ...before,
  parts: byModality((modality) =>
    asked.includes(modality) ? partOf(modality, found) : before.parts[modality]
  ),
  sound: sound ?? before.sound,
  captionsUnknown:
    before.captionsUnknown || (sound === "speech" && found.failedLookups?.transcript !== undefined),
  languageMissing: before.languageMissing || (found.languageMissing ?? false),
  remarks: [...new Set([...before.remarks, ...found.warnings, ...warnings])]
});

/** What is fetched adds to what the run already has. */
const afterEarlier = <A, E, R>(fetching: Effect.Effect<A, E, R>, { before }: FetchInputsRequest) =>
  changingProgress((now) => ("bytes" in now ? { ...now, bytes: (before?.bytes ?? 0) + now.bytes } : now))(
    fetching
  );

/** The downloader's files exist until the scope closes. */
export const fetchInputs = Effect.fn("InputFetch.fetchInputs")(function* ({
  extraction,
  modalitiesOf,
  before
}: FetchInputsRequest): Effect.fn.Return<FetchedInputs, Failed, Downloader | Store | Scope.Scope> {
  const downloader = yield* Downloader;
  const { captions, language, mode, normalizedUrl, range } = extraction.request;
  const bytesBefore = before?.bytes ?? 0;
  const { maxDurationSec } = (yield* accountPlan(extraction.accountId)).limits;
  const coverage = before?.coverage ?? NOTHING_FETCHED;
  const newOf = (kind: SourceKind) =>
    canonical(modalitiesOf(kind)).filter((modality) => !isRequested(coverage, modality));
  const addedOf = (kind: SourceKind) => wantsOf(kind, { mode, modalities: newOf(kind) });
  const fetching = {
    url: normalizedUrl,
    ...(yield* inspectingOf(extraction)),
    ...present({ range }),
    maxDurationSeconds: maxDurationSec
  };
  const plain = yield* downloader.fetch({
    ...fetching,
    wantsOf: addedOf,
    ...(before === null ? {} : { wantsOnly: true }),
    captions,
    ...present({ language })
  });
  const { kind } = plain.facts;
  const wants = addedOf(kind);
  const transcribed = yield* withSpeech(extraction, plain, { wants, fetching });
  const { found } = transcribed;
  const measuredDurationSeconds = found.measuredDurationSeconds ?? before?.measuredDurationSeconds ?? null;
  if (isTooLong(found.facts, measuredDurationSeconds, maxDurationSec)) {
    return yield* new Failed({ reason: "too_long", message: tooLongMessage(maxDurationSec) });
  }
  yield* Effect.fromResult(withinVideo(pricedFacts(found.facts), extraction.request)).pipe(
    Effect.mapError(({ message }) => new Failed({ reason: "input_unavailable", message, hint: RANGE_HINT }))
  );
  const parts = {
    facts: found.facts,
    // Media comes before text, as within one fetch.
    files: [...found.files, ...(before?.files ?? [])],
    sections: found.sections ?? before?.sections ?? [],
    wholePage: found.wholePage ?? before?.wholePage ?? null
  };
  const { warnings, ...read } = mode === "ai" ? textsIn(parts) : NO_TEXTS;
  return {
    ...parts,
    details: found.details ?? before?.details ?? {},
    measuredDurationSeconds,
    estimatedDurationSeconds:
      found.streamDurationSeconds ??
      before?.estimatedDurationSeconds ??
      captionsEndSeconds(read.texts.flatMap(({ segments }) => segments)),
    coverage: coverageOf(coverage, [...newOf(kind), ...wants], transcribed, warnings),
    route: found.route ?? before?.route ?? null,
    bytes: bytesBefore + found.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    ...read
  };
}, afterEarlier);

/** Stores all files, `metadata.json` and any sections, and lists all but these. */
export const storeAll = Effect.fn("InputFetch.store")(function* (
  { id, attempt }: Extraction,
  { details, facts, files, sections }: FetchedInputs
) {
  const artifacts = yield* ArtifactStore;
  const stored = yield* Effect.forEach(
    [
      ...files.filter(({ isStored }) => isStored !== true),
      textFile(METADATA_FILE, writeMetadata(facts, details)),
      ...(sections.length === 0 ? [] : [textFile(SECTIONS_FILE, JSON.stringify(sections))])
    ],
    ({ name, contentType, source }) =>
      artifacts.put({ extractionId: id, attempt, name }, source).pipe(
        retryOutage(STORING_RETRY_LIMIT_MS),
        Effect.map((sizeBytes): Artifact => ({ name, contentType, sizeBytes }))
      ),
    { concurrency: STORED_AT_ONCE }
  );
  return stored.filter(({ name }) => name !== SECTIONS_FILE);
});
