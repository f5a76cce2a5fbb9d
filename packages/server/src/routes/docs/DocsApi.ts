/**
 * The documentation page. It needs no key.
 */
import * as Schema from "effect/Schema";
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint";
import * as HttpApiGroup from "effect/http-api/HttpApiGroup";
import * as HttpApiSchema from "effect/http-api/HttpApiSchema";
import * as OpenApi from "effect/http-api/OpenApi";

export class DocsApi extends HttpApiGroup.make("docs")
  .add(
    HttpApiEndpoint.get("docs", "/docs", {
      success: Schema.String.annotate({ description: "The HTML page." }).pipe(
        HttpApiSchema.asText({ contentType: "text/html" })
      )
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Get the documentation page",
        description: "This API reference as HTML."
      })
    )
  )
  .annotateMerge(OpenApi.annotations({ description: "Documentation." })) {}
