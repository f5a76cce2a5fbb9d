/**
 * Webhook endpoints and the delivery log of an account.
 */
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
  pageSchema,
  titled
} from "../../http/openapi/described.ts";
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint";
import * as HttpApiGroup from "effect/http-api/HttpApiGroup";
import * as HttpApiSchema from "effect/http-api/HttpApiSchema";
import * as OpenApi from "effect/http-api/OpenApi";
import { Conflict, InvalidRequest, NotFound } from "../../http/ApiErrors.ts";
import { AccountAuthorization, RateLimiting } from "../../http/authentication/Authorization.ts";
import { idempotencyHeaders, oneOf, PAGE_QUERY, pathId } from "../../http/parameters.ts";
import { JsonBody } from "../../http/JsonBody.ts";

// Wire shapes of webhook endpoints and deliveries.

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

const accepted = WebhookDelivery.pipe(HttpApiSchema.status(202));

const endpointId = pathId("endpoint", "whe_01hzx3");
const deliveryId = pathId("delivery", "whd_01hzx3");

export class WebhooksApi extends HttpApiGroup.make("webhooks")
  .add(
    HttpApiEndpoint.get("listWebhookEndpoints", "/webhook-endpoints", {
      success: WebhookEndpointList
    }).annotateMerge(
      titled("List webhook endpoints", "In the order of registration, without secrets.", {
        call: "webhookEndpoints.page"
      })
    ),
    HttpApiEndpoint.post("registerWebhookEndpoint", "/webhook-endpoints", {
      headers: idempotencyHeaders("Requests with the same key and URL return the same secret for 24 hours."),
      payload: WebhookEndpointBody,
      // The first schema that matches is sent: an existing endpoint is returned without a secret and is the 200.
      success: [
        CreatedWebhookEndpoint.pipe(HttpApiSchema.status(201)),
        WebhookEndpoint.pipe(HttpApiSchema.status(200))
      ],
      error: [NotFound, Conflict]
    })
      .middleware(JsonBody)
      .annotateMerge(
        titled(
          "Register a webhook endpoint",
          "The endpoint then receives an event for every extraction that ends. The URL must be https with a " +
            "public host; at most 5 endpoints by default. If the URL is already registered, in any spelling, " +
            "the response is 200 with the existing endpoint and no secret.",
          { call: "webhookEndpoints.create" }
        )
      ),
    HttpApiEndpoint.delete("removeWebhookEndpoint", "/webhook-endpoints/:id", {
      params: { id: endpointId },
      success: HttpApiSchema.NoContent.annotate({ description: "Removed." }),
      error: NotFound
    }).annotateMerge(
      titled("Remove a webhook endpoint", "Pending deliveries to it are cancelled; the log is kept.", {
        call: "webhookEndpoints.delete"
      })
    ),
    HttpApiEndpoint.post("testWebhookEndpoint", "/webhook-endpoints/:id/test", {
      params: { id: endpointId },
      success: accepted,
      error: [InvalidRequest, NotFound]
    }).annotateMerge(
      titled("Test a webhook endpoint", "Sends the event `test`, signed and delivered like real events.", {
        call: "webhookEndpoints.test"
      })
    ),
    HttpApiEndpoint.post("rotateWebhookSecret", "/webhook-endpoints/:id/rotate-secret", {
      params: { id: endpointId },
      success: RotatedWebhookSecret,
      error: NotFound
    }).annotateMerge(
      titled(
        "Rotate a webhook secret",
        "For 24 hours, deliveries are signed with both secrets, so that receivers can be updated without " +
          "missing any.",
        { call: "webhookEndpoints.rotateSecret", retry: false }
      )
    ),
    HttpApiEndpoint.post("enableWebhookEndpoint", "/webhook-endpoints/:id/enable", {
      params: { id: endpointId },
      success: WebhookEndpoint,
      error: NotFound
    }).annotateMerge(
      titled(
        "Enable a webhook endpoint",
        "An endpoint that fails for 5 days is disabled. Missed events are sent again only on request.",
        { call: "webhookEndpoints.enable" }
      )
    ),
    HttpApiEndpoint.get("listWebhookDeliveries", "/webhook-deliveries", {
      query: {
        ...PAGE_QUERY,
        status: oneOf(
          "status",
          DeliveryStatus.literals,
          "Filter by status: `pending`, `delivered` or `failed`.",
          "must be `pending`, `delivered` or `failed`"
        )
      },
      success: WebhookDeliveryPage,
      error: InvalidRequest
    }).annotateMerge(titled("List webhook deliveries", "Newest first.", { call: "webhookDeliveries.page" })),
    HttpApiEndpoint.post("redeliverFailedWebhooks", "/webhook-deliveries/redeliver", {
      payload: RedeliverBody,
      success: RedeliverAnswer.pipe(HttpApiSchema.status(202)),
      error: NotFound
    })
      .middleware(JsonBody)
      .annotateMerge(
        titled(
          "Redeliver failed webhooks",
          "Sends all deliveries that failed since a time again, with a fresh retry schedule.",
          { call: "webhookDeliveries.redeliverFailed" }
        )
      ),
    HttpApiEndpoint.get("getWebhookDelivery", "/webhook-deliveries/:id", {
      params: { id: deliveryId },
      success: WebhookDeliveryDetail,
      error: NotFound
    }).annotateMerge(
      titled("Get a webhook delivery", "Includes every attempt.", { call: "webhookDeliveries.get" })
    ),
    HttpApiEndpoint.post("redeliverWebhook", "/webhook-deliveries/:id/redeliver", {
      params: { id: deliveryId },
      success: accepted,
      error: [InvalidRequest, NotFound]
    }).annotateMerge(
      titled("Redeliver a webhook", "Sends the same body again at once, with a fresh retry schedule.", {
        call: "webhookDeliveries.redeliver"
      })
    )
  )
  .middleware(RateLimiting)
  .middleware(AccountAuthorization)
  .prefix("/v1")
  .annotateMerge(
    OpenApi.annotations({
      description:
        "Endpoints that receive `extraction.completed` and `extraction.failed`, and the delivery log."
    })
  ) {}
