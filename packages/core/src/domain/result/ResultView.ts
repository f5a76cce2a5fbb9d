/**
 * The result of an extraction as its owner sees it, identical in the result endpoint and in events.
 */
import { type ManyKey, type OneKey, byField } from "./ArtifactFields.ts";
import { requestedParts, shortfallWarnings } from "../run/Availability.ts";
import type { Evidence } from "../evidence/Evidence.ts";
import { partStates, type PartStates } from "./PartState.ts";
import type { Extraction, RunResult } from "../run/Extraction.ts";
import type { Outcome } from "../evidence/Verdict.ts";
import { remedyOf, type Failure, type FailureReason } from "../source/Failure.ts";
import { isPaidByWorstCase } from "../run/Settlement.ts";
import { WORST_CASE_DURATION_MS } from "../source/SourceFacts.ts";
import { summaryOf, type Completed, type Summary } from "./Summary.ts";
import { phaseOf } from "../run/Transition.ts";

/** URLs of single files; a key exists if its file does. */
type FileUrls = { readonly [Key in OneKey<"urlKey">]?: string };
type FileUrlLists = { readonly [Key in ManyKey<"urlKey">]: ReadonlyArray<string> };

/** URLs ready to download. */
export interface ArtifactUrls extends FileUrls, FileUrlLists {
  readonly files: Readonly<Record<string, string>>;
  /** Of every artifact, in the order of `summary.files`. */
  readonly details: ReadonlyArray<{
    readonly name: string;
    readonly bytes: number;
    readonly contentType: string;
  }>;
}

export interface CompleteView {
  readonly id: string;
  readonly status: "complete";
  readonly summary: Summary;
  readonly artifacts: ArtifactUrls;
  readonly outcome: Outcome | null;
  readonly verdictReason?: string;
  readonly extraction: RunResult["extraction"];
  /** Only for outcome `ok`. */
  readonly evidence?: Evidence;
  /** The library schema that was used or generated; absent for an inline schema and without a schema. */
  readonly schemaId?: string;
  /** The state of each part. */
  readonly parts: PartStates;
  readonly warnings: ReadonlyArray<string>;
}

export interface FailedView {
  readonly id: string;
  readonly status: "failed";
  readonly error: string;
  readonly failure: { readonly reason: FailureReason; readonly retryable: boolean; readonly hint: string };
}

/** The last one while the extraction is live. */
export type ResultView = CompleteView | FailedView | { readonly status: "queued" | "processing" };

/** `publicUrl` has no trailing slash. */
const artifactsOf = ({ id, result }: Completed, publicUrl: string): ArtifactUrls => {
  const names = result.artifacts.map((artifact) => artifact.name);
  const urlOf = (name: string) => `${publicUrl}/v1/extractions/${id}/files/${encodeURIComponent(name)}`;
  const keyed = byField("urlKey", {
    one: ({ name }) => (names.includes(name) ? urlOf(name) : undefined),
    many: (includes) => names.filter(includes).map(urlOf)
  });
  const present = Object.entries(keyed).filter(([, url]) => url !== undefined);
  return {
    ...(Object.fromEntries(present) as unknown as FileUrls & FileUrlLists),
    files: Object.fromEntries(names.map((name) => [name, urlOf(name)])),
    details: result.artifacts.map(({ name, sizeBytes, contentType }) => ({
      name,
      bytes: sizeBytes,
      contentType
    }))
  };
};

const LENGTH_UNKNOWN = `The duration of the video is unknown: it was charged as ${WORST_CASE_DURATION_MS / 1_000} seconds.`;

/** Uses the policy and request of this extraction, even if it reuses another run's result. */
export const warningsOf = (extraction: Completed): ReadonlyArray<string> => {
  const { request, result } = extraction;
  return [
    ...shortfallWarnings(result.facts, requestedParts(request, result.rung), result.shortfall),
    ...result.warnings,
    ...(isPaidByWorstCase(extraction, result) ? [LENGTH_UNKNOWN] : [])
  ];
};

const completeView = (extraction: Completed, publicUrl: string): CompleteView => {
  const { request, result } = extraction;
  const schemaId = result.schemaId ?? request.schemaOrigin?.id;
  return {
    id: extraction.id,
    status: "complete",
    summary: summaryOf(extraction),
    artifacts: artifactsOf(extraction, publicUrl),
    outcome: result.outcome,
    ...(result.verdictReason === null ? {} : { verdictReason: result.verdictReason }),
    extraction: result.extraction,
    ...(result.evidence === undefined ? {} : { evidence: result.evidence }),
    ...(schemaId === undefined ? {} : { schemaId }),
    parts: partStates(extraction),
    warnings: warningsOf(extraction)
  };
};

const failedView = ({ id, failure }: Extraction): FailedView => {
  const known: Failure = failure ?? { reason: "internal", message: "The run failed." };
  return {
    id,
    status: "failed",
    error: known.message,
    failure: {
      reason: known.reason,
      ...(known.cause === undefined ? {} : { cause: known.cause }),
      ...remedyOf(known)
    }
  };
};

/** `publicUrl`, the base URL of artifacts, has no trailing slash. */
export const resultView = (extraction: Extraction, publicUrl: string): ResultView => {
  const phase = phaseOf(extraction.status);
  if (phase === "queued" || phase === "processing") return { status: phase };
  return extraction.result === null || phase === "failed"
    ? failedView(extraction)
    : completeView({ ...extraction, result: extraction.result }, publicUrl);
};
