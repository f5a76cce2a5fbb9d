/**
 * What an account may ask about itself, and what only a signed-in person may (contract 8).
 */
import * as Schema from "effect/Schema";
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint";
import * as HttpApiGroup from "effect/http-api/HttpApiGroup";
import * as HttpApiSchema from "effect/http-api/HttpApiSchema";
import * as OpenApi from "effect/http-api/OpenApi";
import { AccountOverview, ApiKeyList, CreatedApiKey, LedgerPage } from "./AccountWire.ts";
import { ApiKeyBody } from "./AdminWire.ts";
import {
  InternalError,
  InvalidRequest,
  NotFound,
  PayloadTooLarge,
  UnsupportedMediaType
} from "./ApiErrors.ts";
import { AccountAuthorization, RateLimiting, SessionAuthorization } from "./Authorization.ts";
import { SetCookie } from "./sessionHeaders.ts";

export class AccountApi extends HttpApiGroup.make("account")
  .add(
    HttpApiEndpoint.get("account", "/account", {
      success: AccountOverview,
      error: InternalError
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Get the account",
        description: "Balance, and how many extractions run and wait."
      })
    ),
    HttpApiEndpoint.get("ledger", "/ledger", {
      query: { limit: Schema.optionalKey(Schema.String), cursor: Schema.optionalKey(Schema.String) },
      success: LedgerPage,
      error: [InvalidRequest, InternalError]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List the ledger",
        description: "Every movement of the account's credits, newest first. Their sum is the balance."
      })
    )
  )
  .middleware(RateLimiting)
  .middleware(AccountAuthorization)
  .annotateMerge(OpenApi.annotations({ description: "The account that the key or session belongs to." })) {}

export class SessionApi extends HttpApiGroup.make("session")
  .add(
    HttpApiEndpoint.get("listApiKeys", "/api-keys", {
      success: ApiKeyList,
      error: InternalError
    }).annotateMerge(
      OpenApi.annotations({ summary: "List API keys", description: "Revoked ones are left out." })
    ),
    HttpApiEndpoint.post("createApiKey", "/api-keys", {
      payload: ApiKeyBody,
      success: CreatedApiKey.pipe(HttpApiSchema.status(201)),
      error: [InvalidRequest, NotFound, PayloadTooLarge, UnsupportedMediaType, InternalError]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Make an API key for the account",
        description: "The key is shown once. An account has 100 at most."
      })
    ),
    HttpApiEndpoint.delete("revokeApiKey", "/api-keys/:id", {
      params: { id: Schema.String.annotate({ description: "Id of the key." }) },
      success: HttpApiSchema.NoContent.annotate({ description: "Revoked." }),
      error: [NotFound, InternalError]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Revoke an API key of the account",
        description: "Its holder gets 401 at once."
      })
    ),
    HttpApiEndpoint.delete("signOut", "/session", {
      success: HttpApiSchema.WithHeaders(HttpApiSchema.NoContent.annotate({ description: "Signed out." }), {
        "set-cookie": SetCookie
      }),
      error: [InvalidRequest, InternalError]
    }).annotateMerge(
      OpenApi.annotations({ summary: "Sign out", description: "Ends this web session at once." })
    )
  )
  .middleware(RateLimiting)
  .middleware(SessionAuthorization)
  .annotateMerge(
    OpenApi.annotations({
      description:
        "For a person who is signed in to the web app. API keys are refused: one must not make others."
    })
  ) {}
