/**
 * Saved schemas and webhooks, as promises.
 */
import { Schemas } from "@winnow/core/engine/Schemas";
import { Webhooks } from "@winnow/core/engine/Webhooks";
import * as Effect from "effect/Effect";
import { invalidRequest, notFound, keyedRefusals, saveRefusals } from "../http/refusals.ts";
import {
  deliveryItem,
  deliveryPage,
  endpointItem,
  registeredEndpoint,
  rotatedSecret
} from "../http/webhookWire.ts";
import { pageOf, schemaItem } from "../http/wire.ts";
import type { Calls } from "./Calls.ts";
import type { PageQuery, SchemaCalls, WebhookCalls } from "./Engine.ts";
import { limitOf } from "./extractionCalls.ts";
import { plainBody } from "./plainBody.ts";

const refusals = { NotFound: notFound, InvalidRequest: invalidRequest };

const listSchemas = Effect.fnUntraced(function* (accountId: string, query: PageQuery) {
  const limit = yield* limitOf(query);
  const page = yield* Schemas.use((schemas) =>
    schemas.list(accountId, { limit, cursor: query.cursor ?? null })
  ).pipe(Effect.catchTag("InvalidRequest", invalidRequest));
  return pageOf(page.schemas, page.nextCursor, schemaItem);
});

export const schemaCalls = (calls: Calls<Schemas>): SchemaCalls => ({
  list: (accountId, query = {}) => calls.run(listSchemas(accountId, query)),
  get: (accountId, id) =>
    calls.run(
      Schemas.use((schemas) => schemas.get(accountId, id)).pipe(
        Effect.catchTag("NotFound", notFound),
        Effect.map(schemaItem)
      )
    ),
  save: (accountId, given) =>
    calls.run(
      Effect.flatMap(plainBody(given), (body) =>
        Schemas.use((schemas) => schemas.save(accountId, body)).pipe(
          Effect.catchTags({ ...saveRefusals, NotFound: notFound }),
          Effect.map(schemaItem)
        )
      )
    ),
  delete: (accountId, id) =>
    calls.run(Schemas.use((schemas) => schemas.remove(accountId, id)).pipe(Effect.catchTags(refusals)))
});

const listDeliveries = Effect.fnUntraced(function* (
  accountId: string,
  query: NonNullable<Parameters<WebhookCalls["listDeliveries"]>[1]>
) {
  const limit = yield* limitOf(query);
  const { cursor = null, status = null } = query;
  const page = yield* Webhooks.use((webhooks) =>
    webhooks.deliveries(accountId, { limit, cursor, status })
  ).pipe(Effect.catchTag("InvalidRequest", invalidRequest));
  return deliveryPage(page);
});

export const webhookCalls = (calls: Calls<Webhooks>): WebhookCalls => ({
  listEndpoints: (accountId) =>
    calls.run(
      Webhooks.use((webhooks) => webhooks.list(accountId)).pipe(
        Effect.map((endpoints) => ({ data: endpoints.map(endpointItem) }))
      )
    ),
  register: (accountId, given) =>
    calls.run(
      Effect.flatMap(plainBody(given), (body) =>
        Webhooks.use((webhooks) => webhooks.register(accountId, body)).pipe(
          Effect.catchTags(keyedRefusals),
          Effect.map(registeredEndpoint)
        )
      )
    ),
  remove: (accountId, id) =>
    calls.run(
      Webhooks.use((webhooks) => webhooks.remove(accountId, id)).pipe(
        Effect.catchTags({ NotFound: notFound })
      )
    ),
  enable: (accountId, id) =>
    calls.run(
      Webhooks.use((webhooks) => webhooks.enable(accountId, id)).pipe(
        Effect.catchTag("NotFound", notFound),
        Effect.map(endpointItem)
      )
    ),
  test: (accountId, id) =>
    calls.run(
      Webhooks.use((webhooks) => webhooks.sendTest(accountId, id)).pipe(
        Effect.catchTags(refusals),
        Effect.map(deliveryItem)
      )
    ),
  rotateSecret: (accountId, id) =>
    calls.run(
      Webhooks.use((webhooks) => webhooks.rotateSecret(accountId, id)).pipe(
        Effect.catchTag("NotFound", notFound),
        Effect.map(rotatedSecret)
      )
    ),
  listDeliveries: (accountId, query = {}) => calls.run(listDeliveries(accountId, query)),
  redeliver: (accountId, id) =>
    calls.run(
      Webhooks.use((webhooks) => webhooks.redeliver(accountId, id)).pipe(
        Effect.catchTags(refusals),
        Effect.map(deliveryItem)
      )
    )
});
