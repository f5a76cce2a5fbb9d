/** Serves the web app below /app/, and redirects browsers there from the server's root. */
import * as Effect from "effect/Effect";
import * as HttpRouter from "effect/http/HttpRouter";
import * as HttpServerError from "effect/http/HttpServerError";
import * as HttpServerRequest from "effect/http/HttpServerRequest";
import * as HttpServerResponse from "effect/http/HttpServerResponse";
import * as Layer from "effect/Layer";
import { publicPath, PublicUrl } from "../http/PublicUrl.ts";
import type { WebFiles } from "./WebFiles.ts";
import { webResponse } from "./webResponse.ts";

const APP = "/app/";

/** No redirect to the path with a slash: frameworks that remove it (Next) would redirect in a loop. */
const BARE = "/app";

const pathOf = ({ url }: HttpServerRequest.HttpServerRequest): string => url.split(/[?#]/u, 1)[0] ?? "";

/**
 * Next drops the Content-Encoding of its routes' responses and compresses them itself, so they must be
 * uncompressed.
 */
const isNextRequest = (source: object): boolean => "nextUrl" in source;

const headersOf = ({ headers, source }: HttpServerRequest.HttpServerRequest) =>
  isNextRequest(source) ? { ...headers, "accept-encoding": "" } : headers;

const serve = (files: WebFiles) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest;
    const { method } = request;
    const headers = headersOf(request);
    const path = pathOf(request);
    const response = webResponse(files, {
      method,
      headers,
      path: path.slice(APP.length),
      isBare: path === BARE
    });
    if (response !== null) return response;
    return yield* new HttpServerError.HttpServerError({
      reason: new HttpServerError.RouteNotFound({ request })
    });
  });

const home = (isServed: boolean) =>
  Layer.unwrap(
    Effect.map(PublicUrl, (publicUrl) =>
      HttpRouter.add(
        "GET",
        "/",
        HttpServerResponse.redirect(`${publicPath(publicUrl)}${isServed ? "app/" : "docs"}`)
      )
    )
  );

/** `files` null: there is no web app, and the root redirects to the API's description. */
export const layer = (files: WebFiles | null) =>
  files === null
    ? home(false)
    : // Its wildcard takes `/app` too.
      Layer.mergeAll(home(true), HttpRouter.add("GET", `${APP}*`, serve(files)));
