/**
 * Serves the pages for people.
 */
import * as Effect from "effect/Effect";
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder";
import * as HttpRouter from "effect/http/HttpRouter";
import * as HttpServerResponse from "effect/http/HttpServerResponse";
import { Api } from "../api/Api.ts";
import { openApiDocument } from "../api/OpenApiDocument.ts";
import { DOCS_POLICY, docsPage } from "../docs/DocsPage.ts";

const page = () =>
  HttpServerResponse.text(docsPage(openApiDocument()), {
    contentType: "text/html; charset=utf-8",
    headers: { "content-security-policy": DOCS_POLICY, "x-content-type-options": "nosniff" }
  });

export const layer = HttpApiBuilder.group(
  Api,
  "docs",
  // Made at the first request, not at the start.
  (handlers) => Effect.map(Effect.cached(Effect.sync(page)), (made) => handlers.handle("docs", () => made))
);

/** Who opens the server's address in a browser finds the pages. */
export const home = HttpRouter.add("GET", "/", HttpServerResponse.redirect("/docs"));
