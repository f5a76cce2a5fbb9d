/**
 * Handlers of receivers and deliveries.
 */
import type { DeliveryStatus } from "@winnow/core/domain/webhook/WebhookDelivery";
import { Webhooks, type RegisteredEndpoint } from "@winnow/core/engine/webhooks/Webhooks";
import type * as Wire from "./WebhookWire.ts";
import { WebhooksApi } from "./WebhooksApi.ts";
import { pageBody, apiOf } from "../../http/handlers.ts";
import type { PageQuery } from "../../http/parameters.ts";
import { unixMsOf } from "@winnow/core/domain/text/DateTimeText";
import * as Effect from "effect/Effect";
import { flow } from "effect/Function";
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder";
import { Principal } from "../../http/authentication/Authorization.ts";

const registeredEndpoint = ({ endpoint, secret }: RegisteredEndpoint) =>
  secret === null ? endpoint : { ...endpoint, secret };

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
      return pageBody(yield* webhooks.deliveries(accountId, { ...paged, status }));
    });

    const redeliverFailed = Effect.fn("http.redeliverFailedWebhooks")(function* ({
      since
    }: typeof Wire.RedeliverBody.Type) {
      const { accountId } = yield* Principal;
      return { redelivered: yield* webhooks.redeliverFailedSince(accountId, readSince(since)) };
    });

    /** On one endpoint or delivery of the caller. */
    const on =
      <A, E, R>(use: (accountId: string, id: string) => Effect.Effect<A, E, R>) =>
      ({ params: { id } }: { readonly params: { readonly id: string } }) =>
        Effect.flatMap(Principal, ({ accountId }) => use(accountId, id));
    const rotateSecret = flow(
      webhooks.rotateSecret,
      Effect.map(({ endpoint, ...shown }) => ({ ...endpoint, ...shown }))
    );
    const delivery = flow(
      webhooks.delivery,
      Effect.map(({ delivery, attempts }) => ({ ...delivery, attempts }))
    );

    return handlers
      .handle("listWebhookEndpoints", () =>
        Effect.map(
          Effect.flatMap(Principal, ({ accountId }) => webhooks.list(accountId)),
          (data) => ({ data })
        )
      )
      .handle("registerWebhookEndpoint", ({ payload, headers }) =>
        register(payload, headers["idempotency-key"])
      )
      .handle("removeWebhookEndpoint", on(webhooks.remove))
      .handle("testWebhookEndpoint", on(webhooks.sendTest))
      .handle("rotateWebhookSecret", on(rotateSecret))
      .handle("enableWebhookEndpoint", on(webhooks.enable))
      .handle("listWebhookDeliveries", ({ query }) => listDeliveries(query))
      .handle("redeliverFailedWebhooks", ({ payload }) => redeliverFailed(payload))
      .handle("getWebhookDelivery", on(delivery))
      .handle("redeliverWebhook", on(webhooks.redeliver));
  })
);
