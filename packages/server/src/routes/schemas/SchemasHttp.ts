/** Handlers of the library of schemas. */
import { Schemas } from "@winnow/core/engine/accounts/Schemas";
import * as Effect from "effect/Effect";
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder";
import { SchemasApi } from "./SchemasApi.ts";
import { apiOf, pageBody } from "../../http/handlers.ts";
import { Principal } from "../../http/authentication/Authorization.ts";

export const layer = HttpApiBuilder.group(apiOf(SchemasApi), "schemas", (handlers) =>
  Schemas.useSync((schemas) =>
    handlers
      .handle("listSchemas", ({ query }) =>
        Principal.use(({ accountId }) => Effect.map(schemas.list(accountId, query), pageBody))
      )
      .handle("saveSchema", ({ payload, headers: { "idempotency-key": key = null } }) =>
        // The account was just authenticated, and accounts are never deleted.
        Principal.use(({ accountId }) =>
          Effect.catchTag(schemas.save(accountId, payload, key), "NotFound", Effect.die)
        )
      )
      .handle("getSchema", ({ params }) =>
        Principal.use(({ accountId }) => schemas.get(accountId, params.id))
      )
      .handle("deleteSchema", ({ params }) =>
        Principal.use(({ accountId }) => schemas.remove(accountId, params.id))
      )
  )
);
