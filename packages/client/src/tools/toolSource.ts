/**
 * What the tools need from the service, and the context of a call. The client implements it here; a server adds what
 * only it knows. Errors have the API's `code`, `message` and `details`.
 */
import type {
  Batch,
  ExtractionDetail,
  ExtractionPage,
  ExtractionProgress,
  FileLink,
  PendingResult,
  ProbeResponse,
  SavedSchema,
  SubmitResponse
} from "../generated/types.ts";
import type { BatchSubmission } from "../resources/batches.ts";
import type { Inquiry, Submission } from "../resources/submission.ts";
import type { TerminalResult } from "../schema/results.ts";
import type { ToolProgress } from "./progress.ts";
import type { RunKeys } from "./runKey.ts";
import type { Winnow } from "../winnow.ts";

/** The result of a submit; `replayed` if an earlier submit with the same key created the extraction. */
export interface ToolSubmitted extends Pick<SubmitResponse, "id" | "status" | "creditsDebited"> {
  readonly replayed: boolean;
}

export interface ToolFile {
  readonly contentType: string;
  /** Size of the whole file. */
  readonly sizeBytes: number;
  /** At most `bytesMax`. */
  readonly bytes: Uint8Array;
}

export interface ToolSource {
  probe(body: Inquiry, signal: AbortSignal): Promise<ProbeResponse>;
  submit(body: Submission, idempotencyKey: string, signal: AbortSignal): Promise<ToolSubmitted>;
  /**
   * When an earlier submit with this key created its run, in Unix milliseconds; null if none did, or if only
   * this process submits and remembers it.
   */
  submittedAtMs(idempotencyKey: string, signal: AbortSignal): Promise<number | null>;
  extraction(id: string, signal: AbortSignal): Promise<ExtractionDetail>;
  result(id: string, signal: AbortSignal): Promise<TerminalResult<unknown> | PendingResult>;
  createBatch(body: BatchSubmission, idempotencyKey: string, signal: AbortSignal): Promise<Batch>;
  batch(id: string, signal: AbortSignal): Promise<Batch>;
  /** Resolves when the run or batch has ended. Aborting ends the wait and cancels nothing. */
  wait(id: string, signal: AbortSignal, onProgress: (progress: ExtractionProgress) => void): Promise<unknown>;
  list(
    query: {
      readonly limit: number;
      readonly cursor: string | undefined;
      readonly batchId: string | undefined;
    },
    signal: AbortSignal
  ): Promise<ExtractionPage>;
  /** Of a batch too. */
  cancel(
    id: string,
    signal: AbortSignal
  ): Promise<{ readonly id: string; readonly status: string; readonly creditsRefunded: number }>;
  /** The first `bytesMax` of a file. */
  file(id: string, name: string, bytesMax: number, signal: AbortSignal): Promise<ToolFile>;
  /** A link that opens one file without a key for 15 minutes; null if no server serves it. */
  link(id: string, name: string, signal: AbortSignal): Promise<FileLink | null>;
  /** The newest saved and the predefined schemas, at most `limit`. */
  schemas(limit: number, signal: AbortSignal): Promise<ReadonlyArray<SavedSchema>>;
  schema(id: string, signal: AbortSignal): Promise<SavedSchema>;
  /** Credits. */
  balance(signal: AbortSignal): Promise<number>;
}

/** Context of a tool call. */
export interface ToolCall {
  readonly source: ToolSource;
  /** Aborts the call and its wait, but never the run. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ToolProgress) => void;
  /** Highest price of one call in credits; the argument `maxCredits` can only lower it. */
  readonly maxCredits: number;
  readonly keys: RunKeys;
  /** The account: only calls within one account can be the same run. */
  readonly scope: string;
}

// A {@link ToolSource} that calls the HTTP API with the client.

/** The first bytes of a response body. */
const firstBytes = async (response: Response, bytesMax: number): Promise<Uint8Array> => {
  const bytes = new Uint8Array(await response.arrayBuffer());
  return bytes.subarray(0, bytesMax);
};

const sizeOf = (response: Response, read: number): number => {
  const [, total] = /\/(\d+)$/u.exec(response.headers.get("content-range") ?? "") ?? [];
  return total === undefined ? read : Number(total);
};

export const isBatchId = (id: string): boolean => id.startsWith("bat_");

const waitForBatch = async (
  winnow: Winnow,
  id: string,
  signal: AbortSignal,
  onProgress: (progress: ExtractionProgress) => void
): Promise<void> => {
  let ended = 0;
  for await (const _ of winnow.batches.ended(id, { signal })) {
    ended += 1;
    onProgress({ phase: `${ended} done`, step: null, percent: null, bytes: 0, rung: null });
  }
};

export const clientSource = (winnow: Winnow): ToolSource => ({
  probe: (body, signal) => winnow.probe(body, { signal }),
  submit: async (body, idempotencyKey, signal) => {
    const { data, response } = await winnow.submit(body, { idempotencyKey, signal }).withResponse();
    return { ...data, replayed: response.headers.get("idempotent-replayed") === "true" };
  },
  submittedAtMs: () => Promise.resolve(null),
  createBatch: (body, idempotencyKey, signal) => winnow.batches.create(body, { idempotencyKey, signal }),
  batch: (id, signal) => winnow.batches.get(id, { signal }),
  extraction: (id, signal) => winnow.extractions.get(id, { signal }),
  result: (id, signal) => winnow.extractions.result<unknown>(id, { signal }),
  wait: (id, signal, onProgress): Promise<unknown> =>
    isBatchId(id)
      ? waitForBatch(winnow, id, signal, onProgress)
      : winnow.extractions.wait(id, { signal, onProgress }),
  list: (query, signal) => winnow.extractions.page({ ...query, signal }),
  cancel: (id, signal) => (isBatchId(id) ? winnow.batches : winnow.extractions).cancel(id, { signal }),
  file: async (id, name, bytesMax, signal) => {
    const response = await winnow.files.get(id, name, { range: { start: 0, end: bytesMax - 1 }, signal });
    const bytes = await firstBytes(response, bytesMax);
    const contentType = response.headers.get("content-type") ?? "application/octet-stream";
    return { contentType, bytes, sizeBytes: sizeOf(response, bytes.length) };
  },
  link: (id, name, signal) => winnow.files.link(id, name, { signal }),
  schemas: async (limit, signal) => (await winnow.schemas.page({ limit, signal })).data,
  schema: (id, signal) => winnow.schemas.get(id, { signal }),
  balance: async (signal) => (await winnow.account({ signal })).balance
});
