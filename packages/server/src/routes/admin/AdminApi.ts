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
import { idempotencyHeaders, PAGE_QUERY, titled } from "../../http/openapi/described.ts";

const id = (of: string) => Schema.String.annotate({ description: `Id of the ${of}.` });

export class AdminApi extends HttpApiGroup.make("admin")
  .add(
    HttpApiEndpoint.post("createAccount", "/accounts", {
      payload: AccountBody,
      success: AccountResponse.pipe(HttpApiSchema.status(201)),
      error: BODY_ERRORS
    }).annotateMerge(titled("Create an account", "Its balance is 0.")),
    HttpApiEndpoint.get("listAccounts", "/accounts", {
      query: {
        ...PAGE_QUERY,
        q: Schema.optionalKey(Schema.String.annotate({ description: "An id, or part of a name." }))
      },
      success: AccountPage,
      error: InvalidRequest
    }).annotateMerge(titled("List accounts", "Newest first.")),
    HttpApiEndpoint.patch("changeAccount", "/accounts/:id", {
      params: { id: id("account") },
      payload: AccountChangeBody,
      success: AccountResponse,
      error: [...BODY_ERRORS, NotFound]
    }).annotateMerge(
      titled(
        "Change an account",
        "Changes name, plan or limits. New limits apply from the next request. If the previous plan was " +
          "cheaper, its prices apply for ten more minutes, so that no debit exceeds a recent quote."
      )
    ),
    HttpApiEndpoint.get("getAccount", "/accounts/:id", {
      params: { id: id("account") },
      success: AccountResponse,
      error: NotFound
    }).annotateMerge(titled("Get an account", "Name, balance, plan and limits.")),
    HttpApiEndpoint.post("createApiKey", "/accounts/:id/api-keys", {
      params: { id: id("account") },
      payload: ApiKeyBody,
      success: ApiKeyResponse.pipe(HttpApiSchema.status(201)),
      error: [...BODY_ERRORS, NotFound]
    }).annotateMerge(titled("Create an API key", "The key is shown once.")),
    HttpApiEndpoint.delete("revokeApiKey", "/api-keys/:id", {
      params: { id: id("key") },
      success: HttpApiSchema.NoContent.annotate({ description: "Revoked." }),
      error: NotFound
    }).annotateMerge(titled("Revoke an API key", "Takes effect at once: requests with this key return 401.")),
    HttpApiEndpoint.post("topUp", "/accounts/:id/top-ups", {
      params: { id: id("account") },
      headers: idempotencyHeaders("Requests with the same key and body add credits once."),
      payload: TopUpBody,
      success: TopUpResponse.pipe(HttpApiSchema.status(201)),
      error: [...BODY_ERRORS, Conflict, NotFound]
    }).annotateMerge(
      titled(
        "Top up credits",
        "The first top-up of an account adds a bonus of 1,000 credits. Send an `Idempotency-Key`: " +
          "repeating the request then adds nothing and returns the current balance."
      )
    ),
    HttpApiEndpoint.post("createSignInLink", "/accounts/:id/sign-in-links", {
      params: { id: id("account") },
      success: SignInLinkResponse.pipe(HttpApiSchema.status(201)),
      error: NotFound
    }).annotateMerge(
      titled(
        "Create a sign-in link",
        "A link that opens the web app, signed in to the account. Works once, within 15 minutes."
      )
    ),
    HttpApiEndpoint.delete("signOutEverywhere", "/accounts/:id/sessions", {
      params: { id: id("account") },
      success: HttpApiSchema.NoContent.annotate({ description: "All sessions ended." }),
      error: NotFound
    }).annotateMerge(
      titled(
        "Sign an account out everywhere",
        "Ends all web sessions of the account and invalidates unused sign-in links."
      )
    )
  )
  .middleware(AdminAuthorization)
  .prefix("/admin/v1")
  .annotateMerge(OpenApi.annotations({ description: "For the operator." })) {}
