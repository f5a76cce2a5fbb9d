/** The complete API of the server, without handlers or adapters. Tests: OpenApiDocument.test.ts, contract.test.ts. */
import * as HttpApi from "effect/http-api/HttpApi";
import * as OpenApi from "effect/http-api/OpenApi";
import * as Schema from "effect/Schema";
import { Internal } from "../http/ApiErrors.ts";
import { AccountApi, SessionApi } from "./account/AccountApi.ts";
import { AdminApi } from "./admin/AdminApi.ts";
import { BatchesApi } from "./batches/BatchesApi.ts";
import { DocsApi, SystemApi } from "./docs/DocsApi.ts";
import { ExtractionsApi } from "./extractions/ExtractionsApi.ts";
import { HealthApi } from "./system/HealthApi.ts";
import { INTRODUCTION, withShared, type OpenApiDocument } from "../http/openapi/OpenApiDocument.ts";
import { PaymentsApi } from "./billing/BillingApi.ts";
import { ResultsApi } from "./results/ResultsApi.ts";
import { SignInApi } from "./sign-in/SignInApi.ts";
import { SchemasApi } from "./schemas/SchemasApi.ts";
import { WebhooksApi } from "./webhooks/WebhooksApi.ts";

export class Api extends HttpApi.make("winnow")
  .add(ExtractionsApi, BatchesApi, ResultsApi, SchemasApi, WebhooksApi)
  .add(AccountApi, SessionApi, SignInApi, AdminApi, PaymentsApi)
  .add(SystemApi, HealthApi, DocsApi)
  // What any response can be.
  .annotate(HttpApi.AdditionalSchemas, [Schema.toEncoded(Internal)])
  .annotateMerge(
    OpenApi.annotations({
      title: "Winnow",
      version: "1.0.0",
      description: INTRODUCTION,
      license: { name: "MIT", identifier: "MIT" },
      servers: [{ url: "/", description: "This server." }]
    })
  )
  .annotateMerge(withShared) {}

/** Deterministic: the same contract produces the same bytes. */
export const openApiDocument = (): OpenApiDocument => OpenApi.fromApi(Api) as unknown as OpenApiDocument;
