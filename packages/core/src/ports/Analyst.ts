/**
 * The AI pass: reads what a run fetched and answers an object that fits the caller's schema.
 *
 * Content is data: nothing that a page, a transcript or a comment says changes the task. The engine takes
 * no quote on the analyst's word: it looks each one up in the texts (domain/Grounding).
 */
import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import type { Outcome } from "../domain/Extraction.ts";
import type { ClaimedQuote } from "../domain/Grounding.ts";
import type { InputText } from "../domain/InputText.ts";
import type { Modality } from "../domain/Modality.ts";
import type { ProposedField } from "../domain/ProposedSchema.ts";
import type { JsonObject } from "../domain/SchemaRules.ts";
import type { SourceFacts } from "../domain/SourceFacts.ts";
import type { FetchedFile } from "./Downloader.ts";

/** `retryable` faults of the provider were already retried. */
export class AnalysisFailed extends Schema.TaggedError<AnalysisFailed>()("AnalysisFailed", {
  reason: Schema.Literals([
    "model_error",
    "model_refused",
    "model_filtered",
    "model_quota",
    "model_unavailable",
    "invalid_model_output",
    "timeout"
  ]),
  message: Schema.String
}) {}

/** What there is to read. */
export interface Material {
  readonly facts: SourceFacts;
  /** Guidance of the caller; null when there is none. */
  readonly prompt: string | null;
  /** What the caller selected and what is there; `audio` and `video` name files among `media`. */
  readonly inputs: ReadonlyArray<Modality>;
  /** Transcript and comments as far as `inputs` select them; page text, also as Markdown, and description always. */
  readonly texts: ReadonlyArray<InputText>;
  /** The transcript is the sound written down: it need not be heard again, and counts as read with it. */
  readonly isSoundWritten?: boolean;
  /** Audio and video as far as `inputs` select them, slides of a photo post, the thumbnail. */
  readonly media: ReadonlyArray<FetchedFile>;
}

export interface AnalysisRequest extends Material {
  /** JSON Schema of an object, already checked (ports/SchemaChecker). */
  readonly schema: JsonObject;
}

/** Words of the input that a value was read from, as the model says. */
export type Quote = ClaimedQuote;

export interface Analysis {
  readonly outcome: Outcome;
  /** One sentence for `no_match` and `uncertain`, null for `ok`. */
  readonly verdictReason: string | null;
  /** Valid against the schema for `ok`, null otherwise. */
  readonly extraction: Schema.Json;
  readonly quotes: ReadonlyArray<Quote>;
  /** 0 to 1, as the model judges its own answer; null when it does not say. */
  readonly confidence: number | null;
  /** Inputs that the model cannot take; they were not read and are not paid for. */
  readonly unavailable: ReadonlyArray<Modality>;
  /** Slides of a photo post that the model did not get; they are not paid for. Absent: none. */
  readonly unreadSlides?: number;
  /** Sentences for the caller, as on inputs that were read only in part. */
  readonly warnings: ReadonlyArray<string>;
  /**
   * Words that the analyst heard itself (the transcription of audio or of a video's sound), with times, and
   * that are not among the texts of the request: quotes may come from them, so they are looked up there too.
   */
  readonly texts?: ReadonlyArray<InputText>;
}

export interface Proposal {
  /** A short title for the schema that the content suggests. */
  readonly name: string;
  /** Empty when the content holds nothing structured. */
  readonly fields: ReadonlyArray<ProposedField>;
  /** As of {@link Analysis}. */
  readonly unreadSlides?: number;
}

export class Analyst extends Context.Service<
  Analyst,
  {
    /** Part of the cache key; null when no model is configured, and then AI runs are refused at submit. */
    readonly model: string | null;

    /**
     * Inputs that the model can take, as far as it is known: others are not fetched to try a dearer rung of
     * auto mode. Absent: all.
     */
    readonly takes?: Effect.Effect<ReadonlyArray<Modality>>;

    /** Interruption stops the call. */
    readonly analyse: (request: AnalysisRequest) => Effect.Effect<Analysis, AnalysisFailed>;

    /** What a schema for this content would hold (specification, `schemaId` "auto"). */
    readonly propose: (material: Material) => Effect.Effect<Proposal, AnalysisFailed>;
  }
>()("@winnow/core/ports/Analyst") {}
