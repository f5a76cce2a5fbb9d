/**
 * Wire shapes of webhook endpoints and deliveries.
 */
import * as Schema from "effect/Schema";
import { unixMsOf } from "@winnow/core/domain/text/DateTimeText";
import { DeliveryStatus, WebhookEventName } from "@winnow/core/domain/webhook/WebhookDelivery";
import { DateTime, described, pageSchema } from "../../http/openapi/described.ts";

const count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0));

export const WebhookEndpointBody = described(
  { url: Schema.String },
  {
    identifier: "WebhookEndpointBody",
    description: "A webhook endpoint to register. Unknown fields are rejected.",
    fields: {
      url: "An https URL with a public host. If it is already registered, that endpoint is returned unchanged."
    },
    examples: [{ url: "https://example.com/hooks/winnow" }]
  }
);

const endpointFields = {
  id: Schema.String,
  url: Schema.String,
  createdAt: DateTime,
  createdBy: Schema.NullOr(Schema.String),
  failingSince: Schema.NullOr(DateTime),
  disabledAt: Schema.NullOr(DateTime),
  notice: Schema.NullOr(Schema.String)
};

const endpointTexts = {
  id: "Id of the endpoint.",
  url: "Where events are sent, normalised.",
  createdAt: "When it was registered.",
  createdBy: "Id of the member who registered it, who may have been removed since; null if it is unknown.",
  failingSince: "First failure since the last success; null if the last delivery succeeded.",
  disabledAt: "When it was disabled, after 5 days of failures; null while it is enabled.",
  notice: "Why it is disabled and what to do, in plain English; null while it is enabled."
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

const secret = "whsec_3q2+7wABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhs=";

export const WebhookEndpoint = described(endpointFields, {
  identifier: "WebhookEndpoint",
  description: "A webhook endpoint of the account.",
  fields: endpointTexts,
  examples: [endpoint]
});
export type WebhookEndpoint = typeof WebhookEndpoint.Type;

export const CreatedWebhookEndpoint = described(
  { ...endpointFields, secret: Schema.String },
  {
    identifier: "CreatedWebhookEndpoint",
    description: "A new webhook endpoint with its secret.",
    fields: { ...endpointTexts, secret: "Signs the deliveries. Shown only once; store it safely." },
    examples: [{ ...endpoint, secret }]
  }
);

export const RotatedWebhookSecret = described(
  { ...endpointFields, secret: Schema.String, previousSecretExpiresAt: DateTime },
  {
    identifier: "RotatedWebhookSecret",
    description: "A webhook endpoint with its new secret.",
    fields: {
      ...endpointTexts,
      secret: "Signs deliveries from now on. Shown only once; store it safely.",
      previousSecretExpiresAt: "Until then, deliveries are signed with both the old and the new secret."
    },
    examples: [{ ...endpoint, secret, previousSecretExpiresAt: "2026-11-22T08:00:00.000Z" }]
  }
);

export const WebhookEndpointList = described(
  { data: Schema.Array(WebhookEndpoint) },
  {
    identifier: "WebhookEndpointList",
    description: "The webhook endpoints of the account; at most 5 by default.",
    fields: {
      data: "In the order of registration. The secret of the first one signs deliveries to a per-run `webhookUrl`."
    },
    examples: [{ data: [endpoint] }]
  }
);

const deliveryFields = {
  id: Schema.String,
  event: WebhookEventName,
  extractionId: Schema.NullOr(Schema.String),
  endpointId: Schema.NullOr(Schema.String),
  url: Schema.String,
  status: DeliveryStatus,
  attemptCount: count,
  nextAttemptAt: Schema.NullOr(DateTime),
  note: Schema.NullOr(Schema.String),
  createdAt: DateTime
};

const deliveryTexts = {
  id: "Sent in the header `X-Service-Delivery`; the same for every attempt.",
  event: "Name of the event.",
  extractionId: "The extraction that ended; null for `test`.",
  endpointId: "The registered endpoint; null for a per-run `webhookUrl`.",
  url: "Where it is sent.",
  status: "`pending` until it succeeds or the last attempt fails.",
  attemptCount: "Number of attempts, including redeliveries.",
  nextAttemptAt: "Time of the next attempt; null once delivered or failed.",
  note: "Why it failed before all attempts were used, in plain English; null otherwise.",
  createdAt: "When the event happened."
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

export const WebhookDelivery = described(deliveryFields, {
  identifier: "WebhookDelivery",
  description: "The delivery of one event to one endpoint.",
  fields: deliveryTexts,
  examples: [delivery]
});
export type WebhookDelivery = typeof WebhookDelivery.Type;

const attempt = {
  at: "2026-11-21T08:00:00.120Z",
  status: 503,
  error: "Responded with 503 instead of 2xx.",
  durationMs: 48,
  responseSnippet: "deploying"
};

const WebhookAttempt = described(
  {
    at: DateTime,
    status: Schema.NullOr(Schema.Int),
    error: Schema.NullOr(Schema.String),
    durationMs: count,
    responseSnippet: Schema.NullOr(Schema.String)
  },
  {
    identifier: "WebhookAttempt",
    description: "One delivery attempt.",
    fields: {
      at: "When it started.",
      status: "HTTP status of the response; null if there was none.",
      error: "What went wrong, in plain English; null if it succeeded.",
      durationMs: "Time until the response was read or the attempt was aborted.",
      responseSnippet: "First 1 KB of the response; null if there was none."
    },
    examples: [attempt]
  }
);

export const WebhookDeliveryDetail = described(
  { ...deliveryFields, attempts: Schema.Array(WebhookAttempt) },
  {
    identifier: "WebhookDeliveryDetail",
    description: "A delivery with its attempts.",
    fields: { ...deliveryTexts, attempts: "Oldest first." },
    examples: [{ ...delivery, attempts: [attempt] }]
  }
);

export const WebhookDeliveryPage = pageSchema(WebhookDelivery, {
  identifier: "WebhookDeliveryPage",
  description: "One page of deliveries.",
  example: delivery
});

export const RedeliverBody = described(
  {
    since: DateTime.check(
      Schema.makeFilter((text) => unixMsOf(text) !== null, {
        expected: "a date and time such as 2026-11-21T08:00:00Z"
      })
    )
  },
  {
    identifier: "RedeliverBody",
    description: "Which failed deliveries to send again. Unknown fields are rejected.",
    fields: { since: "Only deliveries of events that happened then or later." },
    examples: [{ since: "2026-11-21T08:00:00Z" }]
  }
);

export const RedeliverAnswer = described(
  { redelivered: count },
  {
    identifier: "RedeliverAnswer",
    description: "How many deliveries are sent again.",
    fields: { redelivered: "Number of deliveries, without those that can no longer be sent." },
    examples: [{ redelivered: 12 }]
  }
);
