/** What the webhooks' methods take and give beyond the API: times as dates, endpoints in turn. */
import type { Call, RequestOptions } from "../core/request.ts";
import * as Generated from "../generated/resources.ts";
import type { RedeliverAnswer, WebhookEndpoint } from "../generated/types.ts";

export class WebhookEndpoints extends Generated.WebhookEndpoints {
  /** In the order of registration. */
  async *list(options: RequestOptions = {}): AsyncGenerator<WebhookEndpoint> {
    yield* (await this.page(options)).data;
  }
}

export class WebhookDeliveries extends Generated.WebhookDeliveries {
  /** Sends all failed deliveries of events since a time again. */
  override redeliverFailed({
    since,
    ...options
  }: RequestOptions & { readonly since: Date | string }): Call<RedeliverAnswer> {
    return super.redeliverFailed({ since: typeof since === "string" ? since : since.toISOString() }, options);
  }
}
