/**
 * Saved schemas and webhooks, as promises.
 */
import { Schemas } from "@winnow/core/engine/accounts/Schemas";
import { Webhooks } from "@winnow/core/engine/webhooks/Webhooks";
import * as Effect from "effect/Effect";
import { overSchemas, schemaItem } from "../routes/schemas/SchemasHttp.ts";
import { overWebhooks, readStatus } from "../routes/webhooks/WebhooksHttp.ts";
import { deliveryPage, registeredEndpoint } from "../routes/webhooks/webhookBodies.ts";
import { pageOf } from "../http/pages.ts";
import type { Calls } from "./Calls.ts";
import type { PageQuery, SchemaCalls, WebhookCalls } from "./Engine.ts";
import { limitOf } from "./extractionCalls.ts";
import { plainBody } from "./plainBody.ts";

const listSchemas = Effect.fnUntraced(function* (accountId: string, query: PageQuery) {
  const limit = yield* limitOf(query);
  const page = yield* Schemas.use((schemas) =>
    schemas.list(accountId, { limit, cursor: query.cursor ?? null })
  );
  return pageOf(page.schemas, page.nextCursor, schemaItem);
});

export const schemaCalls = (calls: Calls<Schemas>): SchemaCalls => ({
  list: (accountId, query = {}) => calls.run(listSchemas(accountId, query)),
  get: (accountId, id) => calls.run(Effect.flatMap(overSchemas, (schemas) => schemas.get(accountId, id))),
  save: (accountId, given) =>
    calls.run(
      Effect.flatMap(plainBody(given), (body) =>
        Effect.map(
          Schemas.use((schemas) => schemas.save(accountId, body)),
          schemaItem
        )
      )
    ),
  delete: (accountId, id) =>
    calls.run(Effect.flatMap(overSchemas, (schemas) => schemas.remove(accountId, id)))
});

const listDeliveries = Effect.fnUntraced(function* (
  accountId: string,
  query: NonNullable<Parameters<WebhookCalls["listDeliveries"]>[1]>
) {
  const limit = yield* limitOf(query);
  const status = yield* readStatus(query.status ?? null);
  const page = yield* Webhooks.use((webhooks) =>
    webhooks.deliveries(accountId, { limit, cursor: query.cursor ?? null, status })
  );
  return deliveryPage(page);
});

export const webhookCalls = (calls: Calls<Webhooks>): WebhookCalls => ({
  listEndpoints: (accountId) =>
    calls.run(Effect.flatMap(overWebhooks, (webhooks) => webhooks.listEndpoints(accountId))),
  register: (accountId, given) =>
    calls.run(
      Effect.flatMap(plainBody(given), (body) =>
        Effect.map(
          Webhooks.use((webhooks) => webhooks.register(accountId, body)),
          registeredEndpoint
        )
      )
    ),
  remove: (accountId, id) =>
    calls.run(Effect.flatMap(overWebhooks, (webhooks) => webhooks.remove(accountId, id))),
  enable: (accountId, id) =>
    calls.run(Effect.flatMap(overWebhooks, (webhooks) => webhooks.enable(accountId, id))),
  test: (accountId, id) =>
    calls.run(Effect.flatMap(overWebhooks, (webhooks) => webhooks.test(accountId, id))),
  rotateSecret: (accountId, id) =>
    calls.run(Effect.flatMap(overWebhooks, (webhooks) => webhooks.rotateSecret(accountId, id))),
  listDeliveries: (accountId, query = {}) => calls.run(listDeliveries(accountId, query)),
  redeliver: (accountId, id) =>
    calls.run(Effect.flatMap(overWebhooks, (webhooks) => webhooks.redeliver(accountId, id)))
});
