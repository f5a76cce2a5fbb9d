/** More credits for the account: for a person who is signed in. */
import type { Call } from "./call.ts";
import type { BillingOffer, TopUpPage, TopUpRequest } from "./generated/types.ts";
import { sendJson, type RequestOptions, type Transport } from "./request.ts";

export class Billing {
  private readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /** What is sold, or what the operator says about more credits. API keys may ask, too. */
  offer(options: RequestOptions = {}): Call<BillingOffer> {
    return sendJson(this.transport, { method: "GET", path: "/v1/billing", ...options });
  }

  /** The payment page for one of the packs: send the browser there. Credits come once it was paid. */
  topUp(body: TopUpRequest, options: RequestOptions = {}): Call<TopUpPage> {
    return sendJson(
      { ...this.transport, maxRetries: 0 },
      { method: "POST", path: "/v1/top-ups", body, ...options }
    );
  }
}
