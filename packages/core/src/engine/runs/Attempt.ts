/**
 * One attempt of a run: fetch, apply the policy, analyse, store. It changes no money or state; its result is
 * settled elsewhere. Files are stored under (extraction, attempt).
 */
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Result from "effect/Result";
import type * as Scope from "effect/Scope";
import { type Coverage, emptyRunFailure } from "../../domain/run/Availability.ts";
import { refusalOf, type Warning, warningsWith } from "../../domain/run/Warnings.ts";
import type { Extraction, RunResult } from "../../domain/run/Extraction.ts";
import type { Failed } from "../../domain/source/Failed.ts";
import type { Modality } from "../../domain/source/Modality.ts";
import { pricedFacts } from "../../domain/source/SourceFacts.ts";
import { pricedSelection } from "../../domain/money/Pricing.ts";
import { SAVED_SCHEMAS_MAX } from "../../domain/json-schema/SavedSchema.ts";
import { Analyst } from "../../ports/Analyst.ts";
import { CurrentRun } from "../../ports/CurrentRun.ts";
import { Downloader } from "../../ports/Downloader.ts";
import { SchemaLibrary } from "../../ports/SchemaLibrary.ts";
import { storedDownloader } from "../extractions/StoredSource.ts";
import { escalate, type RungResult } from "./Escalation.ts";
import type { EnginePorts } from "../EnginePorts.ts";
import { DATABASE_RETRY_LIMIT_MS, retryOutage } from "../Outages.ts";
import { fetchInputs, storeAll, type FetchedInputs } from "./InputFetch.ts";
import { transcribedFiles } from "./Speech.ts";
import { madeSchemaId } from "./ContentAnalysis.ts";

/** The debited inputs; in auto mode those of the debited rung. */
const paidModalities = ({ request, seen, rates }: Extraction): ReadonlyArray<Modality> =>
  Result.getOrThrow(pricedSelection(pricedFacts(seen), request, rates)).modalities;

/** The result of an attempt, without files and times. */
interface AttemptResult {
  readonly fetchedInputs: FetchedInputs;
  readonly coverage: Coverage;
  /** Warnings that no policy suppresses. */
  readonly warnings: ReadonlyArray<Warning>;
  readonly ai: Pick<
    RunResult,
    "rung" | "outcome" | "verdictReason" | "extraction" | "evidence" | "usage" | "schemaId"
  >;
}

const NO_ANALYSIS: AttemptResult["ai"] = {
  rung: null,
  outcome: null,
  verdictReason: null,
  extraction: null,
  evidence: null,
  usage: null,
  schemaId: null
};

const download = Effect.fn("Attempt.download")(function* (
  extraction: Extraction
): Effect.fn.Return<AttemptResult, Failed, EnginePorts | Scope.Scope> {
  const { modalities } = extraction.request;
  const fetchedInputs = yield* fetchInputs({ extraction, modalitiesOf: () => modalities, before: null });
  const { coverage, facts } = fetchedInputs;
  const refusal =
    refusalOf(facts, extraction.request, coverage) ??
    emptyRunFailure(facts.kind, extraction.request, coverage);
  if (refusal !== null) return yield* Effect.fail(refusal);
  return { fetchedInputs, coverage, warnings: [], ai: NO_ANALYSIS };
});

const LIBRARY_FULL =
  "The schema generated from the content could not be saved: delete one of your saved schemas and submit again.";

/** Saves a generated schema, once for all attempts; null if there is none or the library is full. */
const saveMade = Effect.fn("Attempt.saveMade")(function* (extraction: Extraction, { analysis }: RungResult) {
  const { made, verdict } = analysis;
  if (made === null || verdict.outcome !== "ok") return { schemaId: null, notes: [] };
  const library = yield* SchemaLibrary;
  const { name, schema } = made;
  const createdAtMs = yield* Clock.currentTimeMillis;
  const draft = { id: madeSchemaId(extraction), name, schema, prompt: null, createdAtMs };
  return yield* library.save(extraction.accountId, draft, SAVED_SCHEMAS_MAX).pipe(
    Effect.map(({ id }) => ({ schemaId: id, notes: [] })),
    Effect.catchTags({
      InvalidRequest: () => Effect.succeed({ schemaId: null, notes: [LIBRARY_FULL] }),
      // The account, or the schema that an earlier attempt saved, was deleted during the run.
      NotFound: () => Effect.succeed({ schemaId: null, notes: [] }),
      Conflict: () => Effect.succeed({ schemaId: null, notes: [] })
    }),
    retryOutage(DATABASE_RETRY_LIMIT_MS)
  );
});

const extract = Effect.fn("Attempt.extract")(function* (
  extraction: Extraction
): Effect.fn.Return<AttemptResult, Failed, EnginePorts | Scope.Scope> {
  const escalated = yield* escalate(extraction, paidModalities(extraction));
  const { fetchedInputs, coverage, modalities, analysis } = escalated.best;
  const { measuredDurationSeconds } = escalated;
  const saved = yield* saveMade(extraction, escalated.best);
  const transcripts = transcribedFiles(fetchedInputs.files, analysis.heard);
  const { model } = yield* Analyst;
  const { meter } = yield* CurrentRun;
  return {
    fetchedInputs: {
      ...fetchedInputs,
      files: [...fetchedInputs.files, ...transcripts],
      measuredDurationSeconds
    },
    coverage: transcripts.length === 0 ? coverage : { ...coverage, sound: "heard" },
    warnings: [...analysis.warnings, ...warningsWith("other", [...escalated.warnings, ...saved.notes])],
    ai: {
      ...analysis.verdict,
      rung: extraction.request.auto ? modalities : null,
      evidence: analysis.evidence,
      usage: { ...(yield* meter.reported), model },
      schemaId: saved.schemaId
    }
  };
});

/** Fails with errors meant for the caller; dies on anything else. */
export const runAttempt = (extraction: Extraction): Effect.Effect<RunResult, Failed, EnginePorts> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { report } = yield* CurrentRun;
      const startedAtMs = extraction.startedAtMs ?? (yield* Clock.currentTimeMillis);
      yield* report({ step: "inspecting", percent: null, bytes: 0 });
      const { fromExtraction, mode } = extraction.request;
      const working = mode === "ai" ? extract(extraction) : download(extraction);
      const worked = yield* fromExtraction === null
        ? working
        : Effect.provideServiceEffect(working, Downloader, storedDownloader(extraction, fromExtraction));
      const { fetchedInputs, coverage, warnings, ai } = worked;
      yield* report({ step: "storing", percent: null, bytes: fetchedInputs.bytes });
      const { facts: fetched } = fetchedInputs;
      return {
        facts: fetched,
        measuredDurationSeconds: fetchedInputs.measuredDurationSeconds,
        estimatedDurationSeconds: fetchedInputs.estimatedDurationSeconds,
        artifacts: yield* storeAll(extraction, fetchedInputs),
        artifactOwner: { extractionId: extraction.id, attempt: extraction.attempt },
        coverage,
        warnings,
        ...ai,
        route: fetchedInputs.route,
        startedAtMs,
        finishedAtMs: yield* Clock.currentTimeMillis
      };
    })
  );
