/** Handlers of receivers and deliveries. */
import { Webhooks } from "@winnow/core/engine/webhooks/Webhooks";
import { WebhooksApi } from "./WebhooksApi.ts";
import { pageBody, apiOf } from "../../http/handlers.ts";
import { unixMsOf } from "@winnow/core/domain/text/DateTimeText";
import * as Effect from "effect/Effect";
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder";
import { Principal } from "../../http/authentication/Authorization.ts";

/** At least 0, because there are no events before 1970. */
const readSince = (text: string): number => Math.max(0, unixMsOf(text) ?? 0);

/** On one endpoint or delivery of the caller. */
const on =
  <A, E, R>(use: (accountId: string, id: string) => Effect.Effect<A, E, R>) =>
  ({ params: { id } }: { readonly params: { readonly id: string } }) =>
    Principal.use(({ accountId }) => use(accountId, id));

export const layer = HttpApiBuilder.group(apiOf(WebhooksApi), "webhooks", (handlers) =>
  Webhooks.useSync((webhooks) =>
    handlers
      .handle("listWebhookEndpoints", () =>
        Principal.use(({ accountId }) => Effect.map(webhooks.list(accountId), (data) => ({ data })))
      )
      .handle("registerWebhookEndpoint", ({ payload, headers: { "idempotency-key": key = null } }) =>
        Principal.use(({ accountId, memberId }) =>
          Effect.map(webhooks.register(accountId, payload, key, memberId), ({ endpoint, secret }) =>
            secret === null ? endpoint : { ...endpoint, secret }
          )
        )
      )
      .handle("removeWebhookEndpoint", on(webhooks.remove))
      .handle("testWebhookEndpoint", on(webhooks.sendTest))
      .handle("rotateWebhookSecret", ({ params }) =>
        Principal.use(({ accountId }) =>
          Effect.map(webhooks.rotateSecret(accountId, params.id), ({ endpoint, ...shown }) => ({
            ...endpoint,
            ...shown
          }))
        )
      )
      .handle("enableWebhookEndpoint", on(webhooks.enable))
      .handle("listWebhookDeliveries", ({ query: { status = null, ...paged } }) =>
        Principal.use(({ accountId }) =>
          Effect.map(webhooks.deliveries(accountId, { ...paged, status }), pageBody)
        )
      )
      .handle("redeliverFailedWebhooks", ({ payload: { since } }) =>
        Principal.use(({ accountId }) =>
          Effect.map(webhooks.redeliverFailedSince(accountId, readSince(since)), (redelivered) => ({
            redelivered
          }))
        )
      )
      .handle("getWebhookDelivery", ({ params }) =>
        Principal.use(({ accountId }) =>
          Effect.map(webhooks.delivery(accountId, params.id), ({ delivery, attempts }) => ({
            ...delivery,
            attempts
          }))
        )
      )
      .handle("redeliverWebhook", on(webhooks.redeliver))
  )
);
