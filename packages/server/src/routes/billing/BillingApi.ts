/**
 * Buying credits: endpoints that the account's groups contain, and webhooks of payment services, which are authenticated
 * by their signature, not by a key or session.
 */
import { CreditPack as Pack } from "@winnow/core/domain/money/CreditPack";
import * as Schema from "effect/Schema";
import { Integer } from "@winnow/core/domain/text/Integer";
import { described, domainFields, field, titled, TextOrNull } from "../../http/openapi/described.ts";
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint";
import * as HttpApiGroup from "effect/http-api/HttpApiGroup";
import * as HttpApiSchema from "effect/http-api/HttpApiSchema";
import * as OpenApi from "effect/http-api/OpenApi";
import { InvalidRequest, NotFound, NotReady, PayloadTooLarge } from "../../http/ApiErrors.ts";
import { JsonBody } from "../../http/JsonBody.ts";

// Wire shapes of buying credits.

const CreditPack = described(
  "CreditPack",
  "A pack of credits for sale.",
  domainFields(Pack.fields, { credits: "Number of credits.", priceCents: "Price in US cents." })
);

export const BillingOffer = described("BillingOffer", "How to get more credits.", {
  methods: field(Schema.Array(Schema.String), "Payment services; empty if this server sells no credits.", [
    "stripe"
  ]),
  packs: field(Schema.Array(CreditPack), "Credit packs for sale.", [{ credits: 100_000, priceCents: 1_000 }]),
  minimumCredits: field(
    Schema.NullOr(Integer),
    "Credits of the smallest pack; null if this server sells none.",
    100_000
  ),
  note: field(TextOrNull, "The operator's note on how to get more credits; null if there is none.", null)
});

export const TopUpRequest = described("TopUpRequest", "The pack to buy.", {
  credits: field(Integer, "Credits of one of the packs for sale.", 100_000)
});

export const TopUpPage = described("TopUpPage", "The checkout page.", {
  url: field(
    Schema.String,
    "A page of the payment service; redirect the browser to it.",
    "https://checkout.stripe.com/c/pay/cs_test_1"
  )
});

/** Of the account: the web app shows it. */
export const BILLING_OFFER = HttpApiEndpoint.get("billing", "/billing", {
  success: BillingOffer
}).annotateMerge(
  titled("Get the credit packs", "The credits for sale, or the operator's note on how to get more.", {
    call: "billing.offer"
  })
);

/** With a web session only. */
export const START_TOP_UP = HttpApiEndpoint.post("startTopUp", "/top-ups", {
  payload: TopUpRequest,
  success: TopUpPage.pipe(HttpApiSchema.status(201)),
  error: NotReady
})
  .middleware(JsonBody)
  .annotateMerge(
    titled(
      "Buy credits",
      "Returns the URL of the payment service's checkout page. Credits are added when that service " +
        "reports the payment, usually within seconds; the first purchase adds the bonus.",
      { call: "billing.topUp", retry: false }
    )
  );

const PaymentEvent = Schema.Json.annotate({
  description: "An event as the payment service defines it.",
  examples: [{ id: "evt_1", type: "checkout.session.completed", data: { object: {} } }]
});

export class PaymentsApi extends HttpApiGroup.make("payments")
  .add(
    HttpApiEndpoint.post("receivePayment", "/payments/:method", {
      params: { method: Schema.String.annotate({ description: "Name of the payment service: `stripe`." }) },
      payload: PaymentEvent,
      success: HttpApiSchema.NoContent.annotate({ description: "Recorded, or nothing to record." }),
      error: [InvalidRequest, NotFound, PayloadTooLarge, NotReady]
    }).annotateMerge(
      titled(
        "Receive a payment event",
        "Called by the payment service. The raw body is verified against its signature. Each payment is " +
          "credited once, no matter how often or in which order its events arrive; refunds and disputes " +
          "become adjustments."
      )
    )
  )
  .annotateMerge(OpenApi.annotations({ description: "Webhooks of payment services." })) {}
