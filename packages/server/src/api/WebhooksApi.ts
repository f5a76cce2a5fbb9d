/**
 * Receivers of events and the log of deliveries, for their account (contract 8).
 */
import * as Schema from "effect/Schema";
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint";
import * as HttpApiGroup from "effect/http-api/HttpApiGroup";
import * as HttpApiSchema from "effect/http-api/HttpApiSchema";
import * as OpenApi from "effect/http-api/OpenApi";
import {
  Conflict,
  InternalError,
  InvalidRequest,
  NotFound,
  PayloadTooLarge,
  UnsupportedMediaType
} from "./ApiErrors.ts";
import { AccountAuthorization, EndpointLimit, RateLimiting } from "./Authorization.ts";
import { titled } from "./described.ts";
import { idempotencyHeaders } from "./IdempotencyKey.ts";
import {
  EndedEventList,
  CreatedWebhookEndpoint,
  RedeliverAnswer,
  RedeliverBody,
  RotatedWebhookSecret,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookDeliveryPage,
  WebhookEndpoint,
  WebhookEndpointBody,
  WebhookEndpointList
} from "./WebhookWire.ts";

const bodyErrors = [InvalidRequest, NotFound, PayloadTooLarge, UnsupportedMediaType, InternalError];
const accepted = WebhookDelivery.pipe(HttpApiSchema.status(202));

const endpointId = Schema.String.annotate({ description: "Id of the endpoint." });
const deliveryId = Schema.String.annotate({ description: "Id of the delivery." });

/** What each endpoint takes and answers, whoever asks. */
export const WEBHOOKS = {
  endpointId,
  deliveryId,
  listEndpoints: { success: WebhookEndpointList, error: [InternalError] },
  register: {
    headers: idempotencyHeaders("The same key and URL answer the secret again, for 24 hours."),
    payload: WebhookEndpointBody,
    // The first that fits is sent: what was there already has no secret to show and is the 200.
    success: [
      CreatedWebhookEndpoint.pipe(HttpApiSchema.status(201)),
      WebhookEndpoint.pipe(HttpApiSchema.status(200))
    ],
    error: [...bodyErrors, Conflict]
  },
  remove: {
    success: HttpApiSchema.NoContent.annotate({ description: "Removed." }),
    error: [NotFound, InternalError]
  },
  test: { success: accepted, error: [InvalidRequest, NotFound, InternalError] },
  rotateSecret: { success: RotatedWebhookSecret, error: [NotFound, InternalError] },
  enable: { success: WebhookEndpoint, error: [NotFound, InternalError] },
  listDeliveries: {
    query: {
      limit: Schema.optionalKey(Schema.String),
      cursor: Schema.optionalKey(Schema.String),
      status: Schema.optionalKey(
        Schema.String.annotate({ description: "Only those: `pending`, `delivered` or `failed`." })
      )
    },
    success: WebhookDeliveryPage,
    error: [InvalidRequest, InternalError]
  },
  getDelivery: { success: WebhookDeliveryDetail, error: [NotFound, InternalError] },
  redeliver: { success: accepted, error: [InvalidRequest, NotFound, InternalError] },
  redeliverFailed: {
    payload: RedeliverBody,
    success: RedeliverAnswer.pipe(HttpApiSchema.status(202)),
    error: bodyErrors
  }
} as const;

const byEndpoint = { params: { id: endpointId } };
const byDelivery = { params: { id: deliveryId } };

export class WebhooksApi extends HttpApiGroup.make("webhooks")
  .add(
    HttpApiEndpoint.get("listWebhookEndpoints", "/webhook-endpoints", WEBHOOKS.listEndpoints).annotateMerge(
      titled("List webhook endpoints", "In the order of registration, without their secrets.")
    ),
    HttpApiEndpoint.post("registerWebhookEndpoint", "/webhook-endpoints", WEBHOOKS.register).annotateMerge(
      titled(
        "Register a webhook endpoint",
        "Every extraction that ends is told to it. https and public hosts only; 5 at most. A URL that is " +
          "registered already, however it is written, answers 200 with that endpoint and no secret."
      )
    ),
    HttpApiEndpoint.delete("removeWebhookEndpoint", "/webhook-endpoints/:id", {
      ...byEndpoint,
      ...WEBHOOKS.remove
    }).annotateMerge(
      titled("Remove a webhook endpoint", "What is on its way there is given up; the log stays.")
    ),
    HttpApiEndpoint.post("testWebhookEndpoint", "/webhook-endpoints/:id/test", {
      ...byEndpoint,
      ...WEBHOOKS.test
    }).annotateMerge(
      titled("Test a webhook endpoint", "Sends the event `test`, signed and delivered like real events.")
    ),
    HttpApiEndpoint.post("rotateWebhookSecret", "/webhook-endpoints/:id/rotate-secret", {
      ...byEndpoint,
      ...WEBHOOKS.rotateSecret
    }).annotateMerge(
      titled("Rotate a webhook secret", "For 24 hours both secrets sign, so that none is missed.")
    ),
    HttpApiEndpoint.post("enableWebhookEndpoint", "/webhook-endpoints/:id/enable", {
      ...byEndpoint,
      ...WEBHOOKS.enable
    }).annotateMerge(
      titled(
        "Enable a webhook endpoint",
        "One that failed for 5 days is disabled. What it missed is sent again on demand only."
      )
    ),
    HttpApiEndpoint.get(
      "listWebhookDeliveries",
      "/webhook-deliveries",
      WEBHOOKS.listDeliveries
    ).annotateMerge(titled("List webhook deliveries", "Newest first.")),
    HttpApiEndpoint.post(
      "redeliverFailedWebhooks",
      "/webhook-deliveries/redeliver",
      WEBHOOKS.redeliverFailed
    ).annotateMerge(
      titled(
        "Redeliver failed webhooks",
        "All that failed since a time, with their schedules from the start."
      )
    ),
    HttpApiEndpoint.get("listWebhookEvents", "/webhook-events", {
      query: {
        since: Schema.String.annotate({ description: "Date and time: only what happened then or later." })
      },
      success: EndedEventList,
      error: [InvalidRequest, InternalError]
    })
      // Who listens asks once a second.
      .annotate(EndpointLimit, { bucket: null, rate: "othersPerMinute", times: 2 })
      .annotateMerge(
        titled(
          "List events",
          "What receivers get, whether or not there are any: for `winnow webhook listen`. Extractions that end at " +
            "the same time may show up in any order; ask again from a little before, and go by `id`."
        )
      ),
    HttpApiEndpoint.get("getWebhookDelivery", "/webhook-deliveries/:id", {
      ...byDelivery,
      ...WEBHOOKS.getDelivery
    }).annotateMerge(titled("Get a webhook delivery", "With every attempt that was made.")),
    HttpApiEndpoint.post("redeliverWebhook", "/webhook-deliveries/:id/redeliver", {
      ...byDelivery,
      ...WEBHOOKS.redeliver
    }).annotateMerge(
      titled("Redeliver a webhook", "Sends the same body again, now, with its schedule from the start.")
    )
  )
  .middleware(RateLimiting)
  .middleware(AccountAuthorization)
  .annotateMerge(
    OpenApi.annotations({
      description:
        "Receivers of `extraction.completed` and `extraction.failed`, and what became of each delivery."
    })
  ) {}
