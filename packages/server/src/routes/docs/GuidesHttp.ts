/** Serves the guides at /docs/NAME: the files that `scripts/guides.ts` made of docs/. Without them there are none. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import * as Effect from "effect/Effect";
import * as HttpRouter from "effect/http/HttpRouter";
import * as HttpServerError from "effect/http/HttpServerError";
import * as HttpServerRequest from "effect/http/HttpServerRequest";
import * as HttpServerResponse from "effect/http/HttpServerResponse";
import * as Layer from "effect/Layer";
import { PAGE_POLICY } from "../../http/pageStyle.ts";

/** Beside the compiled code, and from the sources of a checkout. */
const FOLDER = ["../../../guides", "../../../dist/guides"]
  .map((each) => path.join(path.dirname(fileURLToPath(import.meta.url)), each))
  .find(existsSync);

/** Also the search form, its index, pictures, and the one script. */
const POLICY =
  PAGE_POLICY.replace("form-action 'none'", "form-action 'self'").replace("img-src", "img-src 'self'") +
  "; script-src 'self'; connect-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'";

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png"
};

/** By what comes after /docs/: names of pages have no suffix. */
const filesOf = (folder: string): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => path.extname(name) in CONTENT_TYPES)
      .map((name) => [name.replaceAll(path.sep, "/").replace(/\.html$/u, ""), path.join(folder, name)])
  );

const respond = (files: ReadonlyMap<string, string>) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest;
    const name = new URL(request.url, "http://docs").pathname.replace(/^.*?\/docs\//u, "");
    const file = files.get(name);
    if (file !== undefined)
      return HttpServerResponse.uint8Array(readFileSync(file), {
        contentType: CONTENT_TYPES[path.extname(file)] ?? "",
        headers: { "cache-control": "no-cache", "content-security-policy": POLICY }
      });
    return yield* new HttpServerError.HttpServerError({
      reason: new HttpServerError.RouteNotFound({ request })
    });
  });

/** Two routes, not a wildcard, which would take `/docs` too: that is of the API's contract. */
export const layer = (folder = FOLDER) => {
  const handler = respond(folder === undefined ? new Map() : filesOf(folder));
  return Layer.mergeAll(
    HttpRouter.add("GET", "/docs/:name", handler),
    HttpRouter.add("GET", "/docs/:folder/:name", handler)
  );
};
