/**
 * One extraction, as the store keeps it. Wire shapes (extraction, result, summary) are read out of it.
 */
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import { Shortfall } from "./Availability.ts";
import { Credits } from "./Credits.ts";
import { Evidence } from "./Evidence.ts";
import { Failure } from "./Failure.ts";
import { Modality } from "./Modality.ts";
import { Rates } from "./Rates.ts";
import { Requester } from "./Requester.ts";
import { RunRequest } from "./RunRequest.ts";
import { Inspected, PricedFacts, SourceFacts } from "./SourceFacts.ts";
import { ExtractionStatus, transition, type TransitionEvent } from "./Transition.ts";

/** Verdict of an AI run (specification, "Outcome meanings"); null on download-only runs. */
export const Outcome = Schema.Literals(["ok", "no_match", "uncertain"]).annotate({ identifier: "Outcome" });
export type Outcome = typeof Outcome.Type;

/** A stored file of a finished run. Its bytes never change. */
export const Artifact = Schema.Struct({
  name: Schema.String,
  contentType: Schema.String,
  sizeBytes: Schema.Int
});
export type Artifact = typeof Artifact.Type;

/** Where the bytes lie: the attempt of the extraction that fetched them. */
export const ArtifactOwner = Schema.Struct({ extractionId: Schema.String, attempt: Schema.Int });
export type ArtifactOwner = typeof ArtifactOwner.Type;

/** What a successful run leaves behind. A reused run keeps the result of its source. */
export const RunResult = Schema.Struct({
  facts: SourceFacts,
  /** Measured on the downloaded media; null when none was downloaded. */
  measuredDurationSeconds: Schema.NullOr(Schema.Finite),
  /** Where neither the source nor its media told the length: that of the stream, or the end of the last caption. */
  estimatedDurationSeconds: Schema.optionalKey(Schema.Finite),
  artifacts: Schema.Array(Artifact),
  artifactOwner: ArtifactOwner,
  /** Requested but not there; not paid for. */
  unavailable: Schema.Array(Modality),
  /** Slides of a photo post that the model did not read, where there are any; not paid for. */
  unreadSlides: Schema.optionalKey(Schema.Int),
  /** What was not to be had; absent of results older than this, whose `warnings` tell all of it. */
  shortfall: Schema.optionalKey(Shortfall),
  /** Of results without a `shortfall`: the transcript is in another language than the one asked for. */
  languageMissing: Schema.optionalKey(Schema.Boolean),
  /** Auto mode: the inputs of the rung whose result this is, all that is paid for. Absent otherwise. */
  rung: Schema.optionalKey(Schema.Array(Modality)),
  /** Sentences for the caller that no policy silences; {@link Shortfall} tells the others. */
  warnings: Schema.Array(Schema.String),
  outcome: Schema.NullOr(Outcome),
  /** One sentence, only for `no_match` and `uncertain`. */
  verdictReason: Schema.NullOr(Schema.String),
  extraction: Schema.Json,
  /** Of the values of `extraction`; absent unless the outcome is `ok`. */
  evidence: Schema.optionalKey(Evidence),
  /** The schema that was made of the content (`schemaId` "auto") and saved to the library. */
  schemaId: Schema.optionalKey(Schema.String),
  startedAtMs: Schema.Int,
  finishedAtMs: Schema.Int
});
export type RunResult = typeof RunResult.Type;

export const Extraction = Schema.Struct({
  id: Schema.String,
  accountId: Schema.String,
  status: ExtractionStatus,
  request: RunRequest,
  requester: Requester,
  /** Hex SHA-256, see domain/CacheKey. */
  cacheKey: Schema.String,
  /** As known at submit; never changed afterwards. */
  pricedFacts: PricedFacts,
  /** What the inspection at submit saw; null when it saw nothing or was not needed. */
  inspected: Schema.NullOr(Inspected),
  creditsDebited: Credits,
  creditsRefunded: Credits,
  /** What it was debited at, and is settled at; absent for the specification's. */
  rates: Schema.optionalKey(Rates),
  /** Id of the run whose result is reused; null for a fresh run. */
  cachedFrom: Schema.NullOr(Schema.String),
  /** Counts starts of the run, from 0; also the fencing token: a late attempt cannot settle. */
  attempt: Schema.Int,
  /** Of these, the ones that ended through no fault of the run, and do not count (domain/Settlement). */
  excusedAttempts: Schema.Int,
  result: Schema.NullOr(RunResult),
  failure: Schema.NullOr(Failure),
  createdAtMs: Schema.Int,
  /** Start of the current attempt. */
  startedAtMs: Schema.NullOr(Schema.Int),
  completedAtMs: Schema.NullOr(Schema.Int)
});
export type Extraction = typeof Extraction.Type;

/** Whose files its result serves: those of the run that is reused, or its own. */
export const filesOwnerOf = ({ id, cachedFrom }: Pick<Extraction, "id" | "cachedFrom">): string =>
  cachedFrom ?? id;

/**
 * When the result of a complete extraction was made, in Unix milliseconds: when its run was over or, of one that
 * reuses it, when that run had finished.
 */
export const madeAtMs = ({
  cachedFrom,
  completedAtMs,
  result
}: Pick<Extraction, "cachedFrom" | "completedAtMs" | "result">): number =>
  (cachedFrom === null ? completedAtMs : result?.finishedAtMs) ?? 0;

/** The extraction one move on. An illegal move is a bug of the caller and throws. */
export const moved = (extraction: Extraction, event: TransitionEvent): Extraction => ({
  ...extraction,
  status: Result.getOrThrow(transition(extraction.status, event))
});
