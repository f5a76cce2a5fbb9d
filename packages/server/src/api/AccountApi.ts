/**
 * What an account may ask about itself, and what only a signed-in person may (contract 8).
 */
import { USAGE_DAYS_DEFAULT, USAGE_DAYS_MAX } from "@winnow/core/domain/Usage";
import * as Schema from "effect/Schema";
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint";
import * as HttpApiGroup from "effect/http-api/HttpApiGroup";
import * as HttpApiSchema from "effect/http-api/HttpApiSchema";
import * as OpenApi from "effect/http-api/OpenApi";
import {
  AccountOverview,
  ApiKeyList,
  CreatedApiKey,
  LedgerPage,
  SessionList,
  UsageReport
} from "./AccountWire.ts";
import { ApiKeyBody } from "./AdminWire.ts";
import {
  InternalError,
  InvalidRequest,
  NotFound,
  NotReady,
  PayloadTooLarge,
  RateLimited,
  UnsupportedMediaType
} from "./ApiErrors.ts";
import { AccountEventStream } from "./EventsWire.ts";
import { BillingOffer, TopUpPage, TopUpRequest } from "./BillingWire.ts";
import { MemberBody, MemberItem, MemberList } from "./MemberWire.ts";
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
        description: "Balance, how many extractions run and wait, and what the account may do."
      })
    ),
    HttpApiEndpoint.get("accountEvents", "/events", {
      success: AccountEventStream,
      error: [RateLimited, InternalError]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Watch the account",
        description:
          "Server-sent events of everything that happens in the account from now on: `extraction` when one is " +
          "made, changes its state, runs on (about once a second) or is deleted, `balance`, first of all the one " +
          "of now, and `delivery` when a webhook is made or attempted.\n\n" +
          "Events have no ids and none is kept: what happened while nobody was connected is in the lists. A " +
          "stream ends after 5 minutes at most; connect again and read the lists again. A comment every 15 s " +
          "keeps idle proxies from closing the connection. An account has 20 streams at once."
      })
    ),
    HttpApiEndpoint.get("usage", "/usage", {
      query: {
        days: Schema.optionalKey(
          Schema.String.annotate({ description: `1 to ${USAGE_DAYS_MAX}; ${USAGE_DAYS_DEFAULT} by default.` })
        )
      },
      success: UsageReport,
      error: [InvalidRequest, InternalError]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Get the usage by day",
        description: "The last days up to today (UTC), oldest first, days without use included."
      })
    ),
    HttpApiEndpoint.get("billing", "/billing", {
      success: BillingOffer,
      error: InternalError
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Get the offer of credits",
        description: "What is sold, or what the operator says about more credits."
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
    ),
    HttpApiEndpoint.get("listSessions", "/sessions", {
      success: SessionList,
      error: InternalError
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List web sessions",
        description:
          "Of the account, this one included. Where an application around the server signs people in, empty."
      })
    ),
    HttpApiEndpoint.delete("endSessions", "/sessions", {
      success: HttpApiSchema.WithHeaders(
        HttpApiSchema.NoContent.annotate({ description: "Signed out everywhere." }),
        { "set-cookie": SetCookie }
      ),
      error: [InvalidRequest, InternalError]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Sign out everywhere",
        description:
          "Ends every web session of the account, this one too, and every sign-in link that was not used."
      })
    ),
    HttpApiEndpoint.post("startTopUp", "/top-ups", {
      payload: TopUpRequest,
      success: TopUpPage.pipe(HttpApiSchema.status(201)),
      error: [InvalidRequest, PayloadTooLarge, UnsupportedMediaType, InternalError, NotReady]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Buy credits",
        description:
          "Answers the page of the payment service. Credits come when that service tells of the payment, usually " +
          "within seconds of coming back; the first purchase adds the bonus."
      })
    ),
    HttpApiEndpoint.get("listMembers", "/members", {
      success: MemberList,
      error: InternalError
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List members",
        description: "Who may sign in without a link from the operator, oldest first."
      })
    ),
    HttpApiEndpoint.post("addMember", "/members", {
      payload: MemberBody,
      success: MemberItem.pipe(HttpApiSchema.status(201)),
      error: [InvalidRequest, NotFound, PayloadTooLarge, UnsupportedMediaType, InternalError]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Add a member",
        description:
          "By e-mail address, which a sign-in service must vouch for. Whoever first signs in with it is the member " +
          "from then on, whatever their address. The same again answers the same member. An account has 100 at most."
      })
    ),
    HttpApiEndpoint.delete("removeMember", "/members/:id", {
      params: { id: Schema.String.annotate({ description: "Id of the member." }) },
      success: HttpApiSchema.NoContent.annotate({ description: "Removed." }),
      error: [NotFound, InternalError]
    }).annotateMerge(
      OpenApi.annotations({ summary: "Remove a member", description: "Their sessions end at once." })
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
