/**
 * Stripe Checkout with the official package: a page hosted by Stripe, and signed webhooks.
 *
 * A session stores account and credits in its payment's metadata, so that refunds and disputes, which only name the
 * payment, contain both. Refunded amounts are converted to credits by their share of the payment, in any currency.
 * Tests: the server's checkout.test.ts.
 */
import {
  CheckoutFailed,
  NoticeRefused,
  type Checkout,
  type CheckoutStart,
  type SignedNotice
} from "@winnow/core/ports/Checkout";
import type { PaymentNotice } from "@winnow/core/domain/money/Payment";
import * as Effect from "effect/Effect";
import * as Redacted from "effect/Redacted";
import { Stripe } from "stripe";
import { readEvent, type Metadata, type MoneyBack, type PaidSession } from "./StripeEvents.ts";

export interface StripeSettings {
  readonly secretKey: Redacted.Redacted;
  /** Signing secret of the webhook endpoint. */
  readonly webhookSecret: Redacted.Redacted;
  /** Base URL of Stripe's API; Stripe's own if absent. */
  readonly api?: { readonly host: string; readonly port: number; readonly protocol: "http" | "https" };
}

const STRIPE = "stripe";

const TIMEOUT_MS = 10_000;

/** Retries of failed requests, each with the same idempotency key. */
const RETRIES_MAX = 2;

const ACCOUNT = "winnow_account";
const CREDITS = "winnow_credits";

const callStripe = <A>(ask: () => Promise<A>): Effect.Effect<A, CheckoutFailed> =>
  Effect.tryPromise({ try: ask, catch: (cause) => new CheckoutFailed({ cause }) });

const sessionOf = ({
  accountId,
  pack,
  paidUrl,
  leftUrl
}: CheckoutStart): Stripe.Checkout.SessionCreateParams => ({
  mode: "payment",
  client_reference_id: accountId,
  line_items: [
    {
      quantity: 1,
      price_data: {
        currency: "usd",
        unit_amount: pack.priceCents,
        product_data: { name: `${pack.credits.toLocaleString("en")} credits` }
      }
    }
  ],
  payment_intent_data: { metadata: { [ACCOUNT]: accountId, [CREDITS]: String(pack.credits) } },
  metadata: { [ACCOUNT]: accountId, [CREDITS]: String(pack.credits) },
  success_url: paidUrl,
  cancel_url: leftUrl
});

/** Null for sales of another system with the same Stripe account. */
const soldIn = (metadata: typeof Metadata.Type) => {
  const accountId = metadata?.[ACCOUNT];
  const credits = Number(metadata?.[CREDITS]);
  return accountId === undefined || !Number.isSafeInteger(credits) || credits < 1
    ? null
    : { accountId, credits };
};

const paidIn = ({ paymentId, metadata }: PaidSession): ReadonlyArray<PaymentNotice> => {
  const sold = soldIn(metadata);
  return sold === null ? [] : [{ _tag: "Paid", paymentId, ...sold }];
};

const isUnknown = ({ cause }: CheckoutFailed): boolean =>
  cause instanceof Stripe.errors.StripeError && cause.statusCode === 404;

const makeReturnedMoney = (stripe: Stripe) =>
  Effect.fnUntraced(function* ({ id, kind, paymentId, amount, isFinal }: MoneyBack) {
    const payment = yield* callStripe(() => stripe.paymentIntents.retrieve(paymentId)).pipe(
      Effect.catchIf(isUnknown, () => Effect.succeed(null))
    );
    const sold = payment === null ? null : soldIn(payment.metadata);
    if (payment === null || sold === null) return [];
    const share = Math.min(1, amount / Math.max(1, payment.amount_received || payment.amount));
    const credits = Math.round(sold.credits * share);
    return [
      { _tag: "Returned", paymentId, accountId: sold.accountId, kind, returnId: id, credits, isFinal }
    ] satisfies ReadonlyArray<PaymentNotice>;
  });

export const makeStripe = ({ secretKey, webhookSecret, api }: StripeSettings): Checkout => {
  const stripe = new Stripe(Redacted.value(secretKey), {
    timeout: TIMEOUT_MS,
    maxNetworkRetries: RETRIES_MAX,
    telemetry: false,
    ...api
  });
  const returned = makeReturnedMoney(stripe);

  const verified = ({ body, headers }: SignedNotice) =>
    Effect.tryPromise({
      try: async () => {
        const { signature } = stripe.webhooks;
        if (signature === null) throw new Error("the package verifies no signatures");
        const sent = headers["stripe-signature"] ?? "";
        await signature.verifyHeaderAsync(Buffer.from(body), sent, Redacted.value(webhookSecret));
        return Buffer.from(body).toString();
      },
      catch: () =>
        new NoticeRefused({
          message:
            "The signature is invalid or too old; check STRIPE_WEBHOOK_SECRET and the clock of this server."
        })
    });

  return {
    name: STRIPE,

    start: Effect.fn("Stripe.start")(function* (request) {
      const { url } = yield* callStripe(() => stripe.checkout.sessions.create(sessionOf(request)));
      if (url === null) return yield* new CheckoutFailed({ cause: new Error("a session without a page") });
      return { url };
    }),

    read: Effect.fn("Stripe.read")(function* (notice) {
      const event = readEvent(yield* verified(notice));
      if (event === null) return [];
      return event._tag === "PaidSession" ? paidIn(event) : yield* returned(event);
    })
  };
};
