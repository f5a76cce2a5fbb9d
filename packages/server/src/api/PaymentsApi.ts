/**
 * Where payment services tell what was paid (contract 11). No key and no session: a signature.
 */
import * as Schema from "effect/Schema";
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint";
import * as HttpApiGroup from "effect/http-api/HttpApiGroup";
import * as HttpApiSchema from "effect/http-api/HttpApiSchema";
import * as OpenApi from "effect/http-api/OpenApi";
import { InternalError, InvalidRequest, NotFound, NotReady, PayloadTooLarge } from "./ApiErrors.ts";

export class PaymentsApi extends HttpApiGroup.make("payments")
  .add(
    HttpApiEndpoint.post("receivePayment", "/payments/:method", {
      params: { method: Schema.String.annotate({ description: "Name of the payment service: `stripe`." }) },
      success: HttpApiSchema.NoContent.annotate({ description: "Booked, or nothing to book." }),
      error: [InvalidRequest, NotFound, PayloadTooLarge, InternalError, NotReady]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Tell of a payment",
        description:
          "For the payment service. The body is taken as it is and checked against its signature. Each payment is " +
          "credited once, however often and in whatever order it is told; refunds and disputes are adjustments."
      })
    )
  )
  .annotateMerge(OpenApi.annotations({ description: "What payment services tell." })) {}
