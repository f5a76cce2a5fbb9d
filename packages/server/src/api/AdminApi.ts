/**
 * The operator's endpoints: accounts, keys and credits (contract 8, "Admin").
 */
import * as Schema from "effect/Schema";
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint";
import * as HttpApiGroup from "effect/http-api/HttpApiGroup";
import * as HttpApiSchema from "effect/http-api/HttpApiSchema";
import * as OpenApi from "effect/http-api/OpenApi";
import {
  AccountBody,
  AccountChangeBody,
  AccountPage,
  AccountResponse,
  ApiKeyBody,
  ApiKeyResponse,
  SignInLinkResponse,
  TopUpBody,
  TopUpResponse
} from "./AdminWire.ts";
import {
  Conflict,
  InternalError,
  InvalidRequest,
  NotFound,
  PayloadTooLarge,
  UnsupportedMediaType
} from "./ApiErrors.ts";
import { AdminAuthorization } from "./Authorization.ts";
import { idempotencyHeaders } from "./IdempotencyKey.ts";

const id = (of: string) => Schema.String.annotate({ description: `Id of the ${of}.` });
const bodyErrors = [InvalidRequest, PayloadTooLarge, UnsupportedMediaType, InternalError];

export class AdminApi extends HttpApiGroup.make("admin")
  .add(
    HttpApiEndpoint.post("createAccount", "/accounts", {
      payload: AccountBody,
      success: AccountResponse.pipe(HttpApiSchema.status(201)),
      error: bodyErrors
    }).annotateMerge(OpenApi.annotations({ summary: "Create an account", description: "Its balance is 0." })),
    HttpApiEndpoint.get("listAccounts", "/accounts", {
      query: {
        limit: Schema.optionalKey(Schema.String.annotate({ description: "1 to 100; 20 by default." })),
        cursor: Schema.optionalKey(
          Schema.String.annotate({ description: "An earlier page's `next_cursor`." })
        ),
        q: Schema.optionalKey(Schema.String.annotate({ description: "An id, or part of a name." }))
      },
      success: AccountPage,
      error: [InvalidRequest, InternalError]
    }).annotateMerge(OpenApi.annotations({ summary: "List accounts", description: "Newest first." })),
    HttpApiEndpoint.patch("changeAccount", "/accounts/:id", {
      params: { id: id("account") },
      payload: AccountChangeBody,
      success: AccountResponse,
      error: [...bodyErrors, NotFound]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Change an account",
        description:
          "Name, plan and limits; a raised limit counts at the next request. Prices of earlier plans hold for ten " +
          "minutes where they are lower, so that no debit is above a quote that was just shown."
      })
    ),
    HttpApiEndpoint.get("getAccount", "/accounts/:id", {
      params: { id: id("account") },
      success: AccountResponse,
      error: [NotFound, InternalError]
    }).annotateMerge(
      OpenApi.annotations({ summary: "Get an account", description: "Name, balance, plan and limits." })
    ),
    HttpApiEndpoint.post("createApiKey", "/accounts/:id/api-keys", {
      params: { id: id("account") },
      payload: ApiKeyBody,
      success: ApiKeyResponse.pipe(HttpApiSchema.status(201)),
      error: [...bodyErrors, NotFound]
    }).annotateMerge(OpenApi.annotations({ summary: "Make an API key", description: "It is shown once." })),
    HttpApiEndpoint.delete("revokeApiKey", "/api-keys/:id", {
      params: { id: id("key") },
      success: HttpApiSchema.NoContent.annotate({ description: "Revoked." }),
      error: [NotFound, InternalError]
    }).annotateMerge(
      OpenApi.annotations({ summary: "Revoke an API key", description: "Its holder gets 401 at once." })
    ),
    HttpApiEndpoint.post("topUp", "/accounts/:id/top-ups", {
      params: { id: id("account") },
      headers: idempotencyHeaders("The same key and body add credits once."),
      payload: TopUpBody,
      success: TopUpResponse.pipe(HttpApiSchema.status(201)),
      error: [...bodyErrors, Conflict, NotFound]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Top up credits",
        description:
          "The first top-up of an account adds a bonus of 1,000 credits. Send an `Idempotency-Key`: the same " +
          "request again then adds nothing and answers the balance of now."
      })
    ),
    HttpApiEndpoint.post("createSignInLink", "/accounts/:id/sign-in-links", {
      params: { id: id("account") },
      success: SignInLinkResponse.pipe(HttpApiSchema.status(201)),
      error: [NotFound, InternalError]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Make a sign-in link",
        description: "Opens the web app signed in to the account, once, within 15 minutes."
      })
    ),
    HttpApiEndpoint.delete("signOutEverywhere", "/accounts/:id/sessions", {
      params: { id: id("account") },
      success: HttpApiSchema.NoContent.annotate({ description: "Signed out everywhere." }),
      error: [NotFound, InternalError]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Sign an account out everywhere",
        description: "Ends all web sessions of the account and every sign-in link that was not used yet."
      })
    )
  )
  .middleware(AdminAuthorization)
  .prefix("/admin/v1")
  .annotateMerge(OpenApi.annotations({ description: "For the operator." })) {}
