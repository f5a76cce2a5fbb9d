/**
 * What the tools need from the service, by the client; and the context of a call. A server replaces what only it knows.
 * Tests: the server's McpHttp.test.ts, stdio.test.ts.
 */
import type { ExtractionProgress, FileLink } from "../generated/types.ts";
import type { BatchSubmission } from "../resources/batches.ts";
import type { Inquiry, Submission } from "../resources/submission.ts";
import type { ToolProgress } from "./progress.ts";
import type { RunKeys } from "./runKey.ts";
import type { Winnow } from "../winnow.ts";

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

export const clientSource = (winnow: Winnow) => ({
  probe: async (body: Inquiry, signal: AbortSignal) => winnow.probe(body, { signal }),
  /** `replayed` if an earlier submit with the same key created the extraction. */
  submit: async (body: Submission, idempotencyKey: string, signal: AbortSignal) => {
    const { data, response } = await winnow.submit(body, { idempotencyKey, signal }).withResponse();
    return { ...data, replayed: response.headers.get("idempotent-replayed") === "true" };
  },
  /**
   * When an earlier submit with this key created its run, in Unix milliseconds; null if none did, or if only
   * this process submits and remembers it.
   */
  submittedAtMs: async (_key: string, _signal: AbortSignal): Promise<number | null> => null,
  createBatch: async (body: BatchSubmission, idempotencyKey: string, signal: AbortSignal) =>
    winnow.batches.create(body, { idempotencyKey, signal }),
  batch: async (id: string, signal: AbortSignal) => winnow.batches.get(id, { signal }),
  extraction: async (id: string, signal: AbortSignal) => winnow.extractions.get(id, { signal }),
  result: async (id: string, signal: AbortSignal) => winnow.extractions.result<unknown>(id, { signal }),
  /** Resolves when the run or batch has ended. Aborting ends the wait and cancels nothing. */
  wait: async (
    id: string,
    signal: AbortSignal,
    onProgress: (progress: ExtractionProgress) => void
  ): Promise<unknown> =>
    isBatchId(id)
      ? waitForBatch(winnow, id, signal, onProgress)
      : winnow.extractions.wait(id, { signal, onProgress }),
  list: async (
    query: {
      readonly limit: number;
      readonly cursor: string | undefined;
      readonly batchId: string | undefined;
    },
    signal: AbortSignal
  ) => winnow.extractions.page({ ...query, signal }),
  cancel: async (id: string, signal: AbortSignal) =>
    (isBatchId(id) ? winnow.batches : winnow.extractions).cancel(id, { signal }),
  /** The first `bytesMax` of a file; `sizeBytes` is that of all of it. */
  file: async (id: string, name: string, bytesMax: number, signal: AbortSignal) => {
    const response = await winnow.files.get(id, name, { range: { start: 0, end: bytesMax - 1 }, signal });
    const bytes = await firstBytes(response, bytesMax);
    const contentType = response.headers.get("content-type") ?? "application/octet-stream";
    return { contentType, bytes, sizeBytes: sizeOf(response, bytes.length) };
  },
  /** A link that opens one file without a key for 15 minutes; null if no server serves it. */
  link: async (id: string, name: string, signal: AbortSignal): Promise<FileLink | null> =>
    winnow.files.link(id, name, { signal }),
  /** The newest saved and the predefined schemas, at most `limit`. */
  schemas: async (limit: number, signal: AbortSignal) => (await winnow.schemas.page({ limit, signal })).data,
  schema: async (id: string, signal: AbortSignal) => winnow.schemas.get(id, { signal }),
  /** Credits. */
  balance: async (signal: AbortSignal) => (await winnow.account({ signal })).balance
});

export type ToolSource = Readonly<ReturnType<typeof clientSource>>;
export type ToolFile = Awaited<ReturnType<ToolSource["file"]>>;
export type ToolSubmitted = Awaited<ReturnType<ToolSource["submit"]>>;

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
