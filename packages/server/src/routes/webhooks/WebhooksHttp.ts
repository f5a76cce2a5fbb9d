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
import { withApiErrors, apiOf } from "../../http/handlers.ts";
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

const STATUSES: ReadonlySet<string> = new Set(DeliveryStatus.literals);

/** Null means all of them. */
const readStatus = (text: string | null): Effect.Effect<DeliveryStatus | null, InvalidRequest> => {
  if (text === null) return Effect.succeed(null);
  return STATUSES.has(text)
    ? Effect.succeed(text as DeliveryStatus)
    : new InvalidRequest({
        error: {
          message: "`status` must be `pending`, `delivered` or `failed`.",
          details: { param: "status" }
        }
      });
};

/** At least 0, because there are no events before 1970. */
const readSince = (text: string): number => Math.max(0, unixMsOf(text) ?? 0);

interface DeliveryQuery {
  readonly limit?: string;
  readonly cursor?: string;
  readonly status?: string;
}

export const layer = HttpApiBuilder.group(
  apiOf(WebhooksApi),
  "webhooks",
  Effect.fnUntraced(function* (handlers) {
    const webhooks = yield* Webhooks;

    const register = Effect.fn("http.registerWebhookEndpoint")(function* (request: HttpServerRequest) {
      const { accountId, memberId } = yield* Principal;
      const body = yield* readJson(request);
      const key = request.headers["idempotency-key"] ?? null;
      return registeredEndpoint(yield* webhooks.register(accountId, body, key, memberId));
    }, withApiErrors);

    const listDeliveries = Effect.fn("http.listWebhookDeliveries")(function* (query: DeliveryQuery) {
      const { accountId } = yield* Principal;
      const limit = yield* pageLimit(query.limit);
      const status = yield* readStatus(query.status ?? null);
      return deliveryPage(
        yield* webhooks.deliveries(accountId, { limit, cursor: query.cursor ?? null, status })
      );
    }, withApiErrors);

    const redeliverFailed = Effect.fn("http.redeliverFailedWebhooks")(function* (request: HttpServerRequest) {
      const { accountId } = yield* Principal;
      const { since } = yield* decodedBody(request, RedeliverBody);
      return { redelivered: yield* webhooks.redeliverFailedSince(accountId, readSince(since)) };
    }, withApiErrors);

    /** On one endpoint or delivery of the caller. */
    const on =
      <A, B, E, R>(use: (accountId: string, id: string) => Effect.Effect<A, E, R>, bodyOf: (found: A) => B) =>
      ({ params: { id } }: { readonly params: { readonly id: string } }) =>
        withApiErrors(Effect.flatMap(Principal, ({ accountId }) => Effect.map(use(accountId, id), bodyOf)));

    return handlers
      .handle("listWebhookEndpoints", () =>
        Effect.map(
          Effect.flatMap(Principal, ({ accountId }) => webhooks.list(accountId)),
          (endpoints) => ({ data: endpoints.map(endpointItem) })
        )
      )
      .handleRaw("registerWebhookEndpoint", ({ request }) => register(request))
      .handle(
        "removeWebhookEndpoint",
        on(webhooks.remove, () => undefined)
      )
      .handle("testWebhookEndpoint", on(webhooks.sendTest, deliveryItem))
      .handle("rotateWebhookSecret", on(webhooks.rotateSecret, rotatedSecret))
      .handle("enableWebhookEndpoint", on(webhooks.enable, endpointItem))
      .handle("listWebhookDeliveries", ({ query }) => listDeliveries(query))
      .handleRaw("redeliverFailedWebhooks", ({ request }) => redeliverFailed(request))
      .handle("getWebhookDelivery", on(webhooks.delivery, deliveryDetail))
      .handle("redeliverWebhook", on(webhooks.redeliver, deliveryItem));
  })
);
