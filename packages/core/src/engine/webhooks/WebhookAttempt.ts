/** One delivery attempt: signs, sends and records it. Tests: adapters' HostileReceivers.test.ts. */
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import { deliveryHeaders } from "../../domain/webhook/Signature.ts";
import {
  ENDPOINT_REMOVED,
  isAcknowledged,
  type DeliveryAttempt,
  type WebhookDelivery
} from "../../domain/webhook/WebhookDelivery.ts";
import { signingSecrets } from "../../domain/webhook/WebhookEndpoint.ts";
import { WebhookOutbox, type ClaimedDelivery } from "../../ports/WebhookOutbox.ts";
import {
  WebhookNotSent,
  WebhookTransport,
  type WebhookAnswer,
  type WebhookPost
} from "../../ports/WebhookTransport.ts";
import { countWebhookAttempt, timeWebhookAttempt } from "../EngineMetrics.ts";
import { retryOutage } from "../Outages.ts";

/** Of the whole attempt: resolving, connecting, sending and reading the response. */
export const ACKNOWLEDGE_TIMEOUT_MS = 10_000;

/** Maximum bytes of a response in the delivery log. */
const SNIPPET_BYTES_MAX = 1_024;

/** A short outage of the store must not cause duplicate deliveries. */
const RECORD_RETRY_LIMIT_MS = 10_000;

const EMPTY = new Uint8Array();
const encoder = new TextEncoder();

const requestOf = ({ delivery, signer }: ClaimedDelivery, nowMs: number): WebhookPost | null => {
  // The endpoint was deleted while a test was being written; an unsigned delivery must not be sent.
  if (delivery.endpointId !== null && signer === null) return null;
  const body = delivery.body === null ? EMPTY : encoder.encode(delivery.body);
  const headers = deliveryHeaders({
    deliveryId: delivery.id,
    event: delivery.event,
    body,
    secrets: signer === null ? [] : signingSecrets(signer, nowMs),
    timestampSeconds: Math.floor(nowMs / 1_000)
  });
  return { url: delivery.url, headers, body, answerMaxBytes: SNIPPET_BYTES_MAX };
};

const post = Effect.fnUntraced(function* (request: WebhookPost | null) {
  if (request === null) return yield* new WebhookNotSent({ message: ENDPOINT_REMOVED });
  const transport = yield* WebhookTransport;
  return yield* Effect.timeoutOrElse(transport.post(request), {
    duration: ACKNOWLEDGE_TIMEOUT_MS,
    orElse: () =>
      Effect.fail(
        new WebhookNotSent({
          message: `No response within ${ACKNOWLEDGE_TIMEOUT_MS / 1_000} seconds.`
        })
      )
  });
});

const errorOf = ({ status }: WebhookAnswer): string | null => {
  if (isAcknowledged({ status })) return null;
  return status >= 300 && status < 400
    ? `Responded with ${status}: redirects are not followed.`
    : `Responded with ${status} instead of 2xx.`;
};

const attemptOf = (
  exit: Exit.Exit<WebhookAnswer, { readonly message: string }>,
  sent: Pick<DeliveryAttempt, "atMs" | "requestHeaders" | "durationMs">
): Effect.Effect<DeliveryAttempt> => {
  if (Exit.isSuccess(exit)) {
    const { status, body } = exit.value;
    return Effect.succeed({ ...sent, status, error: errorOf(exit.value), responseSnippet: body });
  }
  const unanswered = (error: string) => ({ ...sent, status: null, error, responseSnippet: null });
  const failure = Exit.findErrorOption(exit);
  if (failure._tag === "Some") return Effect.succeed(unanswered(failure.value.message));
  return Effect.as(
    Effect.logError("A webhook could not be sent: internal error", exit.cause),
    unanswered("Internal error.")
  );
};

/** Null if the claim was lost. Gives up if the store remains unavailable: the lease will expire. */
const record = Effect.fnUntraced(function* (claimed: ClaimedDelivery, attempt: DeliveryAttempt) {
  const outbox = yield* WebhookOutbox;
  const nowMs = yield* Clock.currentTimeMillis;
  return yield* retryOutage(RECORD_RETRY_LIMIT_MS)(outbox.recordAttempt(claimed, attempt, nowMs));
});

const logAttempt = Effect.fnUntraced(function* (attempt: DeliveryAttempt, recorded: WebhookDelivery | null) {
  const outcome = recorded === null ? "lost" : recorded.status === "pending" ? "retry" : recorded.status;
  yield* countWebhookAttempt(1, { outcome });
  yield* timeWebhookAttempt(attempt.durationMs / 1_000, { outcome });
  if (recorded?.status === "failed") {
    yield* Effect.logInfo("Webhook failed").pipe(
      Effect.annotateLogs({ attempts: recorded.attemptCount, error: attempt.error })
    );
  }
});

/** Interruption releases the delivery, which will be sent again. */
export const attemptDelivery = (
  claimed: ClaimedDelivery
): Effect.Effect<void, never, WebhookOutbox | WebhookTransport> =>
  Effect.uninterruptibleMask(
    Effect.fnUntraced(function* (restore) {
      const atMs = yield* Clock.currentTimeMillis;
      const request = requestOf(claimed, atMs);
      const exit = yield* Effect.exit(restore(post(request)));
      if (Exit.hasInterrupts(exit)) {
        const { release } = yield* WebhookOutbox;
        return yield* release([claimed]);
      }
      const durationMs = (yield* Clock.currentTimeMillis) - atMs;
      const attempt = yield* attemptOf(exit, {
        atMs,
        requestHeaders: request?.headers ?? {},
        durationMs
      });
      yield* logAttempt(attempt, yield* record(claimed, attempt));
    })
  ).pipe(
    Effect.annotateLogs({ deliveryId: claimed.delivery.id, accountId: claimed.delivery.accountId }),
    Effect.withSpan("WebhookAttempt", {
      root: true,
      kind: "client",
      attributes: { deliveryId: claimed.delivery.id }
    })
  );
