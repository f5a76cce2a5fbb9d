/**
 * Handlers of the library of schemas.
 */
import { Schemas } from "@winnow/core/engine/accounts/Schemas";
import type { SavedSchema } from "@winnow/core/domain/json-schema/SavedSchema";
import * as Effect from "effect/Effect";
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder";
import type { HttpServerRequest } from "effect/http/HttpServerRequest";
import { SchemasApi } from "./SchemasApi.ts";
import { apiOf } from "../../http/handlers.ts";
import { Principal } from "../../http/authentication/Authorization.ts";
import { dateTime } from "../../http/openapi/described.ts";
import { pageLimit, pageOf } from "../../http/pages.ts";
import { actionRefusals, invalidRequest, notFound, saveRefusals } from "../../http/refusals.ts";
import { readJson } from "../../http/requestBody.ts";
import type * as Wire from "./SchemaWire.ts";

export const schemaItem = (saved: SavedSchema): Wire.SavedSchema => ({
  id: saved.id,
  name: saved.name,
  schema: saved.schema,
  ...(saved.prompt === null ? {} : { prompt: saved.prompt }),
  version: saved.version,
  createdAt: dateTime(saved.createdAtMs)
});

/** Endpoints for an account, used by the handlers and the embedded engine. */
export const overSchemas = Effect.gen(function* () {
  const schemas = yield* Schemas;
  return {
    list: Effect.fn("http.listSchemas")(function* (
      accountId: string,
      query: { readonly limit?: string; readonly cursor?: string }
    ) {
      const limit = yield* pageLimit(query.limit);
      const page = yield* schemas
        .list(accountId, { limit, cursor: query.cursor ?? null })
        .pipe(Effect.catchTag("InvalidRequest", invalidRequest));
      return pageOf(page.schemas, page.nextCursor, schemaItem);
    }),
    save: Effect.fn("http.saveSchema")(function* (accountId: string, request: HttpServerRequest) {
      const body = yield* readJson(request);
      const key = request.headers["idempotency-key"] ?? null;
      const saved = yield* schemas.save(accountId, body, key).pipe(
        // The account was just authenticated, and accounts are never deleted.
        Effect.catchTags({ ...saveRefusals, NotFound: Effect.die })
      );
      return schemaItem(saved);
    }),
    get: (accountId: string, id: string) =>
      Effect.map(Effect.catchTag(schemas.get(accountId, id), "NotFound", notFound), schemaItem),
    remove: (accountId: string, id: string) => Effect.catchTags(schemas.remove(accountId, id), actionRefusals)
  };
});

export const layer = HttpApiBuilder.group(
  apiOf(SchemasApi),
  "schemas",
  Effect.fnUntraced(function* (handlers) {
    const { list, save, get, remove } = yield* overSchemas;
    const caller = Effect.map(Principal, ({ accountId }) => accountId);
    return handlers
      .handle("listSchemas", ({ query }) => Effect.flatMap(caller, (account) => list(account, query)))
      .handleRaw("saveSchema", ({ request }) => Effect.flatMap(caller, (account) => save(account, request)))
      .handle("getSchema", ({ params }) => Effect.flatMap(caller, (account) => get(account, params.id)))
      .handle("deleteSchema", ({ params }) =>
        Effect.flatMap(caller, (account) => remove(account, params.id))
      );
  })
);
