/**
 * What became of an extraction, as its owner is told: by the result endpoint and by its event, alike
 * (specification, "Result" and "Event kinds"; contract 6).
 */
import {
  AUDIO_FILE,
  COMMENTS_FILE,
  DESCRIPTION_FILE,
  isSlideFile,
  THUMBNAIL_FILE,
  TRANSCRIPT_FILE,
  VIDEO_FILE
} from "./ArtifactName.ts";
import type { Evidence } from "./Evidence.ts";
import type { Extraction, Outcome, RunResult } from "./Extraction.ts";
import { remedyOf, type Failure, type FailureReason } from "./Failure.ts";
import { summaryOf, type Completed, type Summary } from "./Summary.ts";
import { phaseOf } from "./Transition.ts";

/** Ready-to-fetch URLs; a key is there when its artifact is. */
export interface ArtifactUrls {
  readonly video?: string;
  readonly audio?: string;
  readonly transcript?: string;
  readonly comments?: string;
  readonly thumbnail?: string;
  readonly description?: string;
  readonly images: ReadonlyArray<string>;
  readonly files: Readonly<Record<string, string>>;
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
  const keyed = {
    video: VIDEO_FILE,
    audio: AUDIO_FILE,
    transcript: TRANSCRIPT_FILE,
    comments: COMMENTS_FILE,
    thumbnail: THUMBNAIL_FILE,
    description: DESCRIPTION_FILE
  };
  return {
    ...Object.fromEntries(
      Object.entries(keyed).flatMap(([key, name]) => (names.includes(name) ? [[key, urlOf(name)]] : []))
    ),
    images: names.filter(isSlideFile).map(urlOf),
    files: Object.fromEntries(names.map((name) => [name, urlOf(name)]))
  };
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
    warnings: result.warnings
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
