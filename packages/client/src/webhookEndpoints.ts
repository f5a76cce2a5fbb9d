/** Receivers of the account's events. What they do with them is `@winnow/client/webhooks`. */
import type { Call } from "./call.ts";
import type {
  CreatedWebhookEndpoint,
  RotatedWebhookSecret,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEndpointBody,
  WebhookEndpointList
} from "./generated/types.ts";
import { itemPath } from "./itemPath.ts";
import { sendJson, type RequestOptions, type Transport } from "./request.ts";
import { postOnce, type SubmitOptions } from "./submission.ts";

const PATH = "/v1/webhook-endpoints";
const pathOf = (id: string, rest?: string) => itemPath(PATH, "endpoint", id, rest);

export class WebhookEndpoints {
  private readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /** Its `secret` is shown only once, and not at all when the URL was registered before. */
  create(
    body: WebhookEndpointBody,
    options: SubmitOptions = {}
  ): Call<WebhookEndpoint & Partial<Pick<CreatedWebhookEndpoint, "secret">>> {
    return postOnce(this.transport, PATH, body, options);
  }

  /** All there are: 5 at most. */
  page(options: RequestOptions = {}): Call<WebhookEndpointList> {
    return sendJson(this.transport, { method: "GET", path: PATH, ...options });
  }

  /** In the order of registration. */
  async *list(options: RequestOptions = {}): AsyncGenerator<WebhookEndpoint> {
    yield* (await this.page(options)).data;
  }

  /** What is on its way there is given up; the log stays. */
  delete(id: string, options: RequestOptions = {}): Call<void> {
    return sendJson(this.transport, { method: "DELETE", path: pathOf(id), ...options });
  }

  /** Sends the event `test` there. */
  test(id: string, options: RequestOptions = {}): Call<WebhookDelivery> {
    return sendJson(this.transport, { method: "POST", path: pathOf(id, "/test"), ...options });
  }

  /**
   * For 24 hours both secrets sign. Never tried again by itself: a second rotation would end the secret that
   * you use.
   */
  rotateSecret(id: string, options: RequestOptions = {}): Call<RotatedWebhookSecret> {
    const once = { ...this.transport, maxRetries: 0 };
    return sendJson(once, { method: "POST", path: pathOf(id, "/rotate-secret"), ...options });
  }

  /** After it was disabled for failing; see `notice`. */
  enable(id: string, options: RequestOptions = {}): Call<WebhookEndpoint> {
    return sendJson(this.transport, { method: "POST", path: pathOf(id, "/enable"), ...options });
  }
}
