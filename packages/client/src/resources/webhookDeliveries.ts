/** The delivery log of the account's events, and redelivery. */
import type { Call } from "../core/call.ts";
import type {
  RedeliverAnswer,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookDeliveryPage
} from "../generated/types.ts";
import { itemPath } from "../core/itemPath.ts";
import { eachItem, getPage, type ListOptions, type PageOptions } from "../core/pages.ts";
import { sendJson, type RequestOptions, type Transport } from "../core/request.ts";

const PATH = "/v1/webhook-deliveries";
const pathOf = (id: string, rest?: string) => itemPath(PATH, "delivery", id, rest);

export interface DeliveryFilter {
  /** Filter by status. */
  readonly status?: "pending" | "delivered" | "failed" | undefined;
}

export class WebhookDeliveries {
  private readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /** One page, newest first; `cursor` is the `next_cursor` of the previous page. */
  page({ status, ...options }: PageOptions & DeliveryFilter = {}): Call<WebhookDeliveryPage> {
    return getPage(this.transport, PATH, options, status === undefined ? {} : { status });
  }

  /** Every delivery. Pages are fetched as needed. */
  list({ status, ...options }: ListOptions & DeliveryFilter = {}): AsyncGenerator<WebhookDelivery> {
    return eachItem((page) => this.page({ ...page, status }), options);
  }

  /** Includes every attempt. */
  get(id: string, options: RequestOptions = {}): Call<WebhookDeliveryDetail> {
    return sendJson(this.transport, { method: "GET", path: pathOf(id), ...options });
  }

  /** Sends the same body again at once. */
  redeliver(id: string, options: RequestOptions = {}): Call<WebhookDelivery> {
    return sendJson(this.transport, { method: "POST", path: pathOf(id, "/redeliver"), ...options });
  }

  /** Sends all failed deliveries of events since a time again. */
  redeliverFailed({
    since,
    ...options
  }: RequestOptions & { readonly since: Date | string }): Call<RedeliverAnswer> {
    const body = { since: typeof since === "string" ? since : since.toISOString() };
    return sendJson(this.transport, { method: "POST", path: `${PATH}/redeliver`, body, ...options });
  }
}
