/** The delivery of one event to one receiver, and its attempts. Tests: WebhookDispatcher.test.ts. */
import * as Schema from "effect/Schema";

export const WebhookEventName = Schema.Literals([
  "extraction.completed",
  "extraction.failed",
  "batch.completed",
  "test"
]).annotate({ identifier: "WebhookEventName" });
export type WebhookEventName = typeof WebhookEventName.Type;

export const DeliveryStatus = Schema.Literals(["pending", "delivered", "failed"]).annotate({
  identifier: "DeliveryStatus"
});
export type DeliveryStatus = typeof DeliveryStatus.Type;

/** Delays before attempts, in seconds: the first is immediate; after the last the delivery has failed. */
export const RETRY_AFTER_SECONDS: ReadonlyArray<number> = [30, 120, 600];

/** Maximum attempts of a delivery. */
export const DELIVERY_ATTEMPTS_MAX = RETRY_AFTER_SECONDS.length + 1;

/** A delivery as shown in lists. */
export const DeliverySummary = Schema.Struct({
  id: Schema.String,
  accountId: Schema.String,
  event: WebhookEventName,
  /** Null for `batch.completed` and `test`. */
  extractionId: Schema.NullOr(Schema.String),
  /** Null for a per-run `webhookUrl`. */
  endpointId: Schema.NullOr(Schema.String),
  url: Schema.String,
  status: DeliveryStatus,
  /** Number of attempts so far, including redeliveries. */
  attemptCount: Schema.Int,
  /** HTTP status of the last attempt; null before the first, and if there was no response. */
  lastStatus: Schema.NullOr(Schema.Int),
  /** Remaining attempts; a redelivery resets them. */
  attemptsLeft: Schema.Int,
  /** Null once delivered or failed. */
  nextAttemptAtMs: Schema.NullOr(Schema.Int),
  /** Why it failed although attempts were left; null otherwise. */
  failureNote: Schema.NullOr(Schema.String),
  createdAtMs: Schema.Int
});
export type DeliverySummary = typeof DeliverySummary.Type;

export const WebhookDelivery = Schema.Struct({
  ...DeliverySummary.fields,
  /**
   * JSON text of `{event, data}`: every attempt sends its UTF-8 bytes. Null after its extraction was deleted, when
   * it cannot be sent again.
   */
  body: Schema.NullOr(Schema.String)
});
export type WebhookDelivery = typeof WebhookDelivery.Type;

export const DeliveryAttempt = Schema.Struct({
  atMs: Schema.Int,
  /** Those that name and sign the delivery; empty if nothing could be sent. */
  requestHeaders: Schema.Record(Schema.String, Schema.String),
  /** HTTP status; null without a response. */
  status: Schema.NullOr(Schema.Int),
  /** Description of the error; null if delivered. */
  error: Schema.NullOr(Schema.String),
  durationMs: Schema.Int,
  /** The first 1 KB of the response; null without a response. */
  responseSnippet: Schema.NullOr(Schema.String)
});
export type DeliveryAttempt = typeof DeliveryAttempt.Type;

/** Why a pending delivery cannot be sent. */
export const EXTRACTION_DELETED = "The extraction was deleted before the delivery succeeded.";
export const ENDPOINT_REMOVED = "The endpoint was removed before the delivery succeeded.";
export const ENDPOINT_DISABLED = "The endpoint was disabled after days of failed deliveries.";

/** Makes it due immediately, with all attempts. */
export const freshSchedule = (
  nowMs: number
): Pick<WebhookDelivery, "status" | "attemptsLeft" | "nextAttemptAtMs" | "failureNote"> => ({
  status: "pending",
  attemptsLeft: DELIVERY_ATTEMPTS_MAX,
  nextAttemptAtMs: nowMs,
  failureNote: null
});

/** Any 2xx response acknowledges a delivery; everything else, including redirects, does not. */
export const isAcknowledged = ({ status }: Pick<DeliveryAttempt, "status">): boolean =>
  status !== null && status >= 200 && status < 300;

/** The delivery after an attempt that ended at `nowMs`. */
export const afterAttempt = (
  delivery: WebhookDelivery,
  attempt: DeliveryAttempt,
  nowMs: number
): WebhookDelivery => {
  const attemptsLeft = delivery.attemptsLeft - 1;
  const counted = {
    ...delivery,
    attemptCount: delivery.attemptCount + 1,
    lastStatus: attempt.status,
    attemptsLeft
  };
  if (isAcknowledged(attempt)) return { ...counted, status: "delivered", nextAttemptAtMs: null };
  const waitSeconds = RETRY_AFTER_SECONDS[DELIVERY_ATTEMPTS_MAX - attemptsLeft - 1];
  return attemptsLeft <= 0 || waitSeconds === undefined
    ? { ...counted, status: "failed", nextAttemptAtMs: null }
    : { ...counted, nextAttemptAtMs: nowMs + waitSeconds * 1_000 };
};

/** A pending delivery that will not be sent. */
export const abandoned = (delivery: WebhookDelivery, failureNote: string): WebhookDelivery => ({
  ...delivery,
  status: "failed",
  nextAttemptAtMs: null,
  failureNote
});

/**
 * The unit of the limit on concurrent attempts: a registered endpoint or, for per-run URLs of an account, the URL
 * without its parameters.
 */
export const receiverOf = ({
  accountId,
  endpointId,
  url
}: Pick<WebhookDelivery, "accountId" | "endpointId" | "url">): string =>
  endpointId ?? `${accountId} ${url.replace(/[?#].*$/su, "")}`;
