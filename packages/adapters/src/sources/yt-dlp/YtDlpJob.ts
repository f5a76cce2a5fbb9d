/** What yt-dlp is asked and answers, by YtDlpServer or YtDlpCli. Tests: childAnswers.test.ts, MediaDownloader.test.ts. */
import type * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import type { FetchedBody } from "@winnow/isolation/network/Egress";
import type { ProcessFailed } from "@winnow/isolation/process/BoundedProcess";
import { YtDlpFailure } from "../failures/classify.ts";

/** Progress of one file; totals are null if unknown. */
export interface TransferProgress {
  readonly downloadedBytes: number;
  readonly totalBytes: number | null;
  /** 0 to 1 by segments, if there is no total. */
  readonly fraction: number | null;
}

/** A page as our own reader fetches it, so that yt-dlp does not ask for it again. */
export interface SharedPage {
  readonly url: string;
  /** Null if it could not be fetched. */
  readonly response: Effect.Effect<FetchedBody | null>;
}

export interface YtDlpJob {
  readonly operation: "inspect" | "download";
  /** Options before the URL; the same for both implementations. */
  readonly argv: ReadonlyArray<string>;
  /** Null if the options name an info file. */
  readonly url: string | null;
  /** Working folder, new for this start; nothing is written elsewhere. */
  readonly folder: string;
  readonly proxyUrl: string;
  readonly timeoutMs: number;
  readonly memoryMaxBytes: number;
  readonly fileMaxBytes: number;
  /** Used by the fork server, if the generic extractor reads the URL; null if it is not shared. */
  readonly page: SharedPage | null;
  /** Set if the inspection is for comments. */
  readonly comments: { readonly max: number; readonly seconds: number } | null;
  readonly onProgress: (progress: TransferProgress) => void;
}

/** Rejected look-ups besides the media. */
const RefusedParts = Schema.Struct({
  captions: Schema.optionalKey(YtDlpFailure),
  comments: Schema.optionalKey(YtDlpFailure)
});

export type RefusedParts = typeof RefusedParts.Type;

/** `info` is JSON as written by yt-dlp; null after a download. */
export const YtDlpAnswer = Schema.Union([
  Schema.Struct({
    ok: Schema.Literal(true),
    info: Schema.Unknown,
    refused: Schema.optionalKey(RefusedParts),
    /** Texts by URL, of those that were read on the way. */
    manifests: Schema.optionalKey(Schema.Record(Schema.String, Schema.String))
  }),
  Schema.Struct({ ok: Schema.Literal(false), ...YtDlpFailure.fields })
]);

export type YtDlpAnswer = typeof YtDlpAnswer.Type;

/** Interruption ends the child process and its descendants before it returns. */
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

/** JSON of a source's facts in bytes, which is parsed in one go; YouTube's info with all formats has about 1 MB. */
const FACTS_MAX_BYTES = 4 * 2 ** 20;

/** JSON of one comment in bytes; platforms allow up to 10,000 characters. */
const COMMENT_MAX_BYTES = 2 * 2 ** 10;

/** Maximum size of the answer to a job. */
export const answerMaxBytes = ({ comments }: Pick<YtDlpJob, "comments">): number =>
  FACTS_MAX_BYTES + (comments?.max ?? 0) * COMMENT_MAX_BYTES;
