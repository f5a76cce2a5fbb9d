/** What became of the account's events, and sending them again. */
import type { Call } from "./call.ts";
import type {
  RedeliverAnswer,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookDeliveryPage
} from "./generated/types.ts";
import { itemPath } from "./itemPath.ts";
import { eachItem, getPage, type ListOptions, type PageOptions } from "./pages.ts";
import { sendJson, type RequestOptions, type Transport } from "./request.ts";

const PATH = "/v1/webhook-deliveries";
const pathOf = (id: string, rest?: string) => itemPath(PATH, "delivery", id, rest);

export interface DeliveryFilter {
  /** Only those. */
  readonly status?: "pending" | "delivered" | "failed" | undefined;
}

export class WebhookDeliveries {
  private readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /** One page, newest first; `cursor` is an earlier page's `next_cursor`. */
  page({ status, ...options }: PageOptions & DeliveryFilter = {}): Call<WebhookDeliveryPage> {
    return getPage(this.transport, PATH, options, status === undefined ? {} : { status });
  }

  /** Every delivery, page by page as you go. */
  list({ status, ...options }: ListOptions & DeliveryFilter = {}): AsyncGenerator<WebhookDelivery> {
    return eachItem((page) => this.page({ ...page, status }), options);
  }

  /** With every attempt that was made. */
  get(id: string, options: RequestOptions = {}): Call<WebhookDeliveryDetail> {
    return sendJson(this.transport, { method: "GET", path: pathOf(id), ...options });
  }

  /** Sends the same body again, now. */
  redeliver(id: string, options: RequestOptions = {}): Call<WebhookDelivery> {
    return sendJson(this.transport, { method: "POST", path: pathOf(id, "/redeliver"), ...options });
  }

  /** The same for all that failed, of events that happened since. */
  redeliverFailed({
    since,
    ...options
  }: RequestOptions & { readonly since: Date | string }): Call<RedeliverAnswer> {
    const body = { since: typeof since === "string" ? since : since.toISOString() };
    return sendJson(this.transport, { method: "POST", path: `${PATH}/redeliver`, body, ...options });
  }
}
