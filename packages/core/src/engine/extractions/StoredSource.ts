/**
 * Reads an extraction again (`fromExtraction`): its stored files take the place of a fetch, and everything after the
 * fetch is as in any other run. Tests: Ranges.test.ts, the server's fromExtraction.test.ts.
 */
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import type * as Scope from "effect/Scope";
import * as Stream from "effect/Stream";
import { Failed } from "../../domain/source/Failed.ts";
import {
  artifactOf,
  COMMENTS_FILE,
  hasModality,
  METADATA_FILE,
  SECTIONS_FILE,
  TRANSCRIPT_FILE
} from "../../domain/result/ArtifactName.ts";
import { cutTranscript, gapsIn, shownIn } from "../../domain/result/TranscriptFiles.ts";
import { refuse } from "../../domain/request/BodyFields.ts";
import { type InvalidRequest, NotFound } from "../../domain/request/Refusal.ts";
import { type FromExtraction, isCut, type RunRequest } from "../../domain/request/RunRequest.ts";
import { failedLookupsOf, isOffered } from "../../domain/run/Availability.ts";
import type { Artifact, ArtifactOwner, Extraction, RunResult } from "../../domain/run/Extraction.ts";
import type { Modality } from "../../domain/source/Modality.ts";
import type { SourceFacts } from "../../domain/source/SourceFacts.ts";
import type { TimeRange } from "../../domain/source/TimeRange.ts";
import { TextSection } from "../../domain/text/InputText.ts";
import { present } from "../../domain/text/Json.ts";
import { roundedSeconds } from "../../domain/text/Milliseconds.ts";
import { readMetadata } from "../../domain/source/SourceMetadata.ts";
import { speechWarnings } from "../../domain/transcript/SpeechWarnings.ts";
import { ArtifactStore, type ArtifactKey } from "../../ports/ArtifactStore.ts";
import { CurrentRun } from "../../ports/CurrentRun.ts";
import {
  Downloader,
  type Fetched,
  type FetchedFile,
  type FetchRequest,
  textFile
} from "../../ports/Downloader.ts";
import { Store } from "../../ports/Store.ts";
import { isId } from "../Ids.ts";

/** Files of one extraction that are read concurrently. */
const READ_AT_ONCE = 4;

/** Concurrent artifact checks: most runs have fewer files, and object stores need a round trip each. */
const CONCURRENT_CHECKS = 8;

/** Whether all files of a result are there. */
export const hasArtifacts = Effect.fnUntraced(function* ({ artifacts, artifactOwner }: RunResult) {
  const store = yield* ArtifactStore;
  const sizes = yield* Effect.forEach(artifacts, ({ name }) => store.size({ ...artifactOwner, name }), {
    concurrency: CONCURRENT_CHECKS
  });
  return sizes.every(Option.isSome);
});

/** What is there to read: captions, comments and a length that the source has but nobody kept do not count. */
export const factsIn = (
  { facts, artifacts, measuredDurationSeconds, estimatedDurationSeconds }: RunResult,
  { range }: Pick<RunRequest, "range">
): SourceFacts => {
  const names = new Set(artifacts.map(({ name }) => name));
  return {
    ...facts,
    durationSeconds:
      facts.durationSeconds ??
      (measuredDurationSeconds === null
        ? estimatedDurationSeconds
        : roundedSeconds((range?.startSec ?? 0) + measuredDurationSeconds)),
    hasSubtitles: facts.kind === "video" && names.has(TRANSCRIPT_FILE),
    hasComments: names.has(COMMENTS_FILE)
  };
};

const unusable = (param: string, reason: string, message: string) =>
  Effect.fromResult(refuse(param, message, { reason }));

/** Named inputs whose files the extraction does not have; a transcript can be made of its audio by `speech`. */
const missingOf = ({ facts, artifacts }: RunResult, { named, modalities, speech }: RunRequest) => {
  const isMissing = (modality: Modality): boolean =>
    isOffered(facts.kind, modality) &&
    !hasModality(artifacts, modality) &&
    !(modality === "transcript" && speech && hasModality(artifacts, "audio"));
  return named ? modalities.filter(isMissing) : [];
};

/**
 * The request with the URL, the range and the files of the extraction that it reads again, and that extraction's
 * result; any other request is unchanged, and its result null.
 *
 * @fails NotFound the account has no such extraction
 * @fails InvalidRequest {param: "fromExtraction", reason: "not_complete" | "files_gone"} | {param: "inputs", reason:
 * "not_kept"}
 */
export const resolveStored = Effect.fn("StoredSource.resolve")(function* (
  accountId: string,
  request: RunRequest
): Effect.fn.Return<
  { readonly request: RunRequest; readonly result: RunResult | null },
  NotFound | InvalidRequest,
  Store | ArtifactStore
> {
  const { fromExtraction } = request;
  if (fromExtraction === null) return { request, result: null };
  const { id } = fromExtraction;
  const store = yield* Store;
  const found = isId("ext", id) ? Option.getOrNull(yield* store.getExtraction(accountId, id)) : null;
  if (found === null) return yield* NotFound.of("extraction", "fromExtraction");
  const { result } = found;
  if (found.status !== "complete" || result === null) {
    return yield* unusable(
      "fromExtraction",
      "not_complete",
      "The extraction of `fromExtraction` is not complete: wait for it, or submit its URL."
    );
  }
  if (!(yield* hasArtifacts(result))) {
    return yield* unusable(
      "fromExtraction",
      "files_gone",
      "The files of the extraction of `fromExtraction` are no longer there: submit its URL."
    );
  }
  const missing = missingOf(result, request);
  if (missing.length > 0) {
    return yield* unusable(
      "inputs",
      "not_kept",
      `\`inputs\` names ${missing.join(" and ")}, which the extraction of \`fromExtraction\` does not have: submit its URL.`
    );
  }
  const { url, normalizedUrl, range } = found.request;
  const from = { id, files: result.artifactOwner };
  return { request: { ...request, url, normalizedUrl, range, fromExtraction: from }, result };
});

const GONE = new Failed({
  reason: "input_unavailable",
  message: "The extraction that was to be read again was deleted, or its files are gone.",
  hint: "Submit its URL again, which is then fetched."
});

/** Too large for memory. */
const isMedia = (name: string): boolean => ["audio", "video"].includes(artifactOf(name)?.modality ?? "");

const bytesOf = Effect.fnUntraced(function* (key: ArtifactKey) {
  const store = yield* ArtifactStore;
  const isGone = Effect.map(store.size(key), Option.isNone);
  if (yield* isGone) return yield* GONE;
  return yield* Stream.mkUint8Array(store.read(key, null)).pipe(
    // Deleted since it was found.
    Effect.catchDefect((defect) => Effect.flatMap(isGone, (gone) => (gone ? GONE : Effect.die(defect))))
  );
});

const readFile = Effect.fnUntraced(function* (
  owner: ArtifactOwner,
  { name, contentType, sizeBytes }: Artifact
): Effect.fn.Return<FetchedFile, Failed, ArtifactStore | Scope.Scope> {
  const key = { ...owner, name };
  if (!isMedia(name)) {
    return { name, contentType, sizeBytes, source: { _tag: "Bytes", bytes: yield* bytesOf(key) } };
  }
  const { localCopy } = yield* ArtifactStore;
  const path = Option.getOrNull(yield* localCopy(key));
  if (path === null) return yield* GONE;
  return { name, contentType, sizeBytes, source: { _tag: "LocalFile", path }, isStored: true };
});

const decodeSections = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Array(TextSection)));

/** Empty for a file that the run does not have. */
const textOf = (owner: ArtifactOwner, name: string) =>
  bytesOf({ ...owner, name }).pipe(
    Effect.map((bytes) => new TextDecoder().decode(bytes)),
    Effect.orElseSucceed(() => "")
  );

/** What a fetch with these wishes would give. */
const readStored = Effect.fnUntraced(function* (
  result: RunResult,
  request: Extraction["request"],
  { wantsOf, wantsOnly = false }: FetchRequest
): Effect.fn.Return<Fetched, Failed, ArtifactStore | Scope.Scope> {
  const { artifacts, artifactOwner } = result;
  const facts = factsIn(result, request);
  const wants = wantsOf(facts.kind);
  const isWanted = ({ name }: Artifact): boolean => {
    const modality = artifactOf(name)?.modality ?? null;
    return name !== METADATA_FILE && (modality === null ? !wantsOnly : wants.includes(modality));
  };
  const { report } = yield* CurrentRun;
  yield* report({ step: "fetching", percent: null, bytes: 0 });
  const files = yield* Effect.forEach(
    artifacts.filter(isWanted),
    (artifact) => readFile(artifactOwner, artifact),
    { concurrency: READ_AT_ONCE }
  );
  const beside = wantsOnly
    ? {}
    : {
        details: readMetadata(yield* textOf(artifactOwner, METADATA_FILE)),
        sections: Option.getOrNull(decodeSections(yield* textOf(artifactOwner, SECTIONS_FILE)))
      };
  const missing = wants.filter((modality) => !hasModality(artifacts, modality));
  // Where a stretch ends tells what it costs, and not how long its video is.
  const { durationSeconds } = request.range === null ? facts : result.facts;
  return {
    facts: { ...facts, durationSeconds },
    ...present(beside),
    measuredDurationSeconds: result.measuredDurationSeconds,
    streamDurationSeconds: result.estimatedDurationSeconds,
    files,
    failedLookups: failedLookupsOf(missing, result.coverage.parts),
    warnings: []
  };
});

const isOfTranscript = ({ name }: FetchedFile): boolean => artifactOf(name)?.modality === "transcript";

/** What a fetch of the stretch would give, out of one of the whole. */
const cutTo = (range: TimeRange, { coverage }: RunResult, whole: Fetched): Fetched => {
  const texts = Object.fromEntries(
    whole.files.flatMap((file) =>
      isOfTranscript(file) && file.source._tag === "Bytes"
        ? [[file.name, new TextDecoder().decode(file.source.bytes)] as const]
        : []
    )
  );
  const files = Object.entries(cutTranscript(range, texts)).map((file) => textFile(...file));
  const gaps = gapsIn(texts);
  const ofWhole = speechWarnings({ gaps });
  return {
    ...whole,
    measuredDurationSeconds: null,
    streamDurationSeconds: null,
    files: [...files, ...whole.files.filter((file) => !isOfTranscript(file))],
    languageMissing: coverage.languageMissing && hasModality(files, "transcript"),
    warnings: coverage.remarks.flatMap((remark) =>
      ofWhole.includes(remark) ? speechWarnings({ gaps: shownIn(range, gaps) }) : [remark]
    )
  };
};

/** In place of the downloader, for the run of an extraction that reads another one again. */
export const storedDownloader = (
  { accountId, request }: Pick<Extraction, "accountId" | "request">,
  { id, files }: FromExtraction
) =>
  Effect.gen(function* () {
    const store = yield* Store;
    const artifacts = yield* ArtifactStore;
    const found = Effect.flatMap(store.getExtraction(accountId, id), (extraction) => {
      const stored = Option.getOrNull(extraction);
      const result = stored?.result ?? null;
      if (stored === null || result === null || files === null) return Effect.fail(GONE);
      return Effect.succeed({ stored: stored.request, result: { ...result, artifactOwner: files } });
    });
    const { range } = request;
    return Downloader.of({
      isWarm: Effect.succeed(true),
      inspect: () => Effect.map(found, ({ result, stored }) => factsIn(result, stored)),
      list: () => Effect.fail(GONE),
      fetch: (wanted) =>
        Effect.flatMap(found, ({ result, stored }) =>
          Effect.map(readStored(result, stored, wanted), (whole) =>
            range !== null && isCut(request) ? cutTo(range, result, whole) : whole
          )
        ).pipe(Effect.provideService(ArtifactStore, artifacts))
    });
  });
