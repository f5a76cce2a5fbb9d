/**
 * What the fork server and the command line of yt-dlp have in common: one job in, one answer out.
 */
import type * as Effect from "effect/Effect";
import type { ProcessFailed } from "../../programs/BoundedProcess.ts";

/** Of one file being downloaded; totals are null while unknown. */
export interface TransferProgress {
  readonly downloadedBytes: number;
  readonly totalBytes: number | null;
  /** 0 to 1, by segments, where there is no total. */
  readonly fraction: number | null;
}

export interface YtDlpJob {
  readonly operation: "inspect" | "download";
  /** Options in front of the URL; the same for both ways of running. */
  readonly argv: ReadonlyArray<string>;
  /** Null when the options name an info file. */
  readonly url: string | null;
  /** Working folder; nothing is written elsewhere. */
  readonly folder: string;
  readonly proxyUrl: string;
  readonly timeoutMs: number;
  readonly memoryMaxBytes: number;
  readonly fileMaxBytes: number;
  /** Set when comments are what the look is for. */
  readonly comments: { readonly max: number; readonly seconds: number } | null;
  readonly onProgress: (progress: TransferProgress) => void;
}

/** What yt-dlp says went wrong. */
export interface YtDlpFailure {
  /** Name of the exception; `Error` where only a line of text is known. */
  readonly type: string;
  /** HTTP status behind it. */
  readonly status: number | null;
  /** False: a fault of the extractor; null where unknown. */
  readonly expected: boolean | null;
  /** Which extractor spoke; null where none had begun. */
  readonly extractor: string | null;
  readonly message: string;
  /** The header of the refusal, where there was one. */
  readonly retryAfter?: string | null;
  /** The look broke off while it read captions; absent where it did not, or nobody knows. */
  readonly inCaptions?: boolean;
}

/** What the extractor was refused beside the media. */
export interface RefusedParts {
  readonly captions?: YtDlpFailure;
  readonly comments?: YtDlpFailure;
}

/** `info` is JSON as yt-dlp wrote it; null after a download. */
export type YtDlpAnswer =
  | { readonly ok: true; readonly info: unknown; readonly refused?: RefusedParts }
  | ({ readonly ok: false } & YtDlpFailure);

/** Interruption ends the child process and all it started before it returns. */
export interface YtDlpRunner {
  readonly run: (job: YtDlpJob) => Effect.Effect<YtDlpAnswer, ProcessFailed>;
}

const numberOr = (value: unknown): number | null =>
  typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : null;

/** yt-dlp's progress dictionary. */
export const readProgress = (raw: unknown): TransferProgress => {
  const fields = (typeof raw === "object" && raw !== null ? raw : {}) as Readonly<Record<string, unknown>>;
  const index = numberOr(fields["fragment_index"]);
  const count = numberOr(fields["fragment_count"]);
  return {
    downloadedBytes: Math.round(numberOr(fields["downloaded_bytes"]) ?? 0),
    totalBytes: numberOr(fields["total_bytes"]),
    fraction: index !== null && count !== null && count > 0 ? Math.min(1, index / count) : null
  };
};

/** Largest answer that is read: an info of YouTube with all its formats has about 1 MB. */
export const ANSWER_MAX_BYTES = 32 * 2 ** 20;
