/**
 * The AI pass: reads what a run fetched and answers an object that fits the caller's schema.
 */
import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import type { Outcome } from "../domain/Extraction.ts";
import type { Modality } from "../domain/Modality.ts";
import type { SourceFacts } from "../domain/SourceFacts.ts";
import type { FetchedFile } from "./Downloader.ts";

/** `retryable` faults of the provider were already retried. */
export class AnalysisFailed extends Schema.TaggedError<AnalysisFailed>()("AnalysisFailed", {
  reason: Schema.Literals(["model_error", "invalid_model_output", "timeout"]),
  message: Schema.String
}) {}

export interface AnalysisRequest {
  readonly facts: SourceFacts;
  /** JSON Schema, already checked. */
  readonly schema: Schema.Json;
  readonly prompt: string | null;
  readonly inputs: ReadonlyArray<Modality>;
  readonly files: ReadonlyArray<FetchedFile>;
}

export interface Analysis {
  readonly outcome: Outcome;
  /** One sentence for `no_match` and `uncertain`, null for `ok`. */
  readonly verdictReason: string | null;
  /** Valid against the schema for `ok`, null otherwise. */
  readonly extraction: Schema.Json;
}

export class Analyst extends Context.Service<
  Analyst,
  {
    /** Part of the cache key; null when no model is configured, and then AI runs are refused at submit. */
    readonly model: string | null;

    /** Interruption stops the call. */
    readonly analyse: (request: AnalysisRequest) => Effect.Effect<Analysis, AnalysisFailed>;
  }
>()("@winnow/core/ports/Analyst") {}
