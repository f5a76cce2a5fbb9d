/**
 * The OpenAPI document.
 */
import * as Effect from "effect/Effect";
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder";
import * as HttpServerResponse from "effect/http/HttpServerResponse";
import { SystemApi } from "./SystemApi.ts";
import { apiOf } from "../../http/handlers.ts";
import { openApiDocument } from "../../http/openapi/OpenApiDocument.ts";
import { basePathOf, PublicUrl } from "../../http/PublicUrl.ts";

/** Its server URL is the public URL. */
const document = (publicUrl: string) => {
  const url = basePathOf(publicUrl) || "/";
  return { ...openApiDocument(), servers: [{ url, description: "This server." }] };
};

export const layer = HttpApiBuilder.group(
  apiOf(SystemApi),
  "system",
  Effect.fnUntraced(function* (handlers) {
    const publicUrl = yield* PublicUrl;
    // Generated at the first request, not at start-up.
    const made = yield* Effect.cached(Effect.sync(() => HttpServerResponse.jsonUnsafe(document(publicUrl))));
    return handlers.handle("openapi", () => made);
  })
);
