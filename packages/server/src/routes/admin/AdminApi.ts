/**
 * The operator's endpoints: accounts, keys and credits.
 */
import * as Schema from "effect/Schema";
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint";
import * as HttpApiGroup from "effect/http-api/HttpApiGroup";
import * as HttpApiSchema from "effect/http-api/HttpApiSchema";
import * as OpenApi from "effect/http-api/OpenApi";
import { ApiKeyBody } from "../account/AccountWire.ts";
import {
  AccountBody,
  AccountChangeBody,
  AccountPage,
  AccountResponse,
  ApiKeyResponse,
  SignInLinkResponse,
  TopUpBody,
  TopUpResponse
} from "./AdminWire.ts";
import { Conflict, InvalidRequest, NotFound, BODY_ERRORS } from "../../http/ApiErrors.ts";
import { AdminAuthorization } from "../../http/authentication/Authorization.ts";
import { idempotencyHeaders, PAGE_QUERY } from "../../http/openapi/described.ts";

const id = (of: string) => Schema.String.annotate({ description: `Id of the ${of}.` });

export class AdminApi extends HttpApiGroup.make("admin")
  .add(
    HttpApiEndpoint.post("createAccount", "/accounts", {
      payload: AccountBody,
      success: AccountResponse.pipe(HttpApiSchema.status(201)),
      error: BODY_ERRORS
    }).annotateMerge(OpenApi.annotations({ summary: "Create an account", description: "Its balance is 0." })),
    HttpApiEndpoint.get("listAccounts", "/accounts", {
      query: {
        ...PAGE_QUERY,
        q: Schema.optionalKey(Schema.String.annotate({ description: "An id, or part of a name." }))
      },
      success: AccountPage,
      error: InvalidRequest
    }).annotateMerge(OpenApi.annotations({ summary: "List accounts", description: "Newest first." })),
    HttpApiEndpoint.patch("changeAccount", "/accounts/:id", {
      params: { id: id("account") },
      payload: AccountChangeBody,
      success: AccountResponse,
      error: [...BODY_ERRORS, NotFound]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Change an account",
        description:
          "Changes name, plan or limits. New limits apply from the next request. If the previous plan was " +
          "cheaper, its prices apply for ten more minutes, so that no debit exceeds a recent quote."
      })
    ),
    HttpApiEndpoint.get("getAccount", "/accounts/:id", {
      params: { id: id("account") },
      success: AccountResponse,
      error: NotFound
    }).annotateMerge(
      OpenApi.annotations({ summary: "Get an account", description: "Name, balance, plan and limits." })
    ),
    HttpApiEndpoint.post("createApiKey", "/accounts/:id/api-keys", {
      params: { id: id("account") },
      payload: ApiKeyBody,
      success: ApiKeyResponse.pipe(HttpApiSchema.status(201)),
      error: [...BODY_ERRORS, NotFound]
    }).annotateMerge(
      OpenApi.annotations({ summary: "Create an API key", description: "The key is shown once." })
    ),
    HttpApiEndpoint.delete("revokeApiKey", "/api-keys/:id", {
      params: { id: id("key") },
      success: HttpApiSchema.NoContent.annotate({ description: "Revoked." }),
      error: NotFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Revoke an API key",
        description: "Takes effect at once: requests with this key return 401."
      })
    ),
    HttpApiEndpoint.post("topUp", "/accounts/:id/top-ups", {
      params: { id: id("account") },
      headers: idempotencyHeaders("Requests with the same key and body add credits once."),
      payload: TopUpBody,
      success: TopUpResponse.pipe(HttpApiSchema.status(201)),
      error: [...BODY_ERRORS, Conflict, NotFound]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Top up credits",
        description:
          "The first top-up of an account adds a bonus of 1,000 credits. Send an `Idempotency-Key`: " +
          "repeating the request then adds nothing and returns the current balance."
      })
    ),
    HttpApiEndpoint.post("createSignInLink", "/accounts/:id/sign-in-links", {
      params: { id: id("account") },
      success: SignInLinkResponse.pipe(HttpApiSchema.status(201)),
      error: NotFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Create a sign-in link",
        description: "A link that opens the web app, signed in to the account. Works once, within 15 minutes."
      })
    ),
    HttpApiEndpoint.delete("signOutEverywhere", "/accounts/:id/sessions", {
      params: { id: id("account") },
      success: HttpApiSchema.NoContent.annotate({ description: "All sessions ended." }),
      error: NotFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Sign an account out everywhere",
        description: "Ends all web sessions of the account and invalidates unused sign-in links."
      })
    )
  )
  .middleware(AdminAuthorization)
  .prefix("/admin/v1")
  .annotateMerge(OpenApi.annotations({ description: "For the operator." })) {}
