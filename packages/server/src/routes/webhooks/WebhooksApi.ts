/** Webhook endpoints and the delivery log of an account. */
import { DeliveryStatus } from "@winnow/core/domain/webhook/WebhookDelivery";
import { FAILING_DAYS_MAX, WEBHOOK_ENDPOINTS_MAX } from "@winnow/core/domain/webhook/WebhookEndpoint";
import { titled } from "../../http/openapi/described.ts";
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint";
import * as HttpApiGroup from "effect/http-api/HttpApiGroup";
import * as HttpApiSchema from "effect/http-api/HttpApiSchema";
import * as OpenApi from "effect/http-api/OpenApi";
import { Conflict, InvalidRequest, NotFound } from "../../http/ApiErrors.ts";
import { AccountAuthorization, RateLimiting } from "../../http/authentication/Authorization.ts";
import { idempotencyHeaders, oneOf, PAGE_QUERY, pathId } from "../../http/parameters.ts";
import { JsonBody } from "../../http/JsonBody.ts";
import {
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
            `public host; at most ${WEBHOOK_ENDPOINTS_MAX} endpoints by default. If the URL is already registered, in any spelling, ` +
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
        `An endpoint that fails for ${FAILING_DAYS_MAX} days is disabled. Missed events are sent again only on request.`,
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
