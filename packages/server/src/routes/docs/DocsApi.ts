/** The API reference for programs and for people. It needs no key. */
import * as Schema from "effect/Schema";
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint";
import * as HttpApiGroup from "effect/http-api/HttpApiGroup";
import * as HttpApiSchema from "effect/http-api/HttpApiSchema";
import * as OpenApi from "effect/http-api/OpenApi";
import { documentedResponses, titled, headers } from "../../http/openapi/described.ts";

export class SystemApi extends HttpApiGroup.make("system")
  .add(
    HttpApiEndpoint.get("openapi", "/v1/openapi.json", {
      success: Schema.Record(Schema.String, Schema.Json).annotate({
        description: "The OpenAPI 3.1 document."
      })
    }).annotateMerge(titled("Get the OpenAPI document", "This API reference for programs."))
  )
  .annotateMerge(OpenApi.annotations({ description: "Public: no key needed." })) {}

export class DocsApi extends HttpApiGroup.make("docs")
  .add(
    HttpApiEndpoint.get("docs", "/docs", {
      success: Schema.String.annotate({ description: "The HTML page." }).pipe(
        HttpApiSchema.asText({ contentType: "text/html" })
      )
    })
      .annotateMerge(titled("Get the documentation page", "This API reference as HTML."))
      .annotateMerge(
        documentedResponses({
          200: { headers: headers("Content-Security-Policy", "X-Content-Type-Options") }
        })
      )
  )
  .annotateMerge(OpenApi.annotations({ description: "Documentation." })) {}
