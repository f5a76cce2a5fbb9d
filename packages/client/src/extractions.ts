/** Extractions: reads, the wait for their end, and ending them early. */
import type {
  CompleteResult,
  ExtractionDetail,
  ExtractionPage,
  FailedResult,
  PendingResult
} from "./generated/types.ts";
import { eachItem, getPage, type ListOptions, type PageOptions } from "./pages.ts";
import { send, sendJson, type RequestOptions, type Transport } from "./request.ts";
import { Pacer, poll, type WaitOptions } from "./wait.ts";

/** A result that will not change. */
export type TerminalResult = CompleteResult | FailedResult;

const isPending = (result: TerminalResult | PendingResult): result is PendingResult =>
  result.status !== "complete" && result.status !== "failed";

const PATH = "/v1/extractions";
const pathOf = (id: string): string => `${PATH}/${encodeURIComponent(id)}`;

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
  page(options: PageOptions = {}): Promise<ExtractionPage> {
    return getPage(this.transport, PATH, options);
  }

  /** Every extraction of the account, newest first, page by page as you go. */
  list(options: ListOptions = {}): AsyncGenerator<ExtractionPage["data"][number]> {
    return eachItem((page) => this.page(page), options);
  }

  /** Stops it with a full refund; one that is over is answered as it is. */
  cancel(id: string, options: RequestOptions = {}): Promise<ExtractionDetail> {
    return sendJson(this.transport, { method: "POST", path: `${pathOf(id)}/cancel`, ...options });
  }

  /** Cancels a live one first. Result, files and prompt go for good; ledger entries stay. */
  async delete(id: string, options: RequestOptions = {}): Promise<void> {
    await send(this.transport, { method: "DELETE", path: pathOf(id), ...options });
  }
}
