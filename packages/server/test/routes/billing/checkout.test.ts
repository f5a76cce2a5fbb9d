import { makeStripe } from "@winnow/adapters/accounts/StripeCheckout";
import { suite } from "@winnow/testing/suites/CheckoutSuite";
import * as Effect from "effect/Effect";
import * as Redacted from "effect/Redacted";
import { signedEvent, startFakeStripe, WEBHOOK_SECRET } from "../../FakeStripe.ts";

const noticeOf = (type: string, object: object) =>
  Effect.promise(async () => {
    const { body, signature } = await signedEvent(type, object);
    return { body: new TextEncoder().encode(body), headers: { "stripe-signature": signature } };
  });

suite(
  "Stripe",
  Effect.map(startFakeStripe, ({ api, payments, setAway }) => ({
    checkout: makeStripe({
      secretKey: Redacted.make("sk_test_1"),
      webhookSecret: Redacted.make(WEBHOOK_SECRET),
      api
    }),
    pack: { credits: 100_000, priceCents: 1_000 },
    paid: Effect.suspend(() => {
      const payment = [...payments.values()].at(-1);
      return noticeOf("checkout.session.completed", {
        id: "cs_1",
        object: "checkout.session",
        payment_intent: payment?.id,
        payment_status: "paid",
        metadata: payment?.metadata
      });
    }),
    other: noticeOf("customer.created", { id: "cus_1", object: "customer" }),
    goAway: Effect.sync(() => setAway(true))
  }))
);
