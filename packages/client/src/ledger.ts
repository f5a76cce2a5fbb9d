/** Every movement of the account's credits. */
import type { Call } from "./call.ts";
import type { LedgerPage } from "./generated/types.ts";
import { eachItem, getPage, type ListOptions, type PageOptions } from "./pages.ts";
import type { Transport } from "./request.ts";

export class Ledger {
  private readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /** One page, newest first; `cursor` is an earlier page's `next_cursor`. */
  page(options: PageOptions = {}): Call<LedgerPage> {
    return getPage(this.transport, "/v1/ledger", options);
  }

  /** Every entry of the account, newest first, page by page as you go. */
  list(options: ListOptions = {}): AsyncGenerator<LedgerPage["data"][number]> {
    return eachItem((page) => this.page(page), options);
  }
}
