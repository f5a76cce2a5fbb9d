/**
 * Handlers of the library of schemas.
 */
import { Schemas } from "@winnow/core/engine/accounts/Schemas";
import type { SavedSchema } from "@winnow/core/domain/json-schema/SavedSchema";
import * as Effect from "effect/Effect";
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder";
import type { HttpServerRequest } from "effect/http/HttpServerRequest";
import { SchemasApi } from "./SchemasApi.ts";
import { answered, apiOf } from "../../http/handlers.ts";
import { Principal } from "../../http/authentication/Authorization.ts";
import { dateTime } from "../../http/openapi/described.ts";
import { pageLimit, pageOf } from "../../http/pages.ts";
import { readJson } from "../../http/requestBody.ts";
import type * as Wire from "./SchemaWire.ts";

const schemaItem = (saved: SavedSchema): Wire.SavedSchema => ({
  id: saved.id,
  name: saved.name,
  schema: saved.schema,
  ...(saved.prompt === null ? {} : { prompt: saved.prompt }),
  version: saved.version,
  createdAt: dateTime(saved.createdAtMs)
});

/** Endpoints for an account, used by the handlers and the embedded engine. */
const overSchemas = Effect.gen(function* () {
  const schemas = yield* Schemas;
  return {
    list: Effect.fn("http.listSchemas")(function* (
      accountId: string,
      query: { readonly limit?: string; readonly cursor?: string }
    ) {
      const limit = yield* pageLimit(query.limit);
      const page = yield* schemas.list(accountId, { limit, cursor: query.cursor ?? null });
      return pageOf(page.schemas, page.nextCursor, schemaItem);
    }),
    save: Effect.fn("http.saveSchema")(function* (accountId: string, request: HttpServerRequest) {
      const body = yield* readJson(request);
      const key = request.headers["idempotency-key"] ?? null;
      // The account was just authenticated, and accounts are never deleted.
      const saved = Effect.catchTag(schemas.save(accountId, body, key), "NotFound", Effect.die);
      return schemaItem(yield* saved);
    }),
    get: (accountId: string, id: string) => Effect.map(schemas.get(accountId, id), schemaItem),
    remove: schemas.remove
  };
});

export const layer = HttpApiBuilder.group(
  apiOf(SchemasApi),
  "schemas",
  Effect.fnUntraced(function* (handlers) {
    const { list, save, get, remove } = yield* overSchemas;
    const asCaller = <A, E, R>(use: (accountId: string) => Effect.Effect<A, E, R>) =>
      answered(Effect.flatMap(Principal, ({ accountId }) => use(accountId)));
    return handlers
      .handle("listSchemas", ({ query }) => asCaller((account) => list(account, query)))
      .handleRaw("saveSchema", ({ request }) => asCaller((account) => save(account, request)))
      .handle("getSchema", ({ params }) => asCaller((account) => get(account, params.id)))
      .handle("deleteSchema", ({ params }) => asCaller((account) => remove(account, params.id)));
  })
);
