/**
 * The pages for people. They need no key.
 */
import * as Schema from "effect/Schema";
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint";
import * as HttpApiGroup from "effect/http-api/HttpApiGroup";
import * as HttpApiSchema from "effect/http-api/HttpApiSchema";
import * as OpenApi from "effect/http-api/OpenApi";

export class DocsApi extends HttpApiGroup.make("docs")
  .add(
    HttpApiEndpoint.get("docs", "/docs", {
      success: Schema.String.annotate({ description: "The page." }).pipe(
        HttpApiSchema.asText({ contentType: "text/html" })
      )
    }).annotateMerge(
      OpenApi.annotations({ summary: "This description, for people", description: "One page of HTML." })
    )
  )
  .annotateMerge(OpenApi.annotations({ description: "Pages for people." })) {}
