/**
 * Extractions of the domain as the API shows them. Pure.
 */
import {
  AUDIO_FILE,
  COMMENTS_FILE,
  DESCRIPTION_FILE,
  isSlideFile,
  THUMBNAIL_FILE,
  TRANSCRIPT_FILE,
  VIDEO_FILE
} from "@winnow/core/domain/ArtifactName";
import type { Extraction } from "@winnow/core/domain/Extraction";
import { REMEDIES } from "@winnow/core/domain/Failure";
import { summaryOf, type Completed } from "@winnow/core/domain/Summary";
import { phaseOf } from "@winnow/core/domain/Transition";
import type { ExtractionDetail, ExtractionItem } from "../api/ExtractionWire.ts";
import type { Artifacts, CompleteResult, FailedResult } from "../api/ResultWire.ts";
import type { SubmitResponse } from "../api/SubmitWire.ts";

export const dateTime = (unixMs: number): string => new Date(unixMs).toISOString();

export const submitResponse = (extraction: Extraction): SubmitResponse => ({
  id: extraction.id,
  status: extraction.status,
  url: extraction.request.url,
  creditsDebited: extraction.creditsDebited,
  createdAt: dateTime(extraction.createdAtMs)
});

const verdict = (extraction: Extraction): { readonly verdictReason?: string } => {
  const reason = extraction.result?.verdictReason ?? null;
  return reason === null ? {} : { verdictReason: reason };
};

export const extractionItem = (extraction: Extraction): ExtractionItem => ({
  id: extraction.id,
  url: extraction.request.url,
  status: extraction.status,
  createdAt: dateTime(extraction.createdAtMs),
  completedAt: extraction.completedAtMs === null ? null : dateTime(extraction.completedAtMs),
  creditsDebited: extraction.creditsDebited,
  creditsRefunded: extraction.creditsRefunded,
  cached: extraction.cachedFrom !== null,
  outcome: extraction.result?.outcome ?? null,
  ...verdict(extraction),
  ...(extraction.failure === null ? {} : { error: extraction.failure.message })
});

export const extractionDetail = (extraction: Extraction): ExtractionDetail => ({
  ...extractionItem(extraction),
  phase: phaseOf(extraction.status)
});

/** `publicUrl` has no slash at its end. */
const artifactsOf = ({ id, result }: Completed, publicUrl: string): Artifacts => {
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

const completeResult = (extraction: Completed, publicUrl: string): CompleteResult => ({
  id: extraction.id,
  status: "complete",
  summary: summaryOf(extraction),
  artifacts: artifactsOf(extraction, publicUrl),
  outcome: extraction.result.outcome,
  ...verdict(extraction),
  extraction: extraction.result.extraction,
  warnings: extraction.result.warnings
});

const failedResult = (extraction: Extraction): FailedResult => {
  const { reason, message } = extraction.failure ?? { reason: "internal", message: "The run failed." };
  return {
    id: extraction.id,
    status: "failed",
    error: message,
    failure: { reason, ...REMEDIES[reason] }
  };
};

export type ResultBody = { readonly status: "queued" | "processing" } | CompleteResult | FailedResult;

export const resultBody = (extraction: Extraction, publicUrl: string): ResultBody => {
  const phase = phaseOf(extraction.status);
  if (phase === "queued" || phase === "processing") return { status: phase };
  return extraction.result === null || phase === "failed"
    ? failedResult(extraction)
    : completeResult({ ...extraction, result: extraction.result }, publicUrl);
};
