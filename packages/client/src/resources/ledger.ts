/** Every change of the account's balance. */
import type { Call } from "../core/call.ts";
import type { LedgerPage } from "../generated/types.ts";
import { eachItem, getPage, type ListOptions, type PageOptions } from "../core/pages.ts";
import type { Transport } from "../core/request.ts";

export class Ledger {
  private readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /** One page, newest first; `cursor` is the `next_cursor` of the previous page. */
  page(options: PageOptions = {}): Call<LedgerPage> {
    return getPage(this.transport, "/v1/ledger", options);
  }

  /** Every entry of the account, newest first. Pages are fetched as needed. */
  list(options: ListOptions = {}): AsyncGenerator<LedgerPage["data"][number]> {
    return eachItem((page) => this.page(page), options);
  }
}
