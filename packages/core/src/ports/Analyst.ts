/**
 * The AI pass: reads what a run fetched and returns an object that conforms to the caller's schema.
 *
 * Content is data: nothing in a page, a transcript or a comment changes the task. The engine does not trust
 * the analyst's quotes: it looks each one up in the texts (domain/evidence/Grounding).
 *
 * Retryable errors of the provider have already been retried.
 */
import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import type * as Schema from "effect/Schema";
import type { Outcome } from "../domain/evidence/Verdict.ts";
import type { ClaimedQuote } from "../domain/evidence/Grounding.ts";
import type { Failed } from "../domain/source/Failed.ts";
import type { InputText } from "../domain/text/InputText.ts";
import type { Modality } from "../domain/source/Modality.ts";
import type { ProposedField } from "../domain/json-schema/ProposedSchema.ts";
import type { JsonObject } from "../domain/json-schema/SchemaRules.ts";
import type { SourceFacts } from "../domain/source/SourceFacts.ts";
import type { TimeRange } from "../domain/source/TimeRange.ts";
import type { FetchedFile } from "./Downloader.ts";

/** The content to read. */
export interface Material {
  readonly facts: SourceFacts;
  /** The caller's guidance; null if there is none. */
  readonly prompt: string | null;
  /** Inputs that the caller selected and that exist; `audio` and `video` name files among `media`. */
  readonly inputs: ReadonlyArray<Modality>;
  /**
   * Transcript and comments as far as `inputs` select them; page text, also as Markdown, structured data and
   * description always.
   */
  readonly texts: ReadonlyArray<InputText>;
  /**
   * The transcript was made from the audio, so the audio need not be transcribed again and counts as read with
   * it.
   */
  readonly isSoundWritten?: boolean;
  /** BCP 47, for audio that is transcribed first; null: unknown. */
  readonly spokenLanguage: string | null;
  /** The stretch of the video that `media` are of: its beginning is their 0. Absent: they are of the whole. */
  readonly range?: TimeRange;
  /** Audio and video as far as `inputs` select them, slides of a photo post, the thumbnail. */
  readonly media: ReadonlyArray<FetchedFile>;
}

export interface AnalysisRequest extends Material {
  /** JSON Schema of an object, already checked (ports/SchemaChecker). */
  readonly schema: JsonObject;
}

export interface Analysis {
  readonly outcome: Outcome;
  /** One sentence for `no_match` and `uncertain`, null for `ok`. */
  readonly verdictReason: string | null;
  /** Valid against the schema for `ok`, null otherwise. */
  readonly extraction: Schema.Json;
  /** Of the input that values were read from, according to the model. */
  readonly quotes: ReadonlyArray<ClaimedQuote>;
  /** Pointers to numbers that the model wrote with more digits than a double holds. Absent: none. */
  readonly inexact?: ReadonlyArray<string>;
  /** The model's confidence in its output, 0 to 1; null if it reports none. */
  readonly confidence: number | null;
  /** Inputs that the model does not support; they were not read and are not charged. */
  readonly unavailable: ReadonlyArray<Modality>;
  /** Number of slides of a photo post that the model did not get; they are not charged. Absent: none. */
  readonly unreadSlides?: number;
  /** Sentences for the caller, for example about inputs that were read only in part. */
  readonly warnings: ReadonlyArray<string>;
  /**
   * Transcripts that the analyst made itself, of audio or of a video's audio track, with timestamps. They are
   * not among the texts of the request, but quotes may come from them, so they are searched too. Their times are those
   * of the whole video, also of a stretch.
   */
  readonly texts?: ReadonlyArray<InputText>;
}

export interface Proposal {
  /** A short title for the proposed schema. */
  readonly name: string;
  /** Empty if the content has no structured values. */
  readonly fields: ReadonlyArray<ProposedField>;
  /** As of {@link Analysis}. */
  readonly unreadSlides?: number;
}

export class Analyst extends Context.Service<
  Analyst,
  {
    /**
     * Name of the model, part of the cache key; null if none is configured: AI runs are then rejected at
     * submit.
     */
    readonly model: string | null;

    /**
     * Inputs that the model supports, all if it is not known: auto mode does not fetch others for a dearer rung.
     */
    readonly takes: Effect.Effect<ReadonlyArray<Modality>>;

    /** Interruption aborts the call. */
    readonly analyse: (request: AnalysisRequest) => Effect.Effect<Analysis, Failed>;

    /** Proposes the fields of a schema for this content (`schemaId: "auto"`). */
    readonly propose: (material: Material) => Effect.Effect<Proposal, Failed>;
  }
>()("@winnow/core/ports/Analyst") {}
