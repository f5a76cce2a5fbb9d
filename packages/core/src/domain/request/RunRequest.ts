/** A validated submit with its defaults filled in: what the run will do and how it is priced. Tests: Reads.test.ts, PriceParts.test.ts. */
import * as Schema from "effect/Schema";
import { Modality, canonical } from "../source/Modality.ts";
import { Captions } from "../source/SourceFacts.ts";
import { TimeRange } from "../source/TimeRange.ts";

/** What happens when a requested input does not exist. */
export const Policy = Schema.Literals(["strict", "fallback", "best-effort"]).annotate({
  identifier: "Policy",
  message: "must be strict, fallback or best-effort"
});
export type Policy = typeof Policy.Type;

/** The library schema of a run. An id always stands for the same version. */
const SchemaOrigin = Schema.Struct({
  id: Schema.String,
  version: Schema.Int,
  /** The schema's own prompt, which the request's prompt overrides. */
  prompt: Schema.NullOr(Schema.String)
});
export type SchemaOrigin = typeof SchemaOrigin.Type;

/** The extraction that is read again: nothing is fetched. */
const FromExtraction = Schema.Struct({
  id: Schema.String,
  /** The attempt that stored its files; null until it was looked up. */
  files: Schema.NullOr(Schema.Struct({ extractionId: Schema.String, attempt: Schema.Int }))
});
export type FromExtraction = typeof FromExtraction.Type;

export const RunRequest = Schema.Struct({
  /** As submitted, or that of {@link fromExtraction}. */
  url: Schema.String,
  /** The normalised URL, which is fetched and used in the cache key. */
  normalizedUrl: Schema.String,
  /** Null for a run that fetches its URL. */
  fromExtraction: Schema.NullOr(FromExtraction),
  mode: Schema.Literals(["ai", "download"]),
  /** Inputs or parts in canonical order, without duplicates. */
  modalities: Schema.Array(Modality),
  /** Whether the body named them. */
  named: Schema.Boolean,
  /**
   * The JSON Schema; null for download-only runs. A `schemaId` is a string until submit has looked it up in the
   * library; probe never does.
   */
  schema: Schema.NullOr(Schema.Json),
  /** Null for an inline schema. */
  schemaOrigin: Schema.NullOr(SchemaOrigin),
  /** The prompt of the request. */
  prompt: Schema.NullOr(Schema.String),
  policy: Policy,
  /** BCP 47, canonical: the language of the subtitles used as transcript; null for the original language. */
  language: Schema.NullOr(Schema.String),
  /** The stretch of the video; null for all of it, and of what is no video. */
  range: Schema.NullOr(TimeRange),
  captions: Captions,
  /** If a video has no such captions, its audio is transcribed; false if no transcript is requested. */
  speech: Schema.Boolean,
  auto: Schema.Boolean,
  maxSpendCredits: Schema.NullOr(Schema.Finite),
  force: Schema.Boolean,
  /** Null for download-only runs, and if evidence is only attached. */
  evidence: Schema.NullOr(Schema.Literal("require")),
  /** More expensive runs are refused before the debit; null for no limit. */
  maxCredits: Schema.NullOr(Schema.Int),
  /** Maximum age of a reused result; null for the whole cache window. */
  maxAgeSeconds: Schema.NullOr(Schema.Int),
  webhookUrl: Schema.NullOr(Schema.String),
  /** The original fields of the body, without `schema`. */
  submitted: Schema.Record(Schema.String, Schema.Json),
  /** W3C trace context of the submit that the run continues; null if tracing is off. */
  traceparent: Schema.NullOr(Schema.String)
});
export type RunRequest = typeof RunRequest.Type;

/** The part of a request that affects its price. */
export interface Selection {
  readonly mode: "ai" | "download";
  /** Inputs of an AI run, parts of a download-only run. */
  readonly modalities: ReadonlyArray<Modality>;
  /** The stretch of a video whose seconds are charged; absent or null: all of it. */
  readonly range?: TimeRange | null;
  /** The audio of a video is transcribed: its download and the audio rate are each charged once. */
  readonly speech?: boolean;
  /** Everything is there from another run: only reading is charged. */
  readonly isFetched?: boolean;
}

/** Where the content comes from and what of it is asked. */
type Cutting = Pick<RunRequest, "fromExtraction" | "mode" | "range">;

/** Whether a stored transcript of the whole is cut to the stretch, for nothing: callers read again only with a schema. */
export const isCut = ({ fromExtraction, mode, range }: Cutting): boolean =>
  fromExtraction !== null && mode === "download" && range !== null;

/** As it was submitted: what is cut would else be fetched. */
export const uncut = <Request extends Cutting>(request: Request): Request =>
  isCut(request) ? { ...request, fromExtraction: null } : request;

/** The fields of a request that a {@link Selection} is made of. */
export type Selecting = Pick<RunRequest, "mode" | "modalities" | "range" | "speech" | "fromExtraction">;

export const selectionOf = (request: Selecting): Selection => {
  const { mode, modalities, range, speech, fromExtraction } = request;
  return { mode, modalities, range, speech: speech && !isCut(request), isFetched: fromExtraction !== null };
};

/** The selection that is charged once some of it turned out not to exist. */
export const withoutUnavailable = (
  selection: Selection,
  unavailable: ReadonlyArray<Modality>
): Selection => ({
  ...selection,
  modalities: canonical(selection.modalities.filter((modality) => !unavailable.includes(modality)))
});

/** The body of a submit (`GET /v1/extractions/{id}/request`), so that it can be submitted again. */
export type SubmittedBody = Readonly<Record<string, Schema.Json>>;

/** The original fields; an inline schema is stored only once, in the request. */
export const submittedBody = ({ schema, submitted }: RunRequest): SubmittedBody =>
  schema === null || "schemaId" in submitted ? submitted : { ...submitted, schema };
