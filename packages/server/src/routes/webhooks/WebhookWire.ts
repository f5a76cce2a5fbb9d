/** What is sent and answered about webhook endpoints and deliveries. */
import * as Schema from "effect/Schema";
import { Integer } from "@winnow/core/domain/text/Integer";
import { unixMsOf } from "@winnow/core/domain/text/DateTimeText";
import { DeliveryStatus, WebhookEventName } from "@winnow/core/domain/webhook/WebhookDelivery";
import {
  DateTime,
  DateTimeText,
  described,
  field,
  fromCore,
  pageSchema
} from "../../http/openapi/described.ts";

const count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0));

export const WebhookEndpointBody = described(
  {
    url: field(
      Schema.String,
      "An https URL with a public host. If it is already registered, that endpoint is returned unchanged."
    )
  },
  {
    identifier: "WebhookEndpointBody",
    description: "A webhook endpoint to register. Unknown fields are rejected.",
    examples: [{ url: "https://example.com/hooks/winnow" }]
  }
);

const endpointFields = {
  id: field(Schema.String, "Id of the endpoint."),
  url: field(Schema.String, "Where events are sent, normalised."),
  createdAt: field(DateTime, "When it was registered."),
  createdBy: field(
    Schema.NullOr(Schema.String),
    "Id of the member who registered it, who may have been removed since; null if it is unknown."
  ),
  failingSince: field(
    Schema.NullOr(DateTime),
    "First failure since the last success; null if the last delivery succeeded."
  ),
  disabledAt: field(
    Schema.NullOr(DateTime),
    "When it was disabled, after 5 days of failures; null while it is enabled."
  ),
  notice: field(
    Schema.NullOr(Schema.String),
    "Why it is disabled and what to do, in plain English; null while it is enabled."
  )
};

const endpoint = {
  id: "whe_01hzx3",
  url: "https://example.com/hooks/winnow",
  createdAt: "2026-11-21T08:00:00.000Z",
  createdBy: null,
  failingSince: null,
  disabledAt: null,
  notice: null
};

const endpointNames = {
  createdAt: "createdAtMs",
  failingSince: "failingSinceMs",
  disabledAt: "disabledAtMs",
  notice: "disabledReason"
} as const;

const secret = "whsec_3q2+7wABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhs=";

export const WebhookEndpoint = described(endpointFields, {
  identifier: "WebhookEndpoint",
  description: "A webhook endpoint of the account.",
  examples: [endpoint]
}).pipe(fromCore(endpointNames));

export const CreatedWebhookEndpoint = described(
  {
    ...endpointFields,
    secret: field(Schema.String, "Signs the deliveries. Shown only once; store it safely.")
  },
  {
    identifier: "CreatedWebhookEndpoint",
    description: "A new webhook endpoint with its secret.",
    examples: [{ ...endpoint, secret }]
  }
).pipe(fromCore(endpointNames));

export const RotatedWebhookSecret = described(
  {
    ...endpointFields,
    secret: field(Schema.String, "Signs deliveries from now on. Shown only once; store it safely."),
    previousSecretExpiresAt: field(
      DateTime,
      "Until then, deliveries are signed with both the old and the new secret."
    )
  },
  {
    identifier: "RotatedWebhookSecret",
    description: "A webhook endpoint with its new secret.",
    examples: [{ ...endpoint, secret, previousSecretExpiresAt: "2026-11-22T08:00:00.000Z" }]
  }
).pipe(fromCore({ ...endpointNames, previousSecretExpiresAt: "previousExpiresAtMs" }));

export const WebhookEndpointList = described(
  {
    data: field(
      Schema.Array(WebhookEndpoint),
      "In the order of registration. The secret of the first one signs deliveries to a per-run `webhookUrl`."
    )
  },
  {
    identifier: "WebhookEndpointList",
    description: "The webhook endpoints of the account; at most 5 by default.",
    examples: [{ data: [endpoint] }]
  }
);

const deliveryFields = {
  id: field(Schema.String, "Sent in the header `X-Service-Delivery`; the same for every attempt."),
  event: field(WebhookEventName, "Name of the event."),
  extractionId: field(
    Schema.NullOr(Schema.String),
    "The extraction that ended; null for `batch.completed` and `test`."
  ),
  endpointId: field(
    Schema.NullOr(Schema.String),
    "The registered endpoint; null for a per-run `webhookUrl`."
  ),
  url: field(Schema.String, "Where it is sent."),
  status: field(DeliveryStatus, "`pending` until it succeeds or the last attempt fails."),
  attemptCount: field(count, "Number of attempts, including redeliveries."),
  nextAttemptAt: field(Schema.NullOr(DateTime), "Time of the next attempt; null once delivered or failed."),
  note: field(
    Schema.NullOr(Schema.String),
    "Why it failed before all attempts were used, in plain English; null otherwise."
  ),
  createdAt: field(DateTime, "When the event happened.")
};

const delivery = {
  id: "whd_01hzx3",
  event: "extraction.completed",
  extractionId: "ext_01hzx3",
  endpointId: "whe_01hzx3",
  url: "https://example.com/hooks/winnow",
  status: "pending",
  attemptCount: 1,
  nextAttemptAt: "2026-11-21T08:00:40.000Z",
  note: null,
  createdAt: "2026-11-21T08:00:00.000Z"
};

const deliveryNames = {
  nextAttemptAt: "nextAttemptAtMs",
  note: "failureNote",
  createdAt: "createdAtMs"
} as const;

export const WebhookDelivery = described(deliveryFields, {
  identifier: "WebhookDelivery",
  description: "The delivery of one event to one endpoint.",
  examples: [delivery]
}).pipe(fromCore(deliveryNames));

const attempt = {
  at: "2026-11-21T08:00:00.120Z",
  requestHeaders: {
    "X-Service-Event": "extraction.completed",
    "X-Service-Delivery": "whd_01hzx3",
    "webhook-id": "whd_01hzx3",
    "webhook-timestamp": "1795248000",
    "X-Service-Signature": "t=1795248000,v1=5f0c1d…",
    "webhook-signature": "v1,K5oZfz…"
  },
  status: 503,
  error: "Responded with 503 instead of 2xx.",
  durationMs: 48,
  responseSnippet: "deploying"
};

const WebhookAttempt = described(
  {
    at: field(DateTime, "When it started."),
    requestHeaders: field(
      Schema.Record(Schema.String, Schema.String),
      "The headers that named and signed it; empty if nothing was sent."
    ),
    status: field(Schema.NullOr(Integer), "HTTP status of the response; null if there was none."),
    error: field(Schema.NullOr(Schema.String), "What went wrong, in plain English; null if it succeeded."),
    durationMs: field(count, "Time until the response was read or the attempt was aborted."),
    responseSnippet: field(
      Schema.NullOr(Schema.String),
      "First 1 KB of the response; null if there was none."
    )
  },
  {
    identifier: "WebhookAttempt",
    description: "One delivery attempt.",
    examples: [attempt]
  }
).pipe(fromCore({ at: "atMs" }));

export const WebhookDeliveryDetail = described(
  {
    ...deliveryFields,
    body: field(
      Schema.NullOr(Schema.String),
      "The exact text that every attempt sends; null after its extraction was deleted."
    ),
    attempts: field(Schema.Array(WebhookAttempt), "Oldest first.")
  },
  {
    identifier: "WebhookDeliveryDetail",
    description: "A delivery with its attempts.",
    examples: [
      {
        ...delivery,
        body: '{"event":"extraction.completed","data":{"id":"ext_01hzx3"}}',
        attempts: [attempt]
      }
    ]
  }
).pipe(fromCore(deliveryNames));

export const WebhookDeliveryPage = pageSchema(WebhookDelivery, {
  identifier: "WebhookDeliveryPage",
  description: "One page of deliveries.",
  example: delivery
});

export const RedeliverBody = described(
  {
    since: field(DateTimeText, "Only deliveries of events that happened then or later.").check(
      Schema.makeFilter((text) => unixMsOf(text) !== null, {
        expected: "a date and time such as 2026-11-21T08:00:00Z"
      })
    )
  },
  {
    identifier: "RedeliverBody",
    description: "Which failed deliveries to send again. Unknown fields are rejected.",
    examples: [{ since: "2026-11-21T08:00:00Z" }]
  }
);

export const RedeliverAnswer = described(
  { redelivered: field(count, "Number of deliveries, without those that can no longer be sent.") },
  {
    identifier: "RedeliverAnswer",
    description: "How many deliveries are sent again.",
    examples: [{ redelivered: 12 }]
  }
);
