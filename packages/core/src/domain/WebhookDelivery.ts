/**
 * One event on its way to one receiver, and the attempts that were made (specification, "Delivery and
 * retries"; contract 7, 8).
 */
import * as Schema from "effect/Schema";

export const WebhookEventName = Schema.Literals([
  "extraction.completed",
  "extraction.failed",
  "test"
]).annotate({ identifier: "WebhookEventName" });
export type WebhookEventName = typeof WebhookEventName.Type;

export const DeliveryStatus = Schema.Literals(["pending", "delivered", "failed"]).annotate({
  identifier: "DeliveryStatus"
});
export type DeliveryStatus = typeof DeliveryStatus.Type;

/** Between attempts, in seconds: the first is made at once, after the last the delivery has failed. */
export const RETRY_AFTER_SECONDS: ReadonlyArray<number> = [30, 120, 600];

/** Attempts of a delivery before it has failed. */
export const ATTEMPTS_MAX = RETRY_AFTER_SECONDS.length + 1;

const MILLISECONDS = 1_000;

/** A delivery as lists show it. */
export const DeliverySummary = Schema.Struct({
  id: Schema.String,
  accountId: Schema.String,
  event: WebhookEventName,
  /** Null for `test`. */
  extractionId: Schema.NullOr(Schema.String),
  /** Null for a per-run `webhookUrl`. */
  endpointId: Schema.NullOr(Schema.String),
  url: Schema.String,
  status: DeliveryStatus,
  /** Attempts that were made in all, redeliveries included. */
  attemptCount: Schema.Int,
  /** Attempts until it has failed; a redelivery starts with all of them again. */
  attemptsLeft: Schema.Int,
  /** Null once delivered or failed. */
  nextAttemptAtMs: Schema.NullOr(Schema.Int),
  /** Why it failed although attempts were left, in words; null otherwise. */
  failureNote: Schema.NullOr(Schema.String),
  createdAtMs: Schema.Int
});
export type DeliverySummary = typeof DeliverySummary.Type;

export const WebhookDelivery = Schema.Struct({
  ...DeliverySummary.fields,
  /**
   * JSON text of `{event, data}`: its UTF-8 bytes are what every attempt sends. Null once its extraction
   * was deleted: it cannot be sent again.
   */
  body: Schema.NullOr(Schema.String)
});
export type WebhookDelivery = typeof WebhookDelivery.Type;

export const DeliveryAttempt = Schema.Struct({
  atMs: Schema.Int,
  /** HTTP status; null when there was no answer. */
  status: Schema.NullOr(Schema.Int),
  /** In words; null when it was delivered. */
  error: Schema.NullOr(Schema.String),
  durationMs: Schema.Int,
  /** The first 1 KB of the answer; null when there was none. */
  responseSnippet: Schema.NullOr(Schema.String)
});
export type DeliveryAttempt = typeof DeliveryAttempt.Type;

/** What keeps a pending delivery from being sent. */
export const EXTRACTION_DELETED = "The extraction was deleted before this arrived.";
export const ENDPOINT_REMOVED = "The endpoint was removed before the delivery succeeded.";
export const ENDPOINT_DISABLED = "The endpoint was disabled after days of failed deliveries.";

/** Due at once, with every attempt before it. */
export const freshSchedule = (
  nowMs: number
): Pick<WebhookDelivery, "status" | "attemptsLeft" | "nextAttemptAtMs" | "failureNote"> => ({
  status: "pending",
  attemptsLeft: ATTEMPTS_MAX,
  nextAttemptAtMs: nowMs,
  failureNote: null
});

/** An answer of any 2xx is an acknowledgement; everything else, redirects included, is none. */
export const isAcknowledged = ({ status }: Pick<DeliveryAttempt, "status">): boolean =>
  status !== null && status >= 200 && status < 300;

/** Most receivers answer sooner. Those that do not wait in a line of their own, so that others need not. */
export const SLOW_ATTEMPT_MS = 250;

/** Whether its receiver is to be taken for a slow one from now on. */
export const wasSlow = ({ durationMs }: Pick<DeliveryAttempt, "durationMs">): boolean =>
  durationMs >= SLOW_ATTEMPT_MS;

/** The delivery after an attempt that ended at `nowMs`. */
export const afterAttempt = (
  delivery: WebhookDelivery,
  attempt: DeliveryAttempt,
  nowMs: number
): WebhookDelivery => {
  const attemptsLeft = delivery.attemptsLeft - 1;
  const counted = { ...delivery, attemptCount: delivery.attemptCount + 1, attemptsLeft };
  if (isAcknowledged(attempt)) return { ...counted, status: "delivered", nextAttemptAtMs: null };
  const waitSeconds = RETRY_AFTER_SECONDS[ATTEMPTS_MAX - attemptsLeft - 1];
  return attemptsLeft <= 0 || waitSeconds === undefined
    ? { ...counted, status: "failed", nextAttemptAtMs: null }
    : { ...counted, nextAttemptAtMs: nowMs + waitSeconds * MILLISECONDS };
};

/** A pending delivery that will not be sent. */
export const calledOff = (delivery: WebhookDelivery, failureNote: string): WebhookDelivery => ({
  ...delivery,
  status: "failed",
  nextAttemptAtMs: null,
  failureNote
});

/**
 * What attempts are bounded by one at a time: a registered endpoint, or the place that per-run URLs of one
 * account name, whatever their parameters.
 */
export const receiverOf = ({
  accountId,
  endpointId,
  url
}: Pick<WebhookDelivery, "accountId" | "endpointId" | "url">): string =>
  endpointId ?? `${accountId} ${url.replace(/[?#].*$/su, "")}`;
