/**
 * Handlers of the library of schemas.
 */
import { Schemas } from "@winnow/core/engine/accounts/Schemas";
import type { SavedSchema } from "@winnow/core/domain/json-schema/SavedSchema";
import * as Effect from "effect/Effect";
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder";
import type * as Wire from "./SchemasApi.ts";
import { SchemasApi } from "./SchemasApi.ts";
import { apiOf, pageOf } from "../../http/handlers.ts";
import type { PageQuery } from "../../http/queryFields.ts";
import { Principal } from "../../http/authentication/Authorization.ts";
import { dateTime } from "../../http/openapi/described.ts";

const schemaItem = (saved: SavedSchema): Wire.SavedSchema => ({
  id: saved.id,
  name: saved.name,
  schema: saved.schema,
  ...(saved.prompt === null ? {} : { prompt: saved.prompt }),
  version: saved.version,
  createdAt: dateTime(saved.createdAtMs)
});

export const layer = HttpApiBuilder.group(
  apiOf(SchemasApi),
  "schemas",
  Effect.fnUntraced(function* (handlers) {
    const schemas = yield* Schemas;
    const accountId = Effect.map(Principal, (principal) => principal.accountId);

    const list = Effect.fn("http.listSchemas")(function* (query: PageQuery) {
      const page = yield* schemas.list(yield* accountId, query);
      return pageOf(page.schemas, page.nextCursor, schemaItem);
    });

    const save = Effect.fn("http.saveSchema")(function* (
      body: typeof Wire.SchemaBody.Type,
      key: string | undefined
    ) {
      // The account was just authenticated, and accounts are never deleted.
      const saved = Effect.catchTag(
        schemas.save(yield* accountId, body, key ?? null),
        "NotFound",
        Effect.die
      );
      return schemaItem(yield* saved);
    });

    const get = Effect.fn("http.getSchema")(function* (id: string) {
      return schemaItem(yield* schemas.get(yield* accountId, id));
    });

    const remove = Effect.fn("http.deleteSchema")(function* (id: string) {
      yield* schemas.remove(yield* accountId, id);
    });

    return handlers
      .handle("listSchemas", ({ query }) => list(query))
      .handle("saveSchema", ({ payload, headers }) => save(payload, headers["idempotency-key"]))
      .handle("getSchema", ({ params }) => get(params.id))
      .handle("deleteSchema", ({ params }) => remove(params.id));
  })
);
