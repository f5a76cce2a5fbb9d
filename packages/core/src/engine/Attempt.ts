/**
 * One attempt at a run: look, fetch, keep to the policy, analyse, store. It moves no money and no state;
 * what it answers is settled elsewhere. Its files lie under (extraction, attempt).
 */
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Result from "effect/Result";
import type { Artifact, Extraction, RunResult } from "../domain/Extraction.ts";
import type { Failure } from "../domain/Failure.ts";
import type { Modality } from "../domain/Modality.ts";
import { pricedSelection } from "../domain/Rungs.ts";
import { MAX_DURATION_SECONDS, type SourceFacts } from "../domain/SourceFacts.ts";
import { Analyst, type Analysis } from "../ports/Analyst.ts";
import { ArtifactStore } from "../ports/ArtifactStore.ts";
import { Downloader, type DownloadFailed, type Fetched } from "../ports/Downloader.ts";
import { refusalOf, unavailableOf, wantsOf, warningsOf } from "./Availability.ts";
import type { EnginePorts } from "./EnginePorts.ts";
import type { RunProgress } from "./RunProgress.ts";

/** What an attempt needs to know of the run that a worker claimed. */
export interface AttemptRequest {
  readonly extraction: Extraction;
  readonly onProgress: (progress: RunProgress) => Effect.Effect<void>;
}

/** Containers round a length up by some frames: an hour may measure 3600.05 s. */
const MEASURE_TOLERANCE_SECONDS = 1;

/** Files of one run that are stored at once: enough to hide the wait for a disk's flush. */
const STORED_AT_ONCE = 4;

const TOO_LONG: Failure = { reason: "too_long", message: "The video is longer than 60 minutes." };

const NOTHING_TO_READ: Analysis = {
  outcome: "uncertain",
  verdictReason: "None of the requested inputs exists at this URL.",
  extraction: null
};

const NO_ANALYSIS = { outcome: null, verdictReason: null, extraction: null };

const downloadFailure = ({ reason, message }: DownloadFailed): Failure => ({
  reason: reason === "host_not_public" ? "blocked_address" : reason,
  message
});

const isTooLong = ({ kind, durationSeconds }: SourceFacts, measuredSeconds: number | null): boolean =>
  kind === "video" &&
  ((durationSeconds ?? 0) > MAX_DURATION_SECONDS ||
    (measuredSeconds ?? 0) > MAX_DURATION_SECONDS + MEASURE_TOLERANCE_SECONDS);

/** Inputs that were paid for: in auto mode those of the debited rung. */
const paidModalities = ({ request, pricedFacts }: Extraction): ReadonlyArray<Modality> =>
  Result.getOrThrow(pricedSelection(pricedFacts, request)).modalities;

const fetch = Effect.fn("Attempt.fetch")(function* (
  { extraction, onProgress }: AttemptRequest,
  modalities: ReadonlyArray<Modality>
) {
  const downloader = yield* Downloader;
  const url = extraction.request.normalizedUrl;
  yield* onProgress({ phase: "processing", step: "inspecting", percent: null, bytes: 0 });
  const looked = yield* Effect.mapError(downloader.inspect(url), downloadFailure);
  if (isTooLong(looked, null)) return yield* Effect.fail(TOO_LONG);
  const fetched = yield* Effect.mapError(
    downloader.fetch({
      url,
      wants: wantsOf(looked.kind, modalities),
      onProgress: (progress) => onProgress({ phase: "processing", ...progress })
    }),
    downloadFailure
  );
  return isTooLong(fetched.facts, fetched.measuredDurationSeconds) ? yield* Effect.fail(TOO_LONG) : fetched;
});

const analyse = Effect.fn("Attempt.analyse")(function* (
  { request }: Extraction,
  { facts, files }: Fetched,
  inputs: ReadonlyArray<Modality>
) {
  if (request.mode === "download" || request.schema === null) return NO_ANALYSIS;
  if (facts.kind === "video" && inputs.length === 0) return NOTHING_TO_READ;
  const analyst = yield* Analyst;
  const { schema, schemaOrigin } = request;
  const prompt = request.prompt ?? schemaOrigin?.prompt ?? null;
  return yield* Effect.mapError(
    analyst.analyse({ facts, schema, prompt, inputs, files }),
    ({ reason, message }): Failure => ({ reason, message })
  );
});

const store = Effect.fn("Attempt.store")(function* ({ id, attempt }: Extraction, { files }: Fetched) {
  const artifacts = yield* ArtifactStore;
  return yield* Effect.forEach(
    files,
    ({ name, contentType, source }) =>
      Effect.map(artifacts.put({ extractionId: id, attempt, name }, source), (sizeBytes): Artifact => ({
        name,
        contentType,
        sizeBytes
      })),
    { concurrency: STORED_AT_ONCE }
  );
});

/** Fails with what the caller is told; dies of anything else. */
export const perform = (request: AttemptRequest): Effect.Effect<RunResult, Failure, EnginePorts> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { extraction, onProgress } = request;
      const startedAtMs = extraction.startedAtMs ?? (yield* Clock.currentTimeMillis);
      const modalities = paidModalities(extraction);
      const fetched = yield* fetch(request, modalities);
      const { kind } = fetched.facts;
      const bytes = fetched.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
      const { mode, auto } = extraction.request;
      const unavailable = unavailableOf(kind, { mode, modalities }, fetched.unavailable);
      const refusal = refusalOf(kind, extraction.request, unavailable);
      if (refusal !== null) return yield* Effect.fail(refusal);
      if (mode === "ai") yield* onProgress({ phase: "processing", step: "analysing", percent: null, bytes });
      const inputs = modalities.filter((modality) => !unavailable.includes(modality));
      const analysis = yield* analyse(extraction, fetched, inputs);
      yield* onProgress({ phase: "processing", step: "storing", percent: null, bytes });
      return {
        facts: fetched.facts,
        measuredDurationSeconds: fetched.measuredDurationSeconds,
        artifacts: yield* store(extraction, fetched),
        artifactOwner: { extractionId: extraction.id, attempt: extraction.attempt },
        unavailable,
        ...(auto ? { rung: modalities } : {}),
        warnings: warningsOf(kind, extraction.request, unavailable, fetched.warnings),
        ...analysis,
        startedAtMs,
        finishedAtMs: yield* Clock.currentTimeMillis
      };
    })
  );
