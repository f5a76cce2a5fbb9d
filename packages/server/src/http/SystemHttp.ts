/**
 * The OpenAPI document.
 */
import * as Effect from "effect/Effect";
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder";
import * as HttpServerResponse from "effect/http/HttpServerResponse";
import { Api } from "../api/Api.ts";
import { openApiDocument } from "../api/OpenApiDocument.ts";

export const layer = HttpApiBuilder.group(Api, "system", (handlers) =>
  // Made at the first request, not at the start.
  Effect.map(Effect.cached(Effect.sync(() => HttpServerResponse.jsonUnsafe(openApiDocument()))), (document) =>
    handlers.handle("openapi", () => document)
  )
);
