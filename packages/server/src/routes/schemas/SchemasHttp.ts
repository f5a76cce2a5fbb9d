/**
 * Handlers of the library of schemas.
 */
import { Schemas } from "@winnow/core/engine/accounts/Schemas";
import * as Effect from "effect/Effect";
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder";
import type * as Wire from "./SchemasApi.ts";
import { SchemasApi } from "./SchemasApi.ts";
import { apiOf, pageBody } from "../../http/handlers.ts";
import type { PageQuery } from "../../http/parameters.ts";
import { Principal } from "../../http/authentication/Authorization.ts";

export const layer = HttpApiBuilder.group(
  apiOf(SchemasApi),
  "schemas",
  Effect.fnUntraced(function* (handlers) {
    const schemas = yield* Schemas;
    const accountId = Effect.map(Principal, (principal) => principal.accountId);

    const list = Effect.fn("http.listSchemas")(function* (query: PageQuery) {
      return pageBody(yield* schemas.list(yield* accountId, query));
    });

    const save = Effect.fn("http.saveSchema")(function* (
      body: typeof Wire.SchemaBody.Type,
      key: string | undefined
    ) {
      // The account was just authenticated, and accounts are never deleted.
      return yield* Effect.catchTag(
        schemas.save(yield* accountId, body, key ?? null),
        "NotFound",
        Effect.die
      );
    });

    const get = Effect.fn("http.getSchema")(function* (id: string) {
      return yield* schemas.get(yield* accountId, id);
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
