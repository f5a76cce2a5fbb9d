/**
 * Handlers of receivers and deliveries.
 */
import { unixMsOf } from "@winnow/core/domain/text/DateTimeText";
import { DeliveryStatus } from "@winnow/core/domain/webhook/WebhookDelivery";
import { Webhooks } from "@winnow/core/engine/webhooks/Webhooks";
import * as Effect from "effect/Effect";
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder";
import type { HttpServerRequest } from "effect/http/HttpServerRequest";
import { WebhooksApi } from "./WebhooksApi.ts";
import { answered, apiOf } from "../../http/handlers.ts";
import { InvalidRequest } from "../../http/ApiErrors.ts";
import { Principal } from "../../http/authentication/Authorization.ts";
import { RedeliverBody } from "./WebhookWire.ts";
import { pageLimit } from "../../http/pages.ts";
import { decodedBody, readJson } from "../../http/requestBody.ts";
import {
  deliveryDetail,
  deliveryItem,
  deliveryPage,
  endpointItem,
  registeredEndpoint,
  rotatedSecret
} from "./webhookBodies.ts";

const badQuery = (param: string, message: string) =>
  Effect.fail(
    new InvalidRequest({ error: { message: `\`${param}\` must be ${message}.`, details: { param } } })
  );

const STATUSES: ReadonlySet<string> = new Set(DeliveryStatus.literals);

/** Null means all of them. */
const readStatus = (text: string | null): Effect.Effect<DeliveryStatus | null, InvalidRequest> => {
  if (text === null) return Effect.succeed(null);
  return STATUSES.has(text)
    ? Effect.succeed(text as DeliveryStatus)
    : badQuery("status", "`pending`, `delivered` or `failed`");
};

/** At least 0, because there are no events before 1970. */
const readSince = (text: string): number | null => {
  const unixMs = unixMsOf(text);
  return unixMs === null ? null : Math.max(0, unixMs);
};

interface DeliveryQuery {
  readonly limit?: string;
  readonly cursor?: string;
  readonly status?: string;
}

/** Endpoints for an account, used by the handlers and the embedded engine. */
const overWebhooks = Effect.gen(function* () {
  const webhooks = yield* Webhooks;
  return {
    listEndpoints: (accountId: string) =>
      Effect.map(webhooks.list(accountId), (endpoints) => ({ data: endpoints.map(endpointItem) })),
    register: Effect.fn("http.registerWebhookEndpoint")(function* (request: HttpServerRequest) {
      const { accountId, memberId } = yield* Principal;
      const body = yield* readJson(request);
      const key = request.headers["idempotency-key"] ?? null;
      return registeredEndpoint(yield* webhooks.register(accountId, body, key, memberId));
    }, answered),
    remove: webhooks.remove,
    test: (accountId: string, id: string) => Effect.map(webhooks.sendTest(accountId, id), deliveryItem),
    rotateSecret: (accountId: string, id: string) =>
      Effect.map(webhooks.rotateSecret(accountId, id), rotatedSecret),
    enable: (accountId: string, id: string) => Effect.map(webhooks.enable(accountId, id), endpointItem),
    listDeliveries: Effect.fn("http.listWebhookDeliveries")(function* (
      accountId: string,
      query: DeliveryQuery
    ) {
      const limit = yield* pageLimit(query.limit);
      const status = yield* readStatus(query.status ?? null);
      return deliveryPage(
        yield* webhooks.deliveries(accountId, { limit, cursor: query.cursor ?? null, status })
      );
    }),
    getDelivery: (accountId: string, id: string) =>
      Effect.map(webhooks.delivery(accountId, id), deliveryDetail),
    redeliver: (accountId: string, id: string) => Effect.map(webhooks.redeliver(accountId, id), deliveryItem),
    redeliverFailed: Effect.fn("http.redeliverFailedWebhooks")(function* (
      accountId: string,
      request: HttpServerRequest
    ) {
      const { since } = yield* decodedBody(request, RedeliverBody);
      return { redelivered: yield* webhooks.redeliverFailedSince(accountId, readSince(since) ?? 0) };
    })
  };
});

export const layer = HttpApiBuilder.group(
  apiOf(WebhooksApi),
  "webhooks",
  Effect.fnUntraced(function* (handlers) {
    const webhooks = yield* overWebhooks;
    const asCaller = <A, E, R>(use: (accountId: string) => Effect.Effect<A, E, R>) =>
      answered(Effect.flatMap(Principal, ({ accountId }) => use(accountId)));
    return handlers
      .handle("listWebhookEndpoints", () => asCaller(webhooks.listEndpoints))
      .handleRaw("registerWebhookEndpoint", ({ request }) => webhooks.register(request))
      .handle("removeWebhookEndpoint", ({ params }) =>
        asCaller((account) => webhooks.remove(account, params.id))
      )
      .handle("testWebhookEndpoint", ({ params }) => asCaller((account) => webhooks.test(account, params.id)))
      .handle("rotateWebhookSecret", ({ params }) =>
        asCaller((account) => webhooks.rotateSecret(account, params.id))
      )
      .handle("enableWebhookEndpoint", ({ params }) =>
        asCaller((account) => webhooks.enable(account, params.id))
      )
      .handle("listWebhookDeliveries", ({ query }) =>
        asCaller((account) => webhooks.listDeliveries(account, query))
      )
      .handleRaw("redeliverFailedWebhooks", ({ request }) =>
        asCaller((account) => webhooks.redeliverFailed(account, request))
      )
      .handle("getWebhookDelivery", ({ params }) =>
        asCaller((account) => webhooks.getDelivery(account, params.id))
      )
      .handle("redeliverWebhook", ({ params }) =>
        asCaller((account) => webhooks.redeliver(account, params.id))
      );
  })
);
