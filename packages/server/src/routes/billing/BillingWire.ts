/**
 * Wire shapes of buying credits.
 */
import { CreditPack as Pack } from "@winnow/core/domain/money/CreditPack";
import * as Schema from "effect/Schema";
import { described } from "../../http/openapi/described.ts";

const CreditPack = described(Pack.fields, {
  identifier: "CreditPack",
  description: "A pack of credits for sale.",
  fields: { credits: "Number of credits.", priceCents: "Price in US cents." }
});

export const BillingOffer = described(
  {
    methods: Schema.Array(Schema.String),
    packs: Schema.Array(CreditPack),
    minimumCredits: Schema.NullOr(Schema.Int),
    note: Schema.NullOr(Schema.String)
  },
  {
    identifier: "BillingOffer",
    description: "How to get more credits.",
    fields: {
      methods: "Payment services; empty if this server sells no credits.",
      packs: "Credit packs for sale.",
      minimumCredits: "Credits of the smallest pack; null if this server sells none.",
      note: "The operator's note on how to get more credits; null if there is none."
    },
    examples: [
      {
        methods: ["stripe"],
        packs: [{ credits: 100_000, priceCents: 1_000 }],
        minimumCredits: 100_000,
        note: null
      }
    ]
  }
);

export const TopUpRequest = described(
  { credits: Schema.Int },
  {
    identifier: "TopUpRequest",
    description: "The pack to buy.",
    fields: { credits: "Credits of one of the packs for sale." },
    examples: [{ credits: 100_000 }]
  }
);

export const TopUpPage = described(
  { url: Schema.String },
  {
    identifier: "TopUpPage",
    description: "The checkout page.",
    fields: { url: "A page of the payment service; redirect the browser to it." },
    examples: [{ url: "https://checkout.stripe.com/c/pay/cs_test_1" }]
  }
);
