/** Serves the guides at /docs/NAME, their pictures, and their search. Pages are made at their first request. */
import * as Effect from "effect/Effect";
import * as HttpRouter from "effect/http/HttpRouter";
import * as HttpServerError from "effect/http/HttpServerError";
import * as HttpServerRequest from "effect/http/HttpServerRequest";
import * as HttpServerResponse from "effect/http/HttpServerResponse";
import * as Layer from "effect/Layer";
import { publicPath, PublicUrl } from "../../http/PublicUrl.ts";
import { findingsView, guidePage, GUIDES_POLICY } from "./GuidePage.ts";
import { guideHtml, placesOf, readGuides, search, type Place } from "./guides.ts";

const QUERY_CHARACTERS_MAX = 200;

const pageResponse = (page: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(page, {
    contentType: "text/html; charset=utf-8",
    headers: { "content-security-policy": GUIDES_POLICY }
  });

/** The pages of one server; each is made once. */
const pagesOf = (home: string) => {
  const guides = readGuides();
  const site = { home, groups: guides.groups };
  const made = new Map<string, string>();
  let places: ReadonlyArray<Place> | undefined;
  return {
    answer: (query: string): string => {
      places ??= [...guides.byName.values()].flatMap(placesOf);
      const content = findingsView(query, search(places, query), home);
      return guidePage({ title: "Search", content, at: null, query }, site);
    },
    page: async (name: string): Promise<string | undefined> => {
      const guide = guides.byName.get(name);
      if (guide === undefined || made.has(name)) return made.get(name);
      const content = await guideHtml(guide, guides, home);
      made.set(name, guidePage({ title: guide.title, content, at: name }, site));
      return made.get(name);
    },
    picture: guides.picture
  };
};

const respond = (home: string) => {
  const pages = pagesOf(home);
  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest;
    const url = new URL(request.url, "http://docs");
    const name = url.pathname.replace(/^.*?\/docs\//u, "");
    if (name === "search") {
      return pageResponse(pages.answer((url.searchParams.get("q") ?? "").slice(0, QUERY_CHARACTERS_MAX)));
    }
    const picture = pages.picture(name.replace(/^images\//u, ""));
    if (picture !== undefined) {
      const headers = { "cache-control": "no-cache" };
      return HttpServerResponse.uint8Array(picture, { contentType: "image/png", headers });
    }
    // Pages of the reference before it was one.
    if (name.startsWith("api/")) return HttpServerResponse.redirect(`${home}docs`, { status: 301 });
    const page = yield* Effect.promise(() => pages.page(name));
    if (page !== undefined) return pageResponse(page);
    return yield* new HttpServerError.HttpServerError({
      reason: new HttpServerError.RouteNotFound({ request })
    });
  });
};

/** Two routes, not a wildcard, which would take `/docs` too: that is of the API's contract. */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const home = publicPath(yield* PublicUrl);
    const handler = yield* Effect.cached(Effect.sync(() => respond(home)));
    return Layer.mergeAll(
      HttpRouter.add("GET", "/docs/:name", Effect.flatten(handler)),
      HttpRouter.add("GET", "/docs/:folder/:name", Effect.flatten(handler))
    );
  })
);
