/** Endpoints that receive the account's events. Receivers verify them with `@winnow/client/webhooks`. */
import type { Call } from "../core/call.ts";
import type {
  CreatedWebhookEndpoint,
  RotatedWebhookSecret,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEndpointBody,
  WebhookEndpointList
} from "../generated/types.ts";
import { itemPath } from "../core/itemPath.ts";
import { sendJson, type RequestOptions, type Transport } from "../core/request.ts";
import { postOnce, type SubmitOptions } from "./submission.ts";

const PATH = "/v1/webhook-endpoints";
const pathOf = (id: string, rest?: string) => itemPath(PATH, "endpoint", id, rest);

export class WebhookEndpoints {
  private readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /** The returned `secret` is shown only once, and is absent if the URL was already registered. */
  create(
    body: WebhookEndpointBody,
    options: SubmitOptions = {}
  ): Call<WebhookEndpoint & Partial<Pick<CreatedWebhookEndpoint, "secret">>> {
    return postOnce(this.transport, PATH, body, options);
  }

  /** All endpoints; at most 5 by default. */
  page(options: RequestOptions = {}): Call<WebhookEndpointList> {
    return sendJson(this.transport, { method: "GET", path: PATH, ...options });
  }

  /** In the order of registration. */
  async *list(options: RequestOptions = {}): AsyncGenerator<WebhookEndpoint> {
    yield* (await this.page(options)).data;
  }

  /** Cancels pending deliveries to it; the log is kept. */
  delete(id: string, options: RequestOptions = {}): Call<void> {
    return sendJson(this.transport, { method: "DELETE", path: pathOf(id), ...options });
  }

  /** Sends the event `test` to the endpoint. */
  test(id: string, options: RequestOptions = {}): Call<WebhookDelivery> {
    return sendJson(this.transport, { method: "POST", path: pathOf(id, "/test"), ...options });
  }

  /**
   * For 24 hours, deliveries are signed with both secrets. Never retried automatically: a second rotation
   * would invalidate the secret you use.
   */
  rotateSecret(id: string, options: RequestOptions = {}): Call<RotatedWebhookSecret> {
    const once = { ...this.transport, maxRetries: 0 };
    return sendJson(once, { method: "POST", path: pathOf(id, "/rotate-secret"), ...options });
  }

  /** Enables an endpoint that was disabled after failures; see `notice`. */
  enable(id: string, options: RequestOptions = {}): Call<WebhookEndpoint> {
    return sendJson(this.transport, { method: "POST", path: pathOf(id, "/enable"), ...options });
  }
}
