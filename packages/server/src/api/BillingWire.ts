/**
 * Wire shapes of selling credits.
 */
import { CreditPack as Pack } from "@winnow/core/domain/CreditPack";
import * as Schema from "effect/Schema";
import { described } from "./described.ts";

const CreditPack = described(Pack.fields, {
  identifier: "CreditPack",
  description: "Credits as they are sold.",
  fields: { credits: "How many.", priceCents: "For how many US cents." }
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
    description: "How the account gets more credits.",
    fields: {
      methods: "Payment services; empty where the server sells nothing.",
      packs: "What is sold.",
      minimumCredits: "Of the smallest pack; null where nothing is sold.",
      note: "What the operator says about more credits; null for nothing."
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
    description: "What to buy.",
    fields: { credits: "Of one of the packs on offer." },
    examples: [{ credits: 100_000 }]
  }
);

export const TopUpPage = described(
  { url: Schema.String },
  {
    identifier: "TopUpPage",
    description: "Where it is paid.",
    fields: { url: "A page of the payment service; send the browser there." },
    examples: [{ url: "https://checkout.stripe.com/c/pay/cs_test_1" }]
  }
);
