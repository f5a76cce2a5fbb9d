/**
 * What the tools ask of the service, whichever way they reach it: over HTTP by the client, or straight from the
 * engine inside of the server. Errors have the API's `code`, `message` and `details`.
 */
import type {
  ExtractionDetail,
  ExtractionPage,
  ExtractionProgress,
  FileLink,
  PendingResult,
  ProbeBody,
  ProbeResponse,
  SavedSchema,
  SubmitBody,
  SubmitResponse
} from "../generated/types.ts";
import type { TerminalResult } from "../results.ts";

/** A submit's answer; `replayed` when an earlier submit with the same key made the extraction. */
export interface ToolSubmitted extends Pick<SubmitResponse, "id" | "status" | "creditsDebited"> {
  readonly replayed: boolean;
}

export interface ToolFile {
  readonly contentType: string;
  /** Of the whole file. */
  readonly sizeBytes: number;
  /** No more than were asked for. */
  readonly bytes: Uint8Array;
}

export interface ToolSource {
  probe(body: ProbeBody, signal: AbortSignal): Promise<ProbeResponse>;
  submit(body: SubmitBody, idempotencyKey: string, signal: AbortSignal): Promise<ToolSubmitted>;
  /**
   * When an earlier submit under this key made its run, in Unix milliseconds; null where none did, or where only
   * this process submits and remembers it.
   */
  submittedAtMs(idempotencyKey: string, signal: AbortSignal): Promise<number | null>;
  extraction(id: string, signal: AbortSignal): Promise<ExtractionDetail>;
  result(id: string, signal: AbortSignal): Promise<TerminalResult<unknown> | PendingResult>;
  /** Settles when the run is over; aborting ends the wait and cancels nothing. */
  wait(id: string, signal: AbortSignal, onProgress: (progress: ExtractionProgress) => void): Promise<unknown>;
  list(
    query: { readonly limit: number; readonly cursor: string | undefined },
    signal: AbortSignal
  ): Promise<ExtractionPage>;
  cancel(id: string, signal: AbortSignal): Promise<ExtractionDetail>;
  /** The first `bytesMax` of a file. */
  file(id: string, name: string, bytesMax: number, signal: AbortSignal): Promise<ToolFile>;
  /** Opens one file without a key for 15 minutes; null where nothing serves it. */
  link(id: string, name: string, signal: AbortSignal): Promise<FileLink | null>;
  /** The newest of the saved ones and those that are always there, at most `limit`. */
  schemas(limit: number, signal: AbortSignal): Promise<ReadonlyArray<SavedSchema>>;
  schema(id: string, signal: AbortSignal): Promise<SavedSchema>;
  /** Credits. */
  balance(signal: AbortSignal): Promise<number>;
}
