/** An extraction as the store keeps it. The wire shapes (extraction, result, summary) are derived from it. Tests: Removal.test.ts. */
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import { Coverage } from "./Availability.ts";
import { Warning } from "./Warnings.ts";
import { Credits } from "../money/Credits.ts";
import { Evidence } from "../evidence/Evidence.ts";
import { ModelUsage } from "./ModelUsage.ts";
import { Outcome } from "../evidence/Verdict.ts";
import { Failed } from "../source/Failed.ts";
import { Modality } from "../source/Modality.ts";
import { Rates } from "../money/Rates.ts";
import { Requester } from "../request/Requester.ts";
import { isCut, RunRequest } from "../request/RunRequest.ts";
import { Seen, SourceFacts } from "../source/SourceFacts.ts";
import { ExtractionStatus, transition, type TransitionName } from "./Transition.ts";

/** A stored file of a finished run. Its bytes never change. */
export const Artifact = Schema.Struct({
  name: Schema.String,
  contentType: Schema.String,
  sizeBytes: Schema.Int
});
export type Artifact = typeof Artifact.Type;

/** Where the bytes are stored: the attempt that fetched them. */
export const ArtifactOwner = Schema.Struct({ extractionId: Schema.String, attempt: Schema.Int });
export type ArtifactOwner = typeof ArtifactOwner.Type;

/** The result of a successful run. A reused run keeps the result of its source. */
export const RunResult = Schema.Struct({
  facts: SourceFacts,
  /** Measured from the downloaded media; null if none was downloaded. */
  measuredDurationSeconds: Schema.NullOr(Schema.Finite),
  /**
   * Used if neither the source nor the media reports a duration: that of the stream, or the end of the last
   * caption. Null if neither is known.
   */
  estimatedDurationSeconds: Schema.NullOr(Schema.Finite),
  artifacts: Schema.Array(Artifact),
  artifactOwner: ArtifactOwner,
  coverage: Coverage,
  /** Auto mode: the inputs of the rung that was reached and charged. Null otherwise. */
  rung: Schema.NullOr(Schema.Array(Modality)),
  /** Warnings that no policy suppresses; {@link Coverage} has the others. */
  warnings: Schema.Array(Warning),
  outcome: Schema.NullOr(Outcome),
  /** One sentence; only for `no_match` and `uncertain`. */
  verdictReason: Schema.NullOr(Schema.String),
  extraction: Schema.Json,
  /** Evidence for the values of `extraction`; null unless the outcome is `ok`. */
  evidence: Schema.NullOr(Evidence),
  /** What the models of an AI run reported; null for others. */
  usage: Schema.NullOr(ModelUsage),
  /** The schema generated from the content (`schemaId` "auto") and saved to the library; null if there is none. */
  schemaId: Schema.NullOr(Schema.String),
  /** Name of the route that served the run, for the operator only; null if there are no routes. */
  route: Schema.NullOr(Schema.String),
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
  /** The batch that it is an item of; null for a single submit. */
  batchId: Schema.NullOr(Schema.String),
  /** Hex SHA-256, see domain/run/CacheKey. */
  cacheKey: Schema.String,
  /** By the inspection at submit; null if it failed or was not needed. Never changes. */
  seen: Schema.NullOr(Seen),
  creditsDebited: Credits,
  creditsRefunded: Credits,
  /** The rates for debit and settlement. */
  rates: Rates,
  /** Id of the run whose result is reused; null for a fresh run. */
  cachedFrom: Schema.NullOr(Schema.String),
  /** Number of starts of the run, from 0. Also the fencing token: a late attempt cannot settle. */
  attempt: Schema.Int,
  /** Attempts among them that ended through no fault of the run and do not count (domain/result/Settlement). */
  excusedAttempts: Schema.Int,
  result: Schema.NullOr(RunResult),
  failure: Schema.NullOr(Failed),
  createdAtMs: Schema.Int,
  /** Start of the current attempt. */
  startedAtMs: Schema.NullOr(Schema.Int),
  completedAtMs: Schema.NullOr(Schema.Int)
});
export type Extraction = typeof Extraction.Type;

/** The owner of the files in its result: the reused run, or the extraction itself. */
export const filesOwnerOf = ({ id, cachedFrom }: Pick<Extraction, "id" | "cachedFrom">): string =>
  cachedFrom ?? id;

/** Whether the result of another run serves it, as it is or cut to a stretch: it costs nothing. */
export const isCached = ({ cachedFrom, request }: Pick<Extraction, "cachedFrom" | "request">): boolean =>
  cachedFrom !== null || isCut(request);

/** The library schema that was used or generated; null for an inline schema and without a schema. */
export const schemaIdOf = ({ request, result }: Pick<Extraction, "request" | "result">): string | null =>
  result?.schemaId ?? request.schemaOrigin?.id ?? null;

/** When the result was created, in Unix milliseconds: the end of its own run or of the reused run. */
export const resultCreatedAtMs = ({
  cachedFrom,
  completedAtMs,
  result
}: Pick<Extraction, "cachedFrom" | "completedAtMs" | "result">): number =>
  (cachedFrom === null ? completedAtMs : result?.finishedAtMs) ?? 0;

/** The extraction in its next state. An illegal transition is a programming error and throws. */
export const moved = (extraction: Extraction, event: TransitionName): Extraction => ({
  ...extraction,
  status: Result.getOrThrow(transition(extraction.status, event))
});
