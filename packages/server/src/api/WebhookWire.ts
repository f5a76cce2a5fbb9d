/**
 * Receivers of events and the deliveries to them, as they are sent and shown (contract 8).
 */
import * as Schema from "effect/Schema";
import { DeliveryStatus, WebhookEventName } from "@winnow/core/domain/WebhookDelivery";
import { DateTime, described } from "./described.ts";

const count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0));

export const WebhookEndpointBody = described(
  { url: Schema.String },
  {
    identifier: "WebhookEndpointBody",
    description: "A receiver to register. Unknown fields are refused.",
    fields: { url: "https, and a host that is public. A URL that is registered already stays unchanged." },
    examples: [{ url: "https://example.com/hooks/winnow" }]
  }
);

const endpointFields = {
  id: Schema.String,
  url: Schema.String,
  createdAt: DateTime,
  failingSince: Schema.NullOr(DateTime),
  disabledAt: Schema.NullOr(DateTime),
  notice: Schema.NullOr(Schema.String)
};

const endpointTexts = {
  id: "Id of the endpoint.",
  url: "Where events go, normalised.",
  createdAt: "When it was registered.",
  failingSince: "First failure since the last success; null while deliveries arrive.",
  disabledAt: "When it was given up after 5 days of failures; null while it is enabled.",
  notice: "Why nothing is sent and what to do, for people; null while it is enabled."
};

const endpoint = {
  id: "whe_01hzx3",
  url: "https://example.com/hooks/winnow",
  createdAt: "2026-11-21T08:00:00.000Z",
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
    description: "A receiver that was just registered.",
    fields: { ...endpointTexts, secret: "Signs its deliveries. Shown only once; keep it." },
    examples: [{ ...endpoint, secret }]
  }
);

export const RotatedWebhookSecret = described(
  { ...endpointFields, secret: Schema.String, previousSecretExpiresAt: DateTime },
  {
    identifier: "RotatedWebhookSecret",
    description: "A receiver with its new secret.",
    fields: {
      ...endpointTexts,
      secret: "Signs its deliveries from now on. Shown only once; keep it.",
      previousSecretExpiresAt: "Until then the old secret signs beside the new one."
    },
    examples: [{ ...endpoint, secret, previousSecretExpiresAt: "2026-11-22T08:00:00.000Z" }]
  }
);

export const WebhookEndpointList = described(
  { data: Schema.Array(WebhookEndpoint) },
  {
    identifier: "WebhookEndpointList",
    description: "All endpoints of the account; 5 at most.",
    fields: { data: "In the order of registration. The first one's secret signs per-run `webhookUrl`s." },
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
  id: "The header `X-Service-Delivery`, the same for every attempt.",
  event: "What happened.",
  extractionId: "The extraction that came to its end; null for `test`.",
  endpointId: "The registered receiver; null for a per-run `webhookUrl`.",
  url: "Where it goes.",
  status: "`pending` until a receiver took it or its last attempt failed.",
  attemptCount: "Attempts that were made, redeliveries included.",
  nextAttemptAt: "When it is tried next; null once delivered or failed.",
  note: "Why it failed although attempts were left, for people; null otherwise.",
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
  description: "One event on its way to one receiver.",
  fields: deliveryTexts,
  examples: [delivery]
});
export type WebhookDelivery = typeof WebhookDelivery.Type;

const attempt = {
  at: "2026-11-21T08:00:00.120Z",
  status: 503,
  error: "Answered 503 instead of 2xx.",
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
    description: "One try to deliver.",
    fields: {
      at: "When it began.",
      status: "HTTP status of the answer; null when there was none.",
      error: "What went wrong, for people; null when it was delivered.",
      durationMs: "Until the answer was read or given up on.",
      responseSnippet: "The first 1 KB of the answer; null when there was none."
    },
    examples: [attempt]
  }
);

export const WebhookDeliveryDetail = described(
  { ...deliveryFields, attempts: Schema.Array(WebhookAttempt) },
  {
    identifier: "WebhookDeliveryDetail",
    description: "A delivery and what became of it.",
    fields: { ...deliveryTexts, attempts: "Oldest first." },
    examples: [{ ...delivery, attempts: [attempt] }]
  }
);

export const WebhookDeliveryPage = described(
  {
    data: Schema.Array(WebhookDelivery),
    has_more: Schema.Boolean,
    next_cursor: Schema.NullOr(Schema.String)
  },
  {
    identifier: "WebhookDeliveryPage",
    description: "One page of deliveries.",
    fields: {
      data: "Newest first.",
      has_more: "Whether another page follows.",
      next_cursor: "Opaque: pass it as `cursor`. Null on the last page."
    },
    examples: [{ data: [delivery], has_more: false, next_cursor: null }]
  }
);

const RFC_3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/u;

export const RedeliverBody = described(
  {
    since: DateTime.check(
      Schema.makeFilter((text) => RFC_3339.test(text) && !Number.isNaN(Date.parse(text)), {
        expected: "a date and time such as 2026-11-21T08:00:00Z"
      })
    )
  },
  {
    identifier: "RedeliverBody",
    description: "Which failed deliveries to send again. Unknown fields are refused.",
    fields: { since: "Those of events that happened then or later." },
    examples: [{ since: "2026-11-21T08:00:00Z" }]
  }
);

export const RedeliverAnswer = described(
  { redelivered: count },
  {
    identifier: "RedeliverAnswer",
    description: "What is sent again.",
    fields: { redelivered: "How many; those that cannot be sent any more are left out." },
    examples: [{ redelivered: 12 }]
  }
);

export const EndedEvent = described(
  {
    id: Schema.String,
    event: WebhookEventName,
    extractionId: Schema.NullOr(Schema.String),
    at: DateTime,
    body: Schema.String
  },
  {
    identifier: "EndedEvent",
    description: "An event as receivers get it.",
    fields: {
      id: "The same each time; of a test, its delivery.",
      event: "What happened.",
      extractionId: "The extraction that came to its end; null for `test`.",
      at: "When it did, or when the test was sent.",
      body: "JSON text of `{event, data}`, what is sent to receivers."
    },
    examples: [
      {
        id: "whd_01hzx3",
        event: "extraction.failed",
        extractionId: "ext_01hzx3",
        at: "2026-11-21T08:00:00.000Z",
        body: '{"event":"extraction.failed","data":{"id":"ext_01hzx3","status":"failed","error":"The video is private."}}'
      }
    ]
  }
);

export type EndedEvent = typeof EndedEvent.Type;

export const EndedEventList = described(
  { data: Schema.Array(EndedEvent), has_more: Schema.Boolean, now: DateTime },
  {
    identifier: "EndedEventList",
    description: "Events since a time.",
    fields: {
      data: "Oldest first; 100 and the newest tests at most.",
      has_more: "Whether there are more: ask again with the `at` of the last one as `since`.",
      now: "The server's clock."
    },
    examples: [{ data: [], has_more: false, now: "2026-11-21T08:00:00.000Z" }]
  }
);
