/**
 * What became of an extraction, as its owner is told: by the result endpoint and by its event, alike
 * (specification, "Result" and "Event kinds"; contract 6).
 */
import { type ManyKey, type OneKey, placed } from "./ArtifactPlaces.ts";
import { askedOf, shortfallWarnings } from "./Availability.ts";
import type { Evidence } from "./Evidence.ts";
import { partStates, type PartStates } from "./PartState.ts";
import type { Extraction, Outcome, RunResult } from "./Extraction.ts";
import { remedyOf, type Failure, type FailureReason } from "./Failure.ts";
import { isPaidByWorstCase } from "./Settlement.ts";
import { WORST_CASE_DURATION_MS } from "./SourceFacts.ts";
import { summaryOf, type Completed, type Summary } from "./Summary.ts";
import { phaseOf } from "./Transition.ts";

/** URLs of single files; a key is there when its file is. */
type FileUrls = { readonly [Key in OneKey<"urlKey">]?: string };
type FileUrlLists = { readonly [Key in ManyKey<"urlKey">]: ReadonlyArray<string> };

/** Ready-to-fetch URLs. */
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
  /** Only with `ok`. */
  readonly evidence?: Evidence;
  /** The schema of the library that was used or made; absent with an inline schema and without one. */
  readonly schemaId?: string;
  /** What became of each part. */
  readonly parts: PartStates;
  readonly warnings: ReadonlyArray<string>;
}

export interface FailedView {
  readonly id: string;
  readonly status: "failed";
  readonly error: string;
  readonly failure: { readonly reason: FailureReason; readonly retryable: boolean; readonly hint: string };
}

/** The last one while it is not over. */
export type ResultView = CompleteView | FailedView | { readonly status: "queued" | "processing" };

/** `publicUrl` has no slash at its end. */
const artifactsOf = ({ id, result }: Completed, publicUrl: string): ArtifactUrls => {
  const names = result.artifacts.map((artifact) => artifact.name);
  const urlOf = (name: string) => `${publicUrl}/v1/extractions/${id}/files/${encodeURIComponent(name)}`;
  const keyed = placed("urlKey", {
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

/** By the policy and the names of this extraction, whichever run its result is of. */
export const warningsOf = (extraction: Completed): ReadonlyArray<string> => {
  const { request, result } = extraction;
  if (result.shortfall === undefined) return result.warnings;
  return [
    ...shortfallWarnings(result.facts, askedOf(request, result.rung), result.shortfall),
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
    failure: { reason: known.reason, ...remedyOf(known) }
  };
};

/** `publicUrl`, where artifacts are to be had, has no slash at its end. */
export const resultView = (extraction: Extraction, publicUrl: string): ResultView => {
  const phase = phaseOf(extraction.status);
  if (phase === "queued" || phase === "processing") return { status: phase };
  return extraction.result === null || phase === "failed"
    ? failedView(extraction)
    : completeView({ ...extraction, result: extraction.result }, publicUrl);
};
