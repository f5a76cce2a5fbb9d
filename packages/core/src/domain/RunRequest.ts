/**
 * A submit, decoded and with its defaults filled in: what the run will do and what it is priced by.
 */
import * as Schema from "effect/Schema";
import { Modality, canonical } from "./Modality.ts";
import type { Selection } from "./Pricing.ts";

/** What happens when a requested input does not exist (specification, "POST /v1/extractions"). */
export const Policy = Schema.Literals(["strict", "fallback", "best-effort"]).annotate({
  identifier: "Policy",
  message: "must be strict, fallback or best-effort"
});
export type Policy = typeof Policy.Type;

/** Which schema of the library a run uses. An id never stands for another version of it. */
export const SchemaOrigin = Schema.Struct({
  id: Schema.String,
  version: Schema.Int,
  /** Its built-in prompt, which the request's own overrides. */
  prompt: Schema.NullOr(Schema.String)
});
export type SchemaOrigin = typeof SchemaOrigin.Type;

export const RunRequest = Schema.Struct({
  /** As the caller wrote it. */
  url: Schema.String,
  /** The same place, normalised: what is fetched and what the cache key holds. */
  normalizedUrl: Schema.String,
  mode: Schema.Literals(["ai", "download"]),
  /** Inputs or parts, canonical order, no repeats. */
  modalities: Schema.Array(Modality),
  /** Whether the body named them; absent of extractions older than this. */
  named: Schema.optionalKey(Schema.Boolean),
  /**
   * The JSON Schema; null on download-only runs. A `schemaId` as text until submit looked it up in the
   * library, which a probe never does.
   */
  schema: Schema.NullOr(Schema.Json),
  /** Absent when the schema was inline. */
  schemaOrigin: Schema.optionalKey(SchemaOrigin),
  /** The request's own. */
  prompt: Schema.NullOr(Schema.String),
  policy: Policy,
  /** BCP 47, canonical: the subtitles that become the transcript; absent for the original language. */
  language: Schema.optionalKey(Schema.String),
  /** Where a video has no captions, its sound is written down; absent where it is not, or no transcript is asked for. */
  speech: Schema.optionalKey(Schema.Literal(true)),
  auto: Schema.Boolean,
  maxSpendCredits: Schema.NullOr(Schema.Finite),
  force: Schema.Boolean,
  /** Absent of download-only runs, and where evidence is attached only. */
  evidence: Schema.optionalKey(Schema.Literal("require")),
  /** A dearer run is refused before its debit; absent for no limit. */
  maxCredits: Schema.optionalKey(Schema.Int),
  /** A result that is reused must not be older; absent for the whole window of the cache. */
  maxAgeSeconds: Schema.optionalKey(Schema.Int),
  webhookUrl: Schema.NullOr(Schema.String),
  /** The fields of the body as they came, `schema` left out; absent of extractions older than this. */
  submitted: Schema.optionalKey(Schema.Record(Schema.String, Schema.Json)),
  /** W3C trace context of the submit, while traces are collected: the run goes on in the same trace. */
  traceparent: Schema.optionalKey(Schema.String)
});
export type RunRequest = typeof RunRequest.Type;

export const selectionOf = ({
  mode,
  modalities,
  speech
}: Pick<RunRequest, "mode" | "modalities" | "speech">): Selection => ({
  mode,
  modalities,
  ...(speech === undefined ? {} : { speech })
});

/** The selection that is paid for once some of it turned out not to exist. */
export const withoutUnavailable = (
  selection: Selection,
  unavailable: ReadonlyArray<Modality>
): Selection => ({
  ...selection,
  modalities: canonical(selection.modalities.filter((modality) => !unavailable.includes(modality)))
});
