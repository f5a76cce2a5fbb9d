/** Reads of extractions. */
import type {
  CompleteResult,
  ExtractionDetail,
  ExtractionPage,
  FailedResult,
  PendingResult
} from "./generated/types.ts";
import { sendJson, type RequestOptions, type Transport } from "./request.ts";
import { Pacer, poll, type WaitOptions } from "./wait.ts";

/** A result that will not change. */
export type TerminalResult = CompleteResult | FailedResult;

const isPending = (result: TerminalResult | PendingResult): result is PendingResult =>
  result.status !== "complete" && result.status !== "failed";

const pathOf = (id: string): string => `/v1/extractions/${encodeURIComponent(id)}`;

export interface ListOptions extends RequestOptions {
  /** Page size, 1 to 100; the service's default is 20. */
  readonly limit?: number;
}

export class Extractions {
  private readonly transport: Transport;
  private readonly pacer = new Pacer();

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /** The extraction with its phase. */
  get(id: string, options: RequestOptions = {}): Promise<ExtractionDetail> {
    return sendJson(this.transport, { method: "GET", path: pathOf(id), ...options });
  }

  /** The terminal result, or the pending body while the run goes on. */
  result(id: string, options: RequestOptions = {}): Promise<TerminalResult | PendingResult> {
    return sendJson(this.transport, { method: "GET", path: `${pathOf(id)}/result`, ...options });
  }

  /** Waits for the terminal result, failed ones included. Aborting it cancels nothing. */
  wait(id: string, options: WaitOptions = {}): Promise<TerminalResult> {
    return poll<TerminalResult, PendingResult>(
      id,
      this.pacer,
      (signal) => this.result(id, { signal }),
      isPending,
      options
    );
  }

  /** One page, newest first; `cursor` is an earlier page's `next_cursor`. */
  page({ limit, cursor, signal }: ListOptions & { readonly cursor?: string } = {}): Promise<ExtractionPage> {
    const query = new URLSearchParams();
    if (limit !== undefined) query.set("limit", String(limit));
    if (cursor !== undefined) query.set("cursor", cursor);
    const search = query.size === 0 ? "" : `?${query}`;
    return sendJson(this.transport, { method: "GET", path: `/v1/extractions${search}`, signal });
  }

  /** Every extraction of the account, newest first, page by page as you go. */
  async *list(options: ListOptions = {}): AsyncGenerator<ExtractionPage["data"][number]> {
    let cursor: string | undefined;
    do {
      const page = await this.page(cursor === undefined ? options : { ...options, cursor });
      yield* page.data;
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
  }
}
