/**
 * The whole contract of the server. No handler, no adapter is known here.
 */
import * as HttpApi from "effect/http-api/HttpApi";
import * as OpenApi from "effect/http-api/OpenApi";
import { AdminApi } from "./AdminApi.ts";
import { ExtractionsApi } from "./ExtractionsApi.ts";
import { SystemApi } from "./SystemApi.ts";

export class Api extends HttpApi.make("winnow")
  .add(ExtractionsApi.prefix("/v1"))
  .add(AdminApi)
  .add(SystemApi)
  .annotateMerge(
    OpenApi.annotations({
      title: "Winnow",
      version: "1.0.0",
      description:
        "A public URL in (video, photo post, article); metadata, downloadable artifacts and, with a JSON " +
        "Schema, a checked structured object out. Priced before, debited once, refunded to the credit.",
      license: { name: "MIT", identifier: "MIT" },
      servers: [{ url: "/", description: "This server." }]
    })
  ) {}
