/**
 * Receivers of events and the log of deliveries of any account, for the operator and the command line.
 */
import * as Schema from "effect/Schema";
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint";
import * as HttpApiGroup from "effect/http-api/HttpApiGroup";
import * as OpenApi from "effect/http-api/OpenApi";
import { InternalError, InvalidRequest, NotFound } from "./ApiErrors.ts";
import { AdminAuthorization } from "./Authorization.ts";
import { titled } from "./described.ts";
import { WEBHOOKS } from "./WebhooksApi.ts";
import { EndedEventList } from "./WebhookWire.ts";

const { endpointId, deliveryId } = WEBHOOKS;
const id = Schema.String.annotate({ description: "Id of the account." });

const ofAccount = { params: { id } };
const byEndpoint = { params: { id, endpointId } };
const byDelivery = { params: { id, deliveryId } };

export class AdminWebhooksApi extends HttpApiGroup.make("adminWebhooks")
  .add(
    HttpApiEndpoint.get("adminListWebhookEndpoints", "/accounts/:id/webhook-endpoints", {
      ...ofAccount,
      ...WEBHOOKS.listEndpoints,
      error: [NotFound, InternalError]
    }).annotateMerge(titled("List an account's webhook endpoints", "Without their secrets.")),
    HttpApiEndpoint.post("adminRegisterWebhookEndpoint", "/accounts/:id/webhook-endpoints", {
      ...ofAccount,
      ...WEBHOOKS.register
    }).annotateMerge(titled("Register a webhook endpoint for an account", "As the account would.")),
    HttpApiEndpoint.delete("adminRemoveWebhookEndpoint", "/accounts/:id/webhook-endpoints/:endpointId", {
      ...byEndpoint,
      ...WEBHOOKS.remove
    }).annotateMerge(titled("Remove an account's webhook endpoint", "The log stays.")),
    HttpApiEndpoint.post("adminTestWebhookEndpoint", "/accounts/:id/webhook-endpoints/:endpointId/test", {
      ...byEndpoint,
      ...WEBHOOKS.test
    }).annotateMerge(titled("Test an account's webhook endpoint", "Sends the event `test`.")),
    HttpApiEndpoint.post(
      "adminRotateWebhookSecret",
      "/accounts/:id/webhook-endpoints/:endpointId/rotate-secret",
      { ...byEndpoint, ...WEBHOOKS.rotateSecret }
    ).annotateMerge(titled("Rotate an account's webhook secret", "For 24 hours both secrets sign.")),
    HttpApiEndpoint.post("adminEnableWebhookEndpoint", "/accounts/:id/webhook-endpoints/:endpointId/enable", {
      ...byEndpoint,
      ...WEBHOOKS.enable
    }).annotateMerge(titled("Enable an account's webhook endpoint", "After it was disabled for failing.")),
    HttpApiEndpoint.get("adminListWebhookDeliveries", "/accounts/:id/webhook-deliveries", {
      ...ofAccount,
      ...WEBHOOKS.listDeliveries,
      error: [InvalidRequest, NotFound, InternalError]
    }).annotateMerge(titled("List an account's webhook deliveries", "Newest first.")),
    HttpApiEndpoint.post("adminRedeliverFailedWebhooks", "/accounts/:id/webhook-deliveries/redeliver", {
      ...ofAccount,
      ...WEBHOOKS.redeliverFailed
    }).annotateMerge(titled("Redeliver an account's failed webhooks", "All that failed since a time.")),
    HttpApiEndpoint.get("adminGetWebhookDelivery", "/accounts/:id/webhook-deliveries/:deliveryId", {
      ...byDelivery,
      ...WEBHOOKS.getDelivery
    }).annotateMerge(titled("Get an account's webhook delivery", "With every attempt that was made.")),
    HttpApiEndpoint.post("adminRedeliverWebhook", "/accounts/:id/webhook-deliveries/:deliveryId/redeliver", {
      ...byDelivery,
      ...WEBHOOKS.redeliver
    }).annotateMerge(titled("Redeliver an account's webhook", "Sends the same body again, now.")),
    HttpApiEndpoint.get("adminListWebhookEvents", "/accounts/:id/webhook-events", {
      ...ofAccount,
      query: {
        since: Schema.String.annotate({
          description: "Date and time: only what happened then or later."
        })
      },
      success: EndedEventList,
      error: [InvalidRequest, NotFound, InternalError]
    }).annotateMerge(
      titled(
        "List an account's events",
        "What receivers get, whether or not there are any: for `winnow webhook listen`. Extractions that " +
          "end at the same time may show up in any order; ask again from a little before, and go by `id`."
      )
    )
  )
  .middleware(AdminAuthorization)
  .prefix("/admin/v1")
  .annotateMerge(OpenApi.annotations({ description: "Webhooks of any account, for the operator." })) {}
