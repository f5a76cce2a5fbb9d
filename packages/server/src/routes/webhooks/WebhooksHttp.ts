/**
 * Handlers of receivers and deliveries.
 */
import type { DeliveryStatus, DeliverySummary } from "@winnow/core/domain/webhook/WebhookDelivery";
import {
  Webhooks,
  type DeliveryDetails,
  type DeliveryPage,
  type EndpointDetails,
  type RegisteredEndpoint,
  type RotatedSecret
} from "@winnow/core/engine/webhooks/Webhooks";
import type * as Wire from "./WebhooksApi.ts";
import { WebhooksApi } from "./WebhooksApi.ts";
import { dateTime } from "../../http/openapi/described.ts";
import { pageOf, apiOf } from "../../http/handlers.ts";
import type { PageQuery } from "../../http/queryFields.ts";
import { unixMsOf } from "@winnow/core/domain/text/DateTimeText";
import * as Effect from "effect/Effect";
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder";
import { Principal } from "../../http/authentication/Authorization.ts";

// Webhook endpoints and deliveries as shown by the API. Pure.

const dateTimeOrNull = (unixMs: number | null): string | null => (unixMs === null ? null : dateTime(unixMs));

const endpointItem = (endpoint: EndpointDetails): Wire.WebhookEndpoint => ({
  id: endpoint.id,
  url: endpoint.url,
  createdAt: dateTime(endpoint.createdAtMs),
  createdBy: endpoint.createdBy,
  failingSince: dateTimeOrNull(endpoint.failingSinceMs),
  disabledAt: dateTimeOrNull(endpoint.disabledAtMs),
  notice: endpoint.disabledReason
});

const registeredEndpoint = ({ endpoint, secret }: RegisteredEndpoint) =>
  secret === null ? endpointItem(endpoint) : { ...endpointItem(endpoint), secret };

const rotatedSecret = ({ endpoint, secret, previousExpiresAtMs }: RotatedSecret) => ({
  ...endpointItem(endpoint),
  secret,
  previousSecretExpiresAt: dateTime(previousExpiresAtMs)
});

const deliveryItem = (delivery: DeliverySummary): Wire.WebhookDelivery => ({
  id: delivery.id,
  event: delivery.event,
  extractionId: delivery.extractionId,
  endpointId: delivery.endpointId,
  url: delivery.url,
  status: delivery.status,
  attemptCount: delivery.attemptCount,
  nextAttemptAt: dateTimeOrNull(delivery.nextAttemptAtMs),
  note: delivery.failureNote,
  createdAt: dateTime(delivery.createdAtMs)
});

const deliveryDetail = ({ delivery, attempts }: DeliveryDetails) => ({
  ...deliveryItem(delivery),
  body: delivery.body,
  attempts: attempts.map(({ atMs, ...attempt }) => ({ at: dateTime(atMs), ...attempt }))
});

const deliveryPage = ({ deliveries, nextCursor }: DeliveryPage) =>
  pageOf(deliveries, nextCursor, deliveryItem);

/** At least 0, because there are no events before 1970. */
const readSince = (text: string): number => Math.max(0, unixMsOf(text) ?? 0);

export const layer = HttpApiBuilder.group(
  apiOf(WebhooksApi),
  "webhooks",
  Effect.fnUntraced(function* (handlers) {
    const webhooks = yield* Webhooks;

    const register = Effect.fn("http.registerWebhookEndpoint")(function* (
      body: typeof Wire.WebhookEndpointBody.Type,
      key: string | undefined
    ) {
      const { accountId, memberId } = yield* Principal;
      return registeredEndpoint(yield* webhooks.register(accountId, body, key ?? null, memberId));
    });

    const listDeliveries = Effect.fn("http.listWebhookDeliveries")(function* ({
      status = null,
      ...paged
    }: PageQuery & { readonly status?: DeliveryStatus | null }) {
      const { accountId } = yield* Principal;
      return deliveryPage(yield* webhooks.deliveries(accountId, { ...paged, status }));
    });

    const redeliverFailed = Effect.fn("http.redeliverFailedWebhooks")(function* ({
      since
    }: typeof Wire.RedeliverBody.Type) {
      const { accountId } = yield* Principal;
      return { redelivered: yield* webhooks.redeliverFailedSince(accountId, readSince(since)) };
    });

    /** On one endpoint or delivery of the caller. */
    const on =
      <A, B, E, R>(use: (accountId: string, id: string) => Effect.Effect<A, E, R>, bodyOf: (found: A) => B) =>
      ({ params: { id } }: { readonly params: { readonly id: string } }) =>
        Effect.flatMap(Principal, ({ accountId }) => Effect.map(use(accountId, id), bodyOf));

    return handlers
      .handle("listWebhookEndpoints", () =>
        Effect.map(
          Effect.flatMap(Principal, ({ accountId }) => webhooks.list(accountId)),
          (endpoints) => ({ data: endpoints.map(endpointItem) })
        )
      )
      .handle("registerWebhookEndpoint", ({ payload, headers }) =>
        register(payload, headers["idempotency-key"])
      )
      .handle(
        "removeWebhookEndpoint",
        on(webhooks.remove, () => undefined)
      )
      .handle("testWebhookEndpoint", on(webhooks.sendTest, deliveryItem))
      .handle("rotateWebhookSecret", on(webhooks.rotateSecret, rotatedSecret))
      .handle("enableWebhookEndpoint", on(webhooks.enable, endpointItem))
      .handle("listWebhookDeliveries", ({ query }) => listDeliveries(query))
      .handle("redeliverFailedWebhooks", ({ payload }) => redeliverFailed(payload))
      .handle("getWebhookDelivery", on(webhooks.delivery, deliveryDetail))
      .handle("redeliverWebhook", on(webhooks.redeliver, deliveryItem));
  })
);
