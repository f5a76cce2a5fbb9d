/** Shared by the steps of one fetch: folder, proxy, services, progress meter. Tests: MediaDownloader.test.ts. */
import type { Failed, PartFailures } from "@winnow/core/domain/source/Failed";
import type { StepProgress } from "@winnow/core/domain/run/RunProgress";
import type { Run } from "@winnow/core/ports/CurrentRun";
import type { InspectedFetch } from "@winnow/core/ports/Downloader";
import type { Modality } from "@winnow/core/domain/source/Modality";
import type { TextSection } from "@winnow/core/domain/text/InputText";
import * as Effect from "effect/Effect";
import * as Schedule from "effect/Schedule";
import type { FetchOptions } from "@winnow/isolation/network/Egress";
import { classifyStatus, egressFailure, failureOf } from "../failures/classify.ts";
import type { InspectorServices } from "../inspect/InspectionContext.ts";
import type { YtDlpPlace } from "../yt-dlp/YtDlp.ts";
import type { TransferProgress } from "../yt-dlp/YtDlpJob.ts";

export interface FetchContext extends InspectorServices {
  readonly request: InspectedFetch;
  readonly place: YtDlpPlace;
  readonly meter: ProgressMeter;
}

/** The result of one step of a fetch; its media is in the context's folder. */
export interface Part {
  readonly files: ReadonlyArray<string>;
  /** Contents by name of those {@link files} that are text. */
  readonly texts: ReadonlyMap<string, string>;
  /** See ports/Downloader. */
  readonly sections: ReadonlyArray<TextSection>;
  readonly warnings: ReadonlyArray<string>;
  /** Those of the missing modalities whose look-up failed. */
  readonly failedLookups: PartFailures;
}

export const EMPTY_PART: Part = {
  files: [],
  texts: new Map(),
  sections: [],
  warnings: [],
  failedLookups: {}
};

/** Text files, which end with a line break, and the sections of their texts. */
export const textsOf = (
  texts: ReadonlyArray<readonly [name: string, text: string]>,
  sections: ReadonlyArray<TextSection> = []
): Part => ({
  ...EMPTY_PART,
  sections,
  files: texts.map(([name]) => name),
  texts: new Map(texts.map(([name, text]) => [name, `${text}\n`]))
});

export const joinParts = (parts: ReadonlyArray<Part>): Part => ({
  files: parts.flatMap((part) => part.files),
  texts: new Map(parts.flatMap((part) => [...part.texts])),
  sections: parts.flatMap((part) => part.sections),
  warnings: parts.flatMap((part) => part.warnings),
  failedLookups: Object.assign({}, ...parts.map((part) => part.failedLookups))
});

/** A small file of the source, whole. */
export const fetchBody = Effect.fnUntraced(function* (
  { egress, limits }: Pick<InspectorServices, "egress" | "limits">,
  url: string,
  options: Pick<FetchOptions, "headers" | "maxBytes">
): Effect.fn.Return<Uint8Array, Failed> {
  const response = yield* egress
    .fetch(url, { ...options, timeoutMs: limits.smallFetchTimeoutMs })
    .pipe(Effect.mapError(egressFailure));
  const refusal = classifyStatus(response.status);
  return refusal === null ? response.body : yield* failureOf(refusal);
});

export const isRequested = (context: FetchContext, modality: Modality): boolean =>
  context.request.wants.includes(modality);

/** Interval of progress reports. */
const REPORT_EVERY = "500 millis";

type FetchStep = "inspecting" | "fetching" | "converting";

export interface ProgressMeter {
  /** Sets the progress of one transfer; transfers are summed up. */
  readonly update: (transfer: string, progress: TransferProgress) => void;
  readonly enter: (step: FetchStep) => Effect.Effect<void>;
  /** Reports progress until it is interrupted. */
  readonly report: Effect.Effect<void>;
}

/** Total percentage; null while the size of any transfer is unknown. */
const percentOf = (transfers: Iterable<TransferProgress>): number | null => {
  let done = 0;
  let total = 0;
  for (const { downloadedBytes, fraction, totalBytes } of transfers) {
    const whole = totalBytes ?? (fraction !== null && fraction > 0 ? downloadedBytes / fraction : null);
    if (whole === null) return null;
    done += downloadedBytes;
    total += whole;
  }
  return total === 0 ? null : Math.min(100, Math.floor((100 * done) / total));
};

export const makeProgressMeter = (run: Run): ProgressMeter => {
  const transfers = new Map<string, TransferProgress>();
  let step: FetchStep = "inspecting";
  let lastReport = "";
  const report = Effect.suspend(() => {
    let bytes = 0;
    for (const { downloadedBytes } of transfers.values()) bytes += downloadedBytes;
    const progress: StepProgress = {
      step,
      percent: step === "fetching" ? percentOf(transfers.values()) : null,
      bytes
    };
    const now = JSON.stringify(progress);
    if (now === lastReport) return Effect.void;
    lastReport = now;
    return run.report(progress);
  });
  return {
    update: (transfer, progress) => {
      // yt-dlp restarts its count at the end of a segmented download; reported progress must not decrease.
      const reportedBytes = transfers.get(transfer)?.downloadedBytes ?? 0;
      transfers.set(transfer, {
        ...progress,
        downloadedBytes: Math.max(reportedBytes, progress.downloadedBytes)
      });
    },
    enter: (next) =>
      Effect.suspend(() => {
        step = next;
        return report;
      }),
    report: Effect.asVoid(Effect.repeat(report, Schedule.spaced(REPORT_EVERY)))
  };
};
