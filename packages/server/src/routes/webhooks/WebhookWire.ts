/** What is sent and answered about webhook endpoints and deliveries. */
import * as Schema from "effect/Schema";
import { Integer } from "@winnow/core/domain/text/Integer";
import { unixMsOf } from "@winnow/core/domain/text/DateTimeText";
import { DeliveryStatus, WebhookEventName } from "@winnow/core/domain/webhook/WebhookDelivery";
import { FAILING_DAYS_MAX, WEBHOOK_ENDPOINTS_MAX } from "@winnow/core/domain/webhook/WebhookEndpoint";
import {
  DateTime,
  DateTimeText,
  described,
  field,
  fromCore,
  pageSchema,
  TextOrNull
} from "../../http/openapi/described.ts";

const count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0));

export const WebhookEndpointBody = described(
  "WebhookEndpointBody",
  "A webhook endpoint to register. Unknown fields are rejected.",
  {
    url: field(
      Schema.String,
      "An https URL with a public host. If it is already registered, that endpoint is returned unchanged.",
      "https://example.com/hooks/winnow"
    )
  }
);

const endpointFields = {
  id: field(Schema.String, "Id of the endpoint.", "whe_01hzx3"),
  url: field(Schema.String, "Where events are sent, normalised.", "https://example.com/hooks/winnow"),
  createdAt: field(DateTime, "When it was registered.", "2026-11-21T08:00:00.000Z"),
  createdBy: field(
    TextOrNull,
    "Id of the member who registered it, who may have been removed since; null if it is unknown.",
    null
  ),
  failingSince: field(
    Schema.NullOr(DateTime),
    "First failure since the last success; null if the last delivery succeeded.",
    null
  ),
  disabledAt: field(
    Schema.NullOr(DateTime),
    `When it was disabled, after ${FAILING_DAYS_MAX} days of failures; null while it is enabled.`,
    null
  ),
  notice: field(
    TextOrNull,
    "Why it is disabled and what to do, in plain English; null while it is enabled.",
    null
  )
};

const endpointNames = {
  createdAt: "createdAtMs",
  failingSince: "failingSinceMs",
  disabledAt: "disabledAtMs",
  notice: "disabledReason"
} as const;

const secret = "whsec_3q2+7wABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhs=";

export const WebhookEndpoint = described(
  "WebhookEndpoint",
  "A webhook endpoint of the account.",
  endpointFields
).pipe(fromCore(endpointNames));

export const CreatedWebhookEndpoint = described(
  "CreatedWebhookEndpoint",
  "A new webhook endpoint with its secret.",
  {
    ...endpointFields,
    secret: field(Schema.String, "Signs the deliveries. Shown only once; store it safely.", secret)
  }
).pipe(fromCore(endpointNames));

export const RotatedWebhookSecret = described(
  "RotatedWebhookSecret",
  "A webhook endpoint with its new secret.",
  {
    ...endpointFields,
    secret: field(Schema.String, "Signs deliveries from now on. Shown only once; store it safely.", secret),
    previousSecretExpiresAt: field(
      DateTime,
      "Until then, deliveries are signed with both the old and the new secret.",
      "2026-11-22T08:00:00.000Z"
    )
  }
).pipe(fromCore({ ...endpointNames, previousSecretExpiresAt: "previousExpiresAtMs" }));

export const WebhookEndpointList = described(
  "WebhookEndpointList",
  `The webhook endpoints of the account; at most ${WEBHOOK_ENDPOINTS_MAX} by default.`,
  {
    data: field(
      Schema.Array(WebhookEndpoint),
      "In the order of registration. The secret of the first one signs deliveries to a per-run `webhookUrl`."
    )
  }
);

const deliveryFields = {
  id: field(
    Schema.String,
    "Sent in the header `X-Service-Delivery`; the same for every attempt.",
    "whd_01hzx3"
  ),
  event: field(WebhookEventName, "Name of the event.", "extraction.completed"),
  extractionId: field(
    TextOrNull,
    "The extraction that ended; null for `batch.completed` and `test`.",
    "ext_01hzx3"
  ),
  endpointId: field(TextOrNull, "The registered endpoint; null for a per-run `webhookUrl`.", "whe_01hzx3"),
  url: field(Schema.String, "Where it is sent.", "https://example.com/hooks/winnow"),
  status: field(DeliveryStatus, "`pending` until it succeeds or the last attempt fails.", "pending"),
  attemptCount: field(count, "Number of attempts, including redeliveries.", 1),
  lastStatus: field(
    Schema.NullOr(Integer),
    "HTTP status of the last attempt; null before the first, and if there was no response.",
    503
  ),
  nextAttemptAt: field(
    Schema.NullOr(DateTime),
    "Time of the next attempt; null once delivered or failed.",
    "2026-11-21T08:00:40.000Z"
  ),
  note: field(
    TextOrNull,
    "Why it failed before all attempts were used, in plain English; null otherwise.",
    null
  ),
  createdAt: field(DateTime, "When the event happened.", "2026-11-21T08:00:00.000Z")
};

const deliveryNames = {
  nextAttemptAt: "nextAttemptAtMs",
  note: "failureNote",
  createdAt: "createdAtMs"
} as const;

export const WebhookDelivery = described(
  "WebhookDelivery",
  "The delivery of one event to one endpoint.",
  deliveryFields
).pipe(fromCore(deliveryNames));

const WebhookAttempt = described("WebhookAttempt", "One delivery attempt.", {
  at: field(DateTime, "When it started.", "2026-11-21T08:00:00.120Z"),
  requestHeaders: field(
    Schema.Record(Schema.String, Schema.String),
    "The headers that named and signed it; empty if nothing was sent.",
    {
      "X-Service-Event": "extraction.completed",
      "X-Service-Delivery": "whd_01hzx3",
      "webhook-id": "whd_01hzx3",
      "webhook-timestamp": "1795248000",
      "X-Service-Signature": "t=1795248000,v1=5f0c1d…",
      "webhook-signature": "v1,K5oZfz…"
    }
  ),
  status: field(Schema.NullOr(Integer), "HTTP status of the response; null if there was none.", 503),
  error: field(
    TextOrNull,
    "What went wrong, in plain English; null if it succeeded.",
    "Responded with 503 instead of 2xx."
  ),
  durationMs: field(count, "Time until the response was read or the attempt was aborted.", 48),
  responseSnippet: field(TextOrNull, "First 1 KB of the response; null if there was none.", "deploying")
}).pipe(fromCore({ at: "atMs" }));

export const WebhookDeliveryDetail = described("WebhookDeliveryDetail", "A delivery with its attempts.", {
  ...deliveryFields,
  body: field(
    TextOrNull,
    "The exact text that every attempt sends; null after its extraction was deleted.",
    '{"event":"extraction.completed","data":{"id":"ext_01hzx3"}}'
  ),
  attempts: field(Schema.Array(WebhookAttempt), "Oldest first.")
}).pipe(fromCore(deliveryNames));

export const WebhookDeliveryPage = pageSchema(
  "WebhookDeliveryPage",
  "One page of deliveries.",
  WebhookDelivery
);

export const RedeliverBody = described(
  "RedeliverBody",
  "Which failed deliveries to send again. Unknown fields are rejected.",
  {
    since: field(
      DateTimeText,
      "Only deliveries of events that happened then or later.",
      "2026-11-21T08:00:00Z"
    ).check(
      Schema.makeFilter((text) => unixMsOf(text) !== null, {
        expected: "a date and time such as 2026-11-21T08:00:00Z"
      })
    )
  }
);

export const RedeliverAnswer = described("RedeliverAnswer", "How many deliveries are sent again.", {
  redelivered: field(count, "Number of deliveries, without those that can no longer be sent.", 12)
});
