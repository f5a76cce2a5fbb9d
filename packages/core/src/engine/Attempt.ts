/**
 * One attempt at a run: look, fetch, keep to the policy, analyse, store. It moves no money and no state;
 * what it answers is settled elsewhere. Its files lie under (extraction, attempt).
 */
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Result from "effect/Result";
import type { Extraction, RunResult } from "../domain/Extraction.ts";
import type { Failure } from "../domain/Failure.ts";
import type { Modality } from "../domain/Modality.ts";
import { pricedSelection } from "../domain/Rungs.ts";
import type { RunProgress } from "../domain/RunProgress.ts";
import { SAVED_SCHEMAS_MAX } from "../domain/SavedSchema.ts";
import type { SourceFacts } from "../domain/SourceFacts.ts";
import { SchemaLibrary } from "../ports/SchemaLibrary.ts";
import {
  absentOf,
  languageOf,
  NO_SLIDES,
  refusalOf,
  unavailableOf,
  warningsOf,
  type Missing
} from "./Availability.ts";
import { climb, type ClimbRequest, type Reached } from "./Climb.ts";
import type { EnginePorts } from "./EnginePorts.ts";
import { gather, inspect, storeAll, type Gathered } from "./Gathering.ts";
import { madeSchemaId } from "./Reading.ts";

/** What an attempt needs to know of the run that a worker claimed. */
export interface AttemptRequest {
  readonly extraction: Extraction;
  readonly onProgress: (progress: RunProgress) => Effect.Effect<void>;
}

/** Inputs that were paid for: in auto mode those of the debited rung. */
const paidModalities = ({ request, pricedFacts }: Extraction): ReadonlyArray<Modality> =>
  Result.getOrThrow(pricedSelection(pricedFacts, request)).modalities;

type Report = ClimbRequest["report"];

const makeReport =
  ({ extraction, onProgress }: AttemptRequest): Report =>
  (rung, progress) =>
    onProgress({ phase: "processing", ...progress, rung: extraction.request.auto ? rung : null });

/** What an attempt leaves behind, but for its files and times. */
interface Worked {
  readonly gathered: Gathered;
  readonly missing: Missing;
  /** Sentences that no policy silences. */
  readonly notes: ReadonlyArray<string>;
  readonly ai: Pick<RunResult, "rung" | "outcome" | "verdictReason" | "extraction" | "evidence" | "schemaId">;
}

const NO_ANALYSIS = { outcome: null, verdictReason: null, extraction: null };

const download = Effect.fn("Attempt.download")(function* (
  extraction: Extraction,
  { kind }: SourceFacts,
  report: Report
) {
  const { mode, modalities } = extraction.request;
  const onProgress = (progress: Parameters<Report>[1]) => report(modalities, progress);
  const gathered = yield* gather({ extraction, kind, modalities, before: null, onProgress });
  const missing: Missing = {
    absent: absentOf(gathered.facts.kind, { mode, modalities }, gathered.lacking),
    untaken: [],
    language: languageOf(extraction.request, gathered),
    slides: NO_SLIDES
  };
  const refusal = refusalOf(gathered.facts.kind, extraction.request, missing);
  if (refusal !== null) return yield* Effect.fail(refusal);
  return { gathered, missing, notes: [], ai: NO_ANALYSIS } satisfies Worked;
});

const LIBRARY_FULL =
  "The schema that was made of the content could not be saved: delete one of your saved schemas and submit again.";

/** Saves the schema that the run made, once for all attempts; null when there is none or no room for it. */
const saveMade = Effect.fn("Attempt.saveMade")(function* (extraction: Extraction, { reading }: Reached) {
  const { made, verdict } = reading;
  if (made === null || verdict.outcome !== "ok") return { schemaId: null, notes: [] };
  const library = yield* SchemaLibrary;
  const { name, schema } = made;
  const createdAtMs = yield* Clock.currentTimeMillis;
  const draft = { id: madeSchemaId(extraction), name, schema, prompt: null, createdAtMs };
  return yield* library.save(extraction.accountId, draft, SAVED_SCHEMAS_MAX).pipe(
    Effect.map(({ id }) => ({ schemaId: id, notes: [] })),
    Effect.catchTag("SchemaLibraryFull", () => Effect.succeed({ schemaId: null, notes: [LIBRARY_FULL] })),
    // The account went away under the run: there is nobody left to save it for.
    Effect.catchTag("NotFound", () => Effect.succeed({ schemaId: null, notes: [] }))
  );
});

const extract = Effect.fn("Attempt.extract")(function* (
  extraction: Extraction,
  { kind }: SourceFacts,
  report: Report
) {
  const ceiling = paidModalities(extraction);
  const climbed = yield* climb({ extraction, kind, ceiling, report });
  const { gathered, missing, modalities, reading } = climbed.best;
  const { measuredDurationSeconds } = climbed;
  const saved = yield* saveMade(extraction, climbed.best);
  return {
    gathered: { ...gathered, measuredDurationSeconds },
    missing,
    notes: [...reading.warnings, ...climbed.warnings, ...saved.notes],
    ai: {
      ...reading.verdict,
      ...(extraction.request.auto ? { rung: modalities } : {}),
      ...(reading.evidence === null ? {} : { evidence: reading.evidence }),
      ...(saved.schemaId === null ? {} : { schemaId: saved.schemaId })
    }
  } satisfies Worked;
});

/** Fails with what the caller is told; dies of anything else. */
export const perform = (request: AttemptRequest): Effect.Effect<RunResult, Failure, EnginePorts> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { extraction, onProgress } = request;
      const startedAtMs = extraction.startedAtMs ?? (yield* Clock.currentTimeMillis);
      const report = makeReport(request);
      const idle = { phase: "processing", percent: null, rung: null } as const;
      yield* onProgress({ ...idle, step: "inspecting", bytes: 0 });
      const looked = yield* inspect(extraction);
      const worked =
        extraction.request.mode === "ai"
          ? yield* extract(extraction, looked, report)
          : yield* download(extraction, looked, report);
      const { gathered, missing, notes, ai } = worked;
      yield* onProgress({ ...idle, step: "storing", bytes: gathered.bytes });
      const { kind } = gathered.facts;
      return {
        facts: gathered.facts,
        measuredDurationSeconds: gathered.measuredDurationSeconds,
        artifacts: yield* storeAll(extraction, gathered),
        artifactOwner: { extractionId: extraction.id, attempt: extraction.attempt },
        unavailable: unavailableOf(missing),
        ...(missing.slides.unread === 0 ? {} : { unreadSlides: missing.slides.unread }),
        ...(missing.language === null ? {} : { languageMissing: true }),
        warnings: [...warningsOf(kind, extraction.request, missing, gathered.warnings), ...notes],
        ...ai,
        startedAtMs,
        finishedAtMs: yield* Clock.currentTimeMillis
      };
    })
  );
