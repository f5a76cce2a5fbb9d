/**
 * Webhook endpoints and the delivery log of an account.
 */
import * as Schema from "effect/Schema";
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint";
import * as HttpApiGroup from "effect/http-api/HttpApiGroup";
import * as HttpApiSchema from "effect/http-api/HttpApiSchema";
import * as OpenApi from "effect/http-api/OpenApi";
import { Conflict, InvalidRequest, NotFound, BODY_ERRORS } from "../../http/ApiErrors.ts";
import { AccountAuthorization, RateLimiting } from "../../http/authentication/Authorization.ts";
import { titled, idempotencyHeaders, PAGE_QUERY } from "../../http/openapi/described.ts";
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

const bodyErrors = [...BODY_ERRORS, NotFound];
const accepted = WebhookDelivery.pipe(HttpApiSchema.status(202));

const endpointId = Schema.String.annotate({ description: "Id of the endpoint." });
const deliveryId = Schema.String.annotate({ description: "Id of the delivery." });

export class WebhooksApi extends HttpApiGroup.make("webhooks")
  .add(
    HttpApiEndpoint.get("listWebhookEndpoints", "/webhook-endpoints", {
      success: WebhookEndpointList
    }).annotateMerge(titled("List webhook endpoints", "In the order of registration, without secrets.")),
    HttpApiEndpoint.post("registerWebhookEndpoint", "/webhook-endpoints", {
      headers: idempotencyHeaders("Requests with the same key and URL return the same secret for 24 hours."),
      payload: WebhookEndpointBody,
      // The first schema that matches is sent: an existing endpoint is returned without a secret and is the 200.
      success: [
        CreatedWebhookEndpoint.pipe(HttpApiSchema.status(201)),
        WebhookEndpoint.pipe(HttpApiSchema.status(200))
      ],
      error: [...bodyErrors, Conflict]
    }).annotateMerge(
      titled(
        "Register a webhook endpoint",
        "The endpoint then receives an event for every extraction that ends. The URL must be https with a " +
          "public host; at most 5 endpoints by default. If the URL is already registered, in any spelling, " +
          "the response is 200 with the existing endpoint and no secret."
      )
    ),
    HttpApiEndpoint.delete("removeWebhookEndpoint", "/webhook-endpoints/:id", {
      params: { id: endpointId },
      success: HttpApiSchema.NoContent.annotate({ description: "Removed." }),
      error: NotFound
    }).annotateMerge(
      titled("Remove a webhook endpoint", "Pending deliveries to it are cancelled; the log is kept.")
    ),
    HttpApiEndpoint.post("testWebhookEndpoint", "/webhook-endpoints/:id/test", {
      params: { id: endpointId },
      success: accepted,
      error: [InvalidRequest, NotFound]
    }).annotateMerge(
      titled("Test a webhook endpoint", "Sends the event `test`, signed and delivered like real events.")
    ),
    HttpApiEndpoint.post("rotateWebhookSecret", "/webhook-endpoints/:id/rotate-secret", {
      params: { id: endpointId },
      success: RotatedWebhookSecret,
      error: NotFound
    }).annotateMerge(
      titled(
        "Rotate a webhook secret",
        "For 24 hours, deliveries are signed with both secrets, so that receivers can be updated without " +
          "missing any."
      )
    ),
    HttpApiEndpoint.post("enableWebhookEndpoint", "/webhook-endpoints/:id/enable", {
      params: { id: endpointId },
      success: WebhookEndpoint,
      error: NotFound
    }).annotateMerge(
      titled(
        "Enable a webhook endpoint",
        "An endpoint that fails for 5 days is disabled. Missed events are sent again only on request."
      )
    ),
    HttpApiEndpoint.get("listWebhookDeliveries", "/webhook-deliveries", {
      query: {
        ...PAGE_QUERY,
        status: Schema.optionalKey(
          Schema.String.annotate({ description: "Filter by status: `pending`, `delivered` or `failed`." })
        )
      },
      success: WebhookDeliveryPage,
      error: InvalidRequest
    }).annotateMerge(titled("List webhook deliveries", "Newest first.")),
    HttpApiEndpoint.post("redeliverFailedWebhooks", "/webhook-deliveries/redeliver", {
      payload: RedeliverBody,
      success: RedeliverAnswer.pipe(HttpApiSchema.status(202)),
      error: bodyErrors
    }).annotateMerge(
      titled(
        "Redeliver failed webhooks",
        "Sends all deliveries that failed since a time again, with a fresh retry schedule."
      )
    ),
    HttpApiEndpoint.get("getWebhookDelivery", "/webhook-deliveries/:id", {
      params: { id: deliveryId },
      success: WebhookDeliveryDetail,
      error: NotFound
    }).annotateMerge(titled("Get a webhook delivery", "Includes every attempt.")),
    HttpApiEndpoint.post("redeliverWebhook", "/webhook-deliveries/:id/redeliver", {
      params: { id: deliveryId },
      success: accepted,
      error: [InvalidRequest, NotFound]
    }).annotateMerge(
      titled("Redeliver a webhook", "Sends the same body again at once, with a fresh retry schedule.")
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
