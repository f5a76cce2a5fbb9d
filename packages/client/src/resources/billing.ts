/** Buying credits. Requires a web session. */
import type { Call } from "../core/call.ts";
import type { BillingOffer, TopUpPage, TopUpRequest } from "../generated/types.ts";
import { sendJson, type RequestOptions, type Transport } from "../core/request.ts";

export class Billing {
  private readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /** The credit packs for sale, or the operator's note on how to get more. Also works with an API key. */
  offer(options: RequestOptions = {}): Call<BillingOffer> {
    return sendJson(this.transport, { method: "GET", path: "/v1/billing", ...options });
  }

  /**
   * The checkout page for one of the packs: redirect the browser to it. Credits are added after the payment.
   */
  topUp(body: TopUpRequest, options: RequestOptions = {}): Call<TopUpPage> {
    return sendJson(
      { ...this.transport, maxRetries: 0 },
      { method: "POST", path: "/v1/top-ups", body, ...options }
    );
  }
}
