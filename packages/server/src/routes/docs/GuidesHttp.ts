/**
 * Serves the pages at /docs: the home page, the guides at /docs/NAME, the reference at /docs/api/NAME, their pictures and
 * script, and the search. Pages are made at their first request.
 */
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
import { docsPage } from "./DocsPage.ts";
import { page, type Site } from "./Frame.ts";
import { groupsOf, TYPES, type Group } from "./groups.ts";
import { findingsView, guideView } from "./guidePage.ts";
import { guideHtml, placesOf, readGuides, search, type Place } from "./guides.ts";
import type { Html } from "./Html.ts";
import { schemaAnchor } from "./operationView.ts";
import { referencePage } from "./ReferencePage.ts";

const QUERY_CHARACTERS_MAX = 200;

export const pageResponse = (page: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(page, {
    contentType: "text/html; charset=utf-8",
    headers: { "content-security-policy": GUIDES_POLICY }
  });

const fileResponse = (bytes: Uint8Array, contentType: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.uint8Array(bytes, {
    contentType,
    headers: { "cache-control": "no-cache" }
  });

const SCRIPT = "docs.js";

/** It stands beside this file. A bundler may have left it behind; the pages do without. */
const readScript = (): Uint8Array | undefined => {
  const file = fileURLToPath(import.meta.url.replace(/[^/]*$/u, SCRIPT));
  return existsSync(file) ? readFileSync(file) : undefined;
};

const operationPlaces = (groups: ReadonlyArray<Group>): ReadonlyArray<Place> =>
  groups.flatMap(({ name, endpoints }) =>
    endpoints.map(({ method, path, operation: { operationId, summary, description } }) => ({
      title: `${summary} (${method} ${path})`,
      href: `docs/api/${name}#${operationId}`,
      text: description
    }))
  );

const typePlaces = ({ components }: OpenApiDocument): ReadonlyArray<Place> =>
  Object.entries(components.schemas).map(([name, { description = "", properties = {} }]) => ({
    title: `${name} (type)`,
    href: `docs/api/${TYPES}#${schemaAnchor(name)}`,
    text: `${description} ${Object.keys(properties).join(", ")}`
  }));

/** The guide of the home page, which says where each reader begins. */
const FIRST_GUIDE = "README";

/** The pages of one server; each is made once. */
export const pagesOf = (document: () => OpenApiDocument, home: string) => {
  const guides = readGuides();
  const made = new Map<string, string>();
  let site: Site | undefined;
  let places: ReadonlyArray<Place> | undefined;
  const siteOf = (): Site => (site ??= { home, guides: guides.inOrder, groups: groupsOf(document()) });
  const guideOf = async (name: string): Promise<Html | null> => {
    const guide = guides.byName.get(name);
    if (guide === undefined) return null;
    const { Marked } = await import("marked");
    return guideHtml(Marked, guide, guides, home);
  };
  const make = async (name: string): Promise<string | undefined> => {
    if (name === "") return docsPage(document(), siteOf(), await guideOf(FIRST_GUIDE));
    if (name.startsWith("api/")) return referencePage(name.slice("api/".length), document(), siteOf());
    const content = await guideOf(name);
    const title = `${guides.byName.get(name)?.title} · Winnow`;
    return content === null ? undefined : page({ title, content: guideView(content), at: name }, siteOf());
  };
  return {
    answer: (query: string): string => {
      const { groups } = siteOf();
      places ??= [
        ...[...guides.byName.values()].flatMap(placesOf),
        ...operationPlaces(groups),
        ...typePlaces(document())
      ];
      const content = findingsView(query, search(places, query), home);
      return page({ title: "Search · Winnow", content, at: null, query }, siteOf());
    },
    /** `name` is the path below docs/, empty for the home page. */
    page: async (name: string): Promise<string | undefined> => {
      const known = made.get(name) ?? (await make(name));
      if (known !== undefined) made.set(name, known);
      return known;
    },
    picture: guides.picture
  };
};

const respond = (script: Uint8Array | undefined, pages: ReturnType<typeof pagesOf>) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest;
    const url = new URL(request.url, "http://docs");
    const name = url.pathname.replace(/^.*?\/docs\//u, "");
    if (name === "search") {
      return pageResponse(pages.answer((url.searchParams.get("q") ?? "").slice(0, QUERY_CHARACTERS_MAX)));
    }
    if (name === SCRIPT && script !== undefined)
      return fileResponse(script, "text/javascript; charset=utf-8");
    const picture = pages.picture(name.replace(/^images\//u, ""));
    if (picture !== undefined) return fileResponse(picture, "image/png");
    const page = yield* Effect.promise(() => pages.page(name));
    if (page !== undefined) return pageResponse(page);
    return yield* new HttpServerError.HttpServerError({
      reason: new HttpServerError.RouteNotFound({ request })
    });
  });

/** Two routes, not a wildcard, which would take `/docs` too: that is of the API's contract. */
export const layer = (document: () => OpenApiDocument) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const publicUrl = yield* PublicUrl;
      const handler = yield* Effect.cached(
        Effect.sync(() => respond(readScript(), pagesOf(document, publicPath(publicUrl))))
      );
      return Layer.mergeAll(
        HttpRouter.add("GET", "/docs/:name", Effect.flatten(handler)),
        HttpRouter.add("GET", "/docs/:folder/:name", Effect.flatten(handler))
      );
    })
  );
