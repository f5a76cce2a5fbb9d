/**
 * Stripe Checkout with the official package: a page hosted by Stripe, and signed webhooks.
 *
 * A session stores account and credits in its payment's metadata, so that refunds and disputes, which only name the
 * payment, contain both. Refunded amounts are converted to credits by their share of the payment, in any currency.
 */
import {
  CheckoutFailed,
  NoticeRefused,
  type Checkout,
  type CheckoutStart,
  type SignedNotice
} from "@winnow/core/ports/Checkout";
import type { PaymentNotice } from "@winnow/core/domain/Payment";
import * as Effect from "effect/Effect";
import * as Redacted from "effect/Redacted";
import { Stripe } from "stripe";

export interface StripeSettings {
  readonly secretKey: Redacted.Redacted;
  /** Signing secret of the webhook endpoint. */
  readonly webhookSecret: Redacted.Redacted;
  /** Base URL of Stripe's API; Stripe's own if absent. */
  readonly api?: { readonly host: string; readonly port: number; readonly protocol: "http" | "https" };
}

export const STRIPE = "stripe";

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

type Metadata = Readonly<Record<string, string>> | null;

/** Null for sales of another system with the same Stripe account. */
const soldIn = (metadata: Metadata) => {
  const accountId = metadata?.[ACCOUNT];
  const credits = Number(metadata?.[CREDITS]);
  return accountId === undefined || !Number.isSafeInteger(credits) || credits < 1
    ? null
    : { accountId, credits };
};

const idOf = (value: string | { readonly id: string } | null): string | null =>
  typeof value === "string" ? value : (value?.id ?? null);

const paidIn = (session: Stripe.Checkout.Session): ReadonlyArray<PaymentNotice> => {
  const sold = soldIn(session.metadata);
  const paymentId = idOf(session.payment_intent);
  // For a bank transfer, the session completes before the money arrives.
  return sold === null || paymentId === null || session.payment_status !== "paid"
    ? []
    : [{ _tag: "Paid", paymentId, ...sold }];
};

/** Money that went back: a refund, or an amount held by a dispute. */
interface MoneyBack {
  readonly id: string;
  readonly kind: "refund" | "dispute";
  readonly paymentId: string | null;
  /** In the smallest unit of the payment's currency; 0 if it was resolved in our favour. */
  readonly amount: number;
  readonly isFinal: boolean;
}

const refundOf = ({ id, amount, status, payment_intent }: Stripe.Refund): MoneyBack => {
  const isNothing = status === "failed" || status === "canceled";
  return {
    id,
    kind: "refund",
    paymentId: idOf(payment_intent),
    amount: isNothing ? 0 : amount,
    isFinal: isNothing
  };
};

const disputeOf = ({ id, amount, payment_intent }: Stripe.Dispute, isReinstated: boolean): MoneyBack => ({
  id,
  kind: "dispute",
  paymentId: idOf(payment_intent),
  amount: isReinstated ? 0 : amount,
  isFinal: isReinstated
});

const moneyBackOf = (event: Stripe.Event): MoneyBack | null => {
  switch (event.type) {
    case "refund.created":
    case "refund.updated":
    case "refund.failed":
      return refundOf(event.data.object);
    case "charge.dispute.funds_withdrawn":
      return disputeOf(event.data.object, false);
    case "charge.dispute.funds_reinstated":
      return disputeOf(event.data.object, true);
    default:
      return null;
  }
};

const makeReturnedMoney = (stripe: Stripe) =>
  Effect.fnUntraced(function* ({ id, kind, paymentId, amount, isFinal }: MoneyBack) {
    if (paymentId === null) return [];
    const payment = yield* callStripe(() => stripe.paymentIntents.retrieve(paymentId));
    const sold = soldIn(payment.metadata);
    if (sold === null) return [];
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
      try: () =>
        stripe.webhooks.constructEventAsync(
          Buffer.from(body),
          headers["stripe-signature"] ?? "",
          Redacted.value(webhookSecret)
        ),
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
      const event = yield* verified(notice);
      if (
        event.type === "checkout.session.completed" ||
        event.type === "checkout.session.async_payment_succeeded"
      ) {
        return paidIn(event.data.object);
      }
      const back = moneyBackOf(event);
      return back === null ? [] : yield* returned(back);
    })
  };
};
