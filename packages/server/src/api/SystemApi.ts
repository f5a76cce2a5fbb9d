/**
 * Endpoints without a key: the description of the service and its health (contract 8).
 */
import * as Schema from "effect/Schema";
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint";
import * as HttpApiGroup from "effect/http-api/HttpApiGroup";
import * as OpenApi from "effect/http-api/OpenApi";
import { NotReady } from "./ApiErrors.ts";
import { described } from "./described.ts";

const Health = described(
  { status: Schema.Literal("ok") },
  {
    identifier: "Health",
    description: "All is well.",
    fields: { status: "Always `ok`." },
    examples: [{ status: "ok" }]
  }
);

export class SystemApi extends HttpApiGroup.make("system")
  .add(
    HttpApiEndpoint.get("openapi", "/v1/openapi.json", {
      success: Schema.Record(Schema.String, Schema.Json).annotate({
        description: "The OpenAPI 3.1 document."
      })
    }).annotateMerge(OpenApi.annotations({ summary: "This description", description: "Public." })),
    HttpApiEndpoint.get("healthz", "/healthz", { success: Health }).annotateMerge(
      OpenApi.annotations({ summary: "Is the server up", description: "200 as long as it answers." })
    ),
    HttpApiEndpoint.get("readyz", "/readyz", { success: Health, error: NotReady }).annotateMerge(
      OpenApi.annotations({
        summary: "Can the server do its work",
        description: "200 when the database answers and the worker is on."
      })
    )
  )
  .annotateMerge(OpenApi.annotations({ description: "Public: no key needed." })) {}
