/**
 * Webhooks of payment services. Authenticated by their signature, not by a key or session.
 */
import * as Schema from "effect/Schema";
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint";
import * as HttpApiGroup from "effect/http-api/HttpApiGroup";
import * as HttpApiSchema from "effect/http-api/HttpApiSchema";
import * as OpenApi from "effect/http-api/OpenApi";
import { InvalidRequest, NotFound, NotReady, PayloadTooLarge } from "../../http/ApiErrors.ts";

export class PaymentsApi extends HttpApiGroup.make("payments")
  .add(
    HttpApiEndpoint.post("receivePayment", "/payments/:method", {
      params: { method: Schema.String.annotate({ description: "Name of the payment service: `stripe`." }) },
      success: HttpApiSchema.NoContent.annotate({ description: "Recorded, or nothing to record." }),
      error: [InvalidRequest, NotFound, PayloadTooLarge, NotReady]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Receive a payment event",
        description:
          "Called by the payment service. The raw body is verified against its signature. Each payment is " +
          "credited once, no matter how often or in which order its events arrive; refunds and disputes " +
          "become adjustments."
      })
    )
  )
  .annotateMerge(OpenApi.annotations({ description: "Webhooks of payment services." })) {}
