/**
 * Reads events of Stripe's webhooks as far as they concern payments. Everything else is ignored, whatever its shape,
 * because Stripe repeats for days what is not accepted. Tests: the server's billing.test.ts.
 */
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";

const Id = Schema.String.check(Schema.isPattern(/^[\x21-\x7e]{1,255}$/u));

/** An id, or the object itself. */
const Reference = Schema.NullOr(Schema.Union([Id, Schema.Struct({ id: Id })]));

/** In the smallest unit of the payment's currency. */
const Amount = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0));

export const Metadata = Schema.NullOr(Schema.Record(Schema.String, Schema.String));

const Session = Schema.Struct({
  payment_intent: Reference,
  payment_status: Schema.String,
  metadata: Metadata
});

const Refund = Schema.Struct({
  id: Id,
  amount: Amount,
  status: Schema.optionalKey(Schema.NullOr(Schema.String)),
  payment_intent: Reference
});

const Dispute = Schema.Struct({ id: Id, amount: Amount, payment_intent: Reference });

const EventDocument = Schema.fromJsonString(
  Schema.Struct({ type: Schema.String, data: Schema.Struct({ object: Schema.Unknown }) })
);

/** A session of Checkout that completed, or whose money arrived. */
export interface PaidSession {
  readonly _tag: "PaidSession";
  readonly paymentId: string;
  readonly metadata: typeof Metadata.Type;
}

/** Money that went back: a refund, or an amount held by a dispute. */
export interface MoneyBack {
  readonly _tag: "MoneyBack";
  readonly id: string;
  readonly kind: "refund" | "dispute";
  readonly paymentId: string;
  /** In the smallest unit of the payment's currency; 0 if it was resolved in our favour. */
  readonly amount: number;
  readonly isFinal: boolean;
}

const idOf = (reference: typeof Reference.Type): string | null =>
  typeof reference === "string" ? reference : (reference?.id ?? null);

const paidSession = ({ payment_intent, payment_status, metadata }: typeof Session.Type) => {
  const paymentId = idOf(payment_intent);
  // For a bank transfer, the session completes before the money arrives.
  return paymentId === null || payment_status !== "paid"
    ? null
    : ({ _tag: "PaidSession", paymentId, metadata } satisfies PaidSession);
};

const moneyBack = (
  kind: MoneyBack["kind"],
  { id, amount, payment_intent }: typeof Dispute.Type,
  isReversed: boolean
): MoneyBack | null => {
  const paymentId = idOf(payment_intent);
  return paymentId === null
    ? null
    : { _tag: "MoneyBack", id, kind, paymentId, amount: isReversed ? 0 : amount, isFinal: isReversed };
};

const decodeEvent = Schema.decodeUnknownOption(EventDocument);
const decodeSession = Schema.decodeUnknownOption(Session);
const decodeRefund = Schema.decodeUnknownOption(Refund);
const decodeDispute = Schema.decodeUnknownOption(Dispute);

const read = (type: string, object: unknown): Option.Option<PaidSession | MoneyBack | null> => {
  switch (type) {
    case "checkout.session.completed":
    case "checkout.session.async_payment_succeeded":
      return Option.map(decodeSession(object), paidSession);
    case "refund.created":
    case "refund.updated":
    case "refund.failed":
      return Option.map(decodeRefund(object), (refund) =>
        moneyBack("refund", refund, refund.status === "failed" || refund.status === "canceled")
      );
    case "charge.dispute.funds_withdrawn":
    case "charge.dispute.funds_reinstated":
      return Option.map(decodeDispute(object), (dispute) =>
        moneyBack("dispute", dispute, type === "charge.dispute.funds_reinstated")
      );
    default:
      return Option.none();
  }
};

/** Null if the text is no event that concerns a payment. */
export const readEvent = (text: string): PaidSession | MoneyBack | null =>
  Option.getOrNull(Option.flatMap(decodeEvent(text), ({ type, data }) => read(type, data.object)));
