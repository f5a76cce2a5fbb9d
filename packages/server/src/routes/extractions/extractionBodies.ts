/** Extractions as shown by the API. Pure. Tests: bodies.test.ts. */
import { THUMBNAIL_FILE } from "@winnow/core/domain/result/ArtifactName";
import { listItemOf } from "@winnow/core/domain/result/ExtractionList";
import { type Extraction, isCached } from "@winnow/core/domain/run/Extraction";
import { uncut } from "@winnow/core/domain/request/RunRequest";
import { resultView } from "@winnow/core/domain/result/ResultView";
import type { RunEvent } from "@winnow/core/domain/run/RunProgress";
import { debitedPrice } from "@winnow/core/domain/run/Submission";
import { phaseOf } from "@winnow/core/domain/run/Transition";
import { wireRange } from "@winnow/core/domain/source/TimeRange";
import { present } from "@winnow/core/domain/text/Json";
import type { Remarks } from "@winnow/core/engine/extractions/Extractions";
import type { Probe } from "@winnow/core/engine/extractions/Probes";
import type { ExtractionProgress, ExtractionDetail, ExtractionItem } from "./ExtractionWire.ts";
import { priceBody } from "./PriceWire.ts";
import type { CompleteResult, FailedResult } from "./ResultWire.ts";
import type { ProbeResponse } from "./SubmitWire.ts";
import { dateTime } from "../../http/openapi/described.ts";
import { basePathOf } from "../../http/PublicUrl.ts";

/** URL of the stored copy, as a path of the public URL's host. */
const thumbnailPath = (id: string, publicUrl: string): string =>
  `${basePathOf(publicUrl)}/v1/extractions/${id}/files/${THUMBNAIL_FILE}`;

export const probeResponse = ({ thumbnail, price, ...found }: Probe, publicUrl: string): ProbeResponse => {
  const probe = { ...found, price: priceBody(price) };
  if (thumbnail === null) return { ...probe, thumbnail };
  const path =
    "url" in thumbnail
      ? `${basePathOf(publicUrl)}/v1/probe/thumbnail?url=${encodeURIComponent(thumbnail.url)}`
      : thumbnailPath(thumbnail.extractionId, publicUrl);
  return { ...probe, thumbnail: path };
};

/** By id. */
type AllRemarks = ReadonlyMap<string, Remarks>;

export const extractionItem = (
  extraction: Extraction,
  remarks: AllRemarks,
  publicUrl: string
): ExtractionItem => {
  const { id, request, requester, result, failure, completedAtMs } = extraction;
  const { title, kind, durationSeconds, hasThumbnail } = listItemOf(extraction);
  return {
    id,
    url: request.url,
    status: extraction.status,
    createdAt: dateTime(extraction.createdAtMs),
    completedAt: completedAtMs === null ? null : dateTime(completedAtMs),
    creditsDebited: extraction.creditsDebited,
    creditsRefunded: extraction.creditsRefunded,
    cached: isCached(extraction),
    outcome: result?.outcome ?? null,
    title,
    kind,
    durationSec: durationSeconds,
    ...present({ range: wireRange(request.range) }),
    thumbnail: hasThumbnail ? thumbnailPath(id, publicUrl) : null,
    madeBy: requester.madeBy,
    apiKeyName: requester.apiKeyName,
    ...present({ batchId: extraction.batchId, fromExtraction: uncut(request).fromExtraction?.id ?? null }),
    ...remarks.get(id),
    ...present({
      verdictReason: result?.verdictReason ?? null,
      error: failure?.message ?? null,
      failureReason: failure?.reason ?? null
    })
  };
};

export const extractionDetail = (
  extraction: Extraction,
  remarks: AllRemarks,
  publicUrl: string
): ExtractionDetail => ({
  ...extractionItem(extraction, remarks, publicUrl),
  phase: phaseOf(extraction.status),
  price: priceBody(debitedPrice(extraction))
});

type ResultBody = { readonly status: "queued" | "processing" } | CompleteResult | FailedResult;

export const progressItem = ({ attempt: _attempt, ...progress }: RunEvent): ExtractionProgress => progress;

/** Shared with events (domain/result/ResultView). `publicUrl` has no trailing slash. */
export const resultBody: (extraction: Extraction, publicUrl: string) => ResultBody = resultView;
