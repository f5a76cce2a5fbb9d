/** Serves the OpenAPI document and the home page of the docs. Both are made at the first request, not at start-up. */
import * as Effect from "effect/Effect";
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder";
import * as HttpServerResponse from "effect/http/HttpServerResponse";
import * as Layer from "effect/Layer";
import { apiOf } from "../../http/handlers.ts";
import type { OpenApiDocument } from "../../http/openapi/OpenApiDocument.ts";
import { basePathOf, publicPath, PublicUrl } from "../../http/PublicUrl.ts";
import { DocsApi, SystemApi } from "./DocsApi.ts";
import { pageResponse, pagesOf } from "./GuidesHttp.ts";

const page = async (document: () => OpenApiDocument, publicUrl: string) =>
  pageResponse((await pagesOf(document, publicPath(publicUrl)).page("")) ?? "");

/** Its server URL is the public URL. */
const json = (document: OpenApiDocument, publicUrl: string) =>
  HttpServerResponse.jsonUnsafe({
    ...document,
    servers: [{ url: basePathOf(publicUrl) || "/", description: "This server." }]
  });

export const layer = (document: () => OpenApiDocument) =>
  Layer.mergeAll(
    HttpApiBuilder.group(
      apiOf(SystemApi),
      "system",
      Effect.fnUntraced(function* (handlers) {
        const publicUrl = yield* PublicUrl;
        const made = yield* Effect.cached(Effect.sync(() => json(document(), publicUrl)));
        return handlers.handle("openapi", () => made);
      })
    ),
    HttpApiBuilder.group(
      apiOf(DocsApi),
      "docs",
      Effect.fnUntraced(function* (handlers) {
        const publicUrl = yield* PublicUrl;
        const made = yield* Effect.cached(Effect.promise(() => page(document, publicUrl)));
        return handlers.handle("docs", () => made);
      })
    )
  );
