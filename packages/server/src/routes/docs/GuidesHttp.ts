/** Serves the guides at /docs/NAME, their pictures and script, and the search. Pages are made at their first request. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as Effect from "effect/Effect";
import * as HttpRouter from "effect/http/HttpRouter";
import * as HttpServerError from "effect/http/HttpServerError";
import * as HttpServerRequest from "effect/http/HttpServerRequest";
import * as HttpServerResponse from "effect/http/HttpServerResponse";
import * as Layer from "effect/Layer";
import type { OpenApiDocument } from "../../http/openapi/OpenApiDocument.ts";
import { publicPath, PublicUrl } from "../../http/PublicUrl.ts";
import { GUIDES_POLICY } from "./docsStyle.ts";
import { findingsView, guidePage } from "./guidePage.ts";
import { guideHtml, placesOf, readGuides, search, type Guides, type Place } from "./guides.ts";

const QUERY_CHARACTERS_MAX = 200;

export const pageResponse = (page: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(page, {
    contentType: "text/html; charset=utf-8",
    headers: { "content-security-policy": GUIDES_POLICY, "x-content-type-options": "nosniff" }
  });

const fileResponse = (bytes: Uint8Array, contentType: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.uint8Array(bytes, {
    contentType,
    headers: { "x-content-type-options": "nosniff", "cache-control": "no-cache" }
  });

const SCRIPT = "docs.js";

/** It stands beside this file. A bundler may have left it behind; the pages do without. */
const readScript = (): Uint8Array | undefined => {
  const file = fileURLToPath(import.meta.url.replace(/[^/]*$/u, SCRIPT));
  return existsSync(file) ? readFileSync(file) : undefined;
};

const operationPlaces = ({ paths }: OpenApiDocument): ReadonlyArray<Place> =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId, summary, description }]) => ({
      title: `${summary} (${method.toUpperCase()} ${path})`,
      href: `docs#${operationId}`,
      text: description
    }))
  );

/** The pages of one server; each is made once. */
const pagesOf = (guides: Guides, document: () => OpenApiDocument, home: string) => {
  const made = new Map<string, string>();
  let places: ReadonlyArray<Place> | undefined;
  const answer = (query: string): string => {
    places ??= [...[...guides.byName.values()].flatMap(placesOf), ...operationPlaces(document())];
    const content = findingsView(query, search(places, query), home);
    return guidePage({ title: "Search", content, name: null, query }, guides.inOrder, home);
  };
  const page = async (name: string): Promise<string | undefined> => {
    const guide = guides.byName.get(name);
    if (guide === undefined) return undefined;
    const { Marked } = await import("marked");
    const known =
      made.get(name) ??
      guidePage(
        { title: guide.title, content: guideHtml(Marked, guide, guides, home), name, query: "" },
        guides.inOrder,
        home
      );
    made.set(name, known);
    return known;
  };
  return { answer, page };
};

const respond = (guides: Guides, script: Uint8Array | undefined, pages: ReturnType<typeof pagesOf>) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest;
    const url = new URL(request.url, "http://docs");
    const name = url.pathname.replace(/^.*?\/docs\//u, "");
    if (name === "search") {
      return pageResponse(pages.answer((url.searchParams.get("q") ?? "").slice(0, QUERY_CHARACTERS_MAX)));
    }
    if (name === SCRIPT && script !== undefined)
      return fileResponse(script, "text/javascript; charset=utf-8");
    const picture = guides.picture(name.replace(/^images\//u, ""));
    if (picture !== undefined) return fileResponse(picture, "image/png");
    const page = yield* Effect.promise(() => pages.page(name));
    if (page !== undefined) return pageResponse(page);
    return yield* new HttpServerError.HttpServerError({
      reason: new HttpServerError.RouteNotFound({ request })
    });
  });

/** Two routes, not a wildcard, which would take `/docs` too. */
export const layer = (document: () => OpenApiDocument) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const publicUrl = yield* PublicUrl;
      const handler = yield* Effect.cached(
        Effect.sync(() => {
          const guides = readGuides();
          return respond(guides, readScript(), pagesOf(guides, document, publicPath(publicUrl)));
        })
      );
      return Layer.mergeAll(
        HttpRouter.add("GET", "/docs/:name", Effect.flatten(handler)),
        HttpRouter.add("GET", "/docs/:folder/:name", Effect.flatten(handler))
      );
    })
  );
