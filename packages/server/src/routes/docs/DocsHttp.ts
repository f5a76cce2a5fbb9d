/**
 * Serves the OpenAPI document, and at /docs the reference for people: Scalar, as Effect brings it, from this server
 * alone. Both are made at the first request, not at start-up. Tests: docs.test.ts.
 */
import { createHash } from "node:crypto";
import * as Effect from "effect/Effect";
import type * as HttpApi from "effect/http-api/HttpApi";
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder";
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup";
import * as HttpApiScalar from "effect/http-api/HttpApiScalar";
import * as OpenApi from "effect/http-api/OpenApi";
import * as HttpRouter from "effect/http/HttpRouter";
import * as HttpServerResponse from "effect/http/HttpServerResponse";
import * as Layer from "effect/Layer";
import { apiOf } from "../../http/handlers.ts";
import { basePathOf, publicPath, PublicUrl } from "../../http/PublicUrl.ts";
import { DocsApi, SystemApi } from "./DocsApi.ts";

/** Its server URL is the public URL. */
const servedAt = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  publicUrl: string
) => api.annotate(OpenApi.Servers, [{ url: basePathOf(publicUrl) || "/", description: "This server." }]);

/** Its scripts, by their digests, and no other host: what Scalar would load from its own is refused. */
const policyOf = (page: string): string => {
  const digests = [...page.matchAll(/<script>([\s\S]*?)<\/script>/gu)].map(
    ([, script = ""]) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`
  );
  return (
    `default-src 'none'; script-src ${digests.join(" ")}; style-src 'unsafe-inline'; img-src 'self' data:; ` +
    "font-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
  );
};

/** Scalar's own names, some of which Effect's type lacks: nothing that leads to hosts of its makers. */
const SCALAR = {
  withDefaultFonts: false,
  showDeveloperTools: "never",
  hideClientButton: true,
  telemetry: false,
  mcp: { disabled: true },
  agent: { disabled: true }
};

const reference = async <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  publicUrl: string
) => {
  const scalar = HttpApiScalar.layer(servedAt(api, publicUrl), {
    scalar: { ...SCALAR, favicon: `${publicPath(publicUrl)}app/icon.svg` }
  });
  const { handler, dispose } = HttpRouter.toWebHandler(scalar, { disableLogger: true });
  const page = await (await handler(new Request("http://scalar/docs"))).text();
  await dispose();
  return HttpServerResponse.text(page, {
    contentType: "text/html; charset=utf-8",
    headers: { "content-security-policy": policyOf(page) }
  });
};

export const layer = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: () => HttpApi.HttpApi<Id, Groups>
) =>
  Layer.mergeAll(
    HttpApiBuilder.group(
      apiOf(SystemApi),
      "system",
      Effect.fnUntraced(function* (handlers) {
        const publicUrl = yield* PublicUrl;
        const made = yield* Effect.cached(
          Effect.sync(() => HttpServerResponse.jsonUnsafe(OpenApi.fromApi(servedAt(api(), publicUrl))))
        );
        return handlers.handle("openapi", () => made);
      })
    ),
    HttpApiBuilder.group(
      apiOf(DocsApi),
      "docs",
      Effect.fnUntraced(function* (handlers) {
        const publicUrl = yield* PublicUrl;
        const made = yield* Effect.cached(Effect.promise(() => reference(api(), publicUrl)));
        return handlers.handle("docs", () => made);
      })
    )
  );
