/**
 * Endpoints that receive the account's events, and the log of deliveries. Receivers verify them with
 * `@winnow/client/webhooks`.
 */
import type { Call, RequestOptions } from "../core/request.ts";
import type {
  CreatedWebhookEndpoint,
  RedeliverAnswer,
  RotatedWebhookSecret,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookDeliveryPage,
  WebhookEndpoint,
  WebhookEndpointBody,
  WebhookEndpointList
} from "../generated/types.ts";
import { itemPath } from "../core/itemPath.ts";
import { eachItem, Resource, type ListOptions, type PageOptions } from "../core/resource.ts";
import { postOnce, type SubmitOptions } from "./submission.ts";

const ENDPOINTS = "/v1/webhook-endpoints";
const endpointPath = (id: string, rest?: string) => itemPath(ENDPOINTS, "endpoint", id, rest);

export class WebhookEndpoints extends Resource {
  /** The returned `secret` is shown only once, and is absent if the URL was already registered. */
  create(
    body: WebhookEndpointBody,
    options: SubmitOptions = {}
  ): Call<WebhookEndpoint & Partial<Pick<CreatedWebhookEndpoint, "secret">>> {
    return postOnce(this.transport, ENDPOINTS, body, options);
  }

  /** All endpoints; at most 5 by default. */
  page(options: RequestOptions = {}): Call<WebhookEndpointList> {
    return this.send("GET", ENDPOINTS, options);
  }

  /** In the order of registration. */
  async *list(options: RequestOptions = {}): AsyncGenerator<WebhookEndpoint> {
    yield* (await this.page(options)).data;
  }

  /** Cancels pending deliveries to it; the log is kept. */
  delete(id: string, options: RequestOptions = {}): Call<void> {
    return this.send("DELETE", endpointPath(id), options);
  }

  /** Sends the event `test` to the endpoint. */
  test(id: string, options: RequestOptions = {}): Call<WebhookDelivery> {
    return this.send("POST", endpointPath(id, "/test"), options);
  }

  /**
   * For 24 hours, deliveries are signed with both secrets. Never retried automatically: a second rotation
   * would invalidate the secret you use.
   */
  rotateSecret(id: string, options: RequestOptions = {}): Call<RotatedWebhookSecret> {
    return this.send("POST", endpointPath(id, "/rotate-secret"), { maxRetries: 0, ...options });
  }

  /** Enables an endpoint that was disabled after failures; see `notice`. */
  enable(id: string, options: RequestOptions = {}): Call<WebhookEndpoint> {
    return this.send("POST", endpointPath(id, "/enable"), options);
  }
}

const DELIVERIES = "/v1/webhook-deliveries";
const deliveryPath = (id: string, rest?: string) => itemPath(DELIVERIES, "delivery", id, rest);

export interface DeliveryFilter {
  /** Filter by status. */
  readonly status?: "pending" | "delivered" | "failed" | undefined;
}

export class WebhookDeliveries extends Resource {
  /** One page, newest first; `cursor` is the `next_cursor` of the previous page. */
  page({ status, ...options }: PageOptions & DeliveryFilter = {}): Call<WebhookDeliveryPage> {
    return this.pageOf(DELIVERIES, options, { status });
  }

  /** Every delivery. Pages are fetched as needed. */
  list(options: ListOptions & DeliveryFilter = {}): AsyncGenerator<WebhookDelivery> {
    return eachItem((page) => this.page(page), options);
  }

  /** Includes every attempt. */
  get(id: string, options: RequestOptions = {}): Call<WebhookDeliveryDetail> {
    return this.send("GET", deliveryPath(id), options);
  }

  /** Sends the same body again at once. */
  redeliver(id: string, options: RequestOptions = {}): Call<WebhookDelivery> {
    return this.send("POST", deliveryPath(id, "/redeliver"), options);
  }

  /** Sends all failed deliveries of events since a time again. */
  redeliverFailed({
    since,
    ...options
  }: RequestOptions & { readonly since: Date | string }): Call<RedeliverAnswer> {
    const body = { since: typeof since === "string" ? since : since.toISOString() };
    return this.send("POST", `${DELIVERIES}/redeliver`, { body, ...options });
  }
}
