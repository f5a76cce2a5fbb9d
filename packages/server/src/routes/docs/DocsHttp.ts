/** Serves the documentation pages. */
import * as Effect from "effect/Effect";
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder";
import * as HttpServerResponse from "effect/http/HttpServerResponse";
import { DocsApi } from "./DocsApi.ts";
import { apiOf } from "../../http/handlers.ts";
import { openApiDocument } from "../../http/openapi/OpenApiDocument.ts";
import { DOCS_POLICY, docsPage } from "./DocsPage.ts";
import { publicPath, PublicUrl } from "../../http/PublicUrl.ts";

const page = (publicUrl: string) =>
  HttpServerResponse.text(docsPage(openApiDocument(), publicPath(publicUrl)), {
    contentType: "text/html; charset=utf-8",
    headers: { "content-security-policy": DOCS_POLICY, "x-content-type-options": "nosniff" }
  });

export const layer = HttpApiBuilder.group(
  apiOf(DocsApi),
  "docs",
  // Rendered at the first request, not at start-up.
  Effect.fnUntraced(function* (handlers) {
    const publicUrl = yield* PublicUrl;
    const made = yield* Effect.cached(Effect.sync(() => page(publicUrl)));
    return handlers.handle("docs", () => made);
  })
);
