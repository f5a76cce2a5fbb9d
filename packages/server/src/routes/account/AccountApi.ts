/** Endpoints of the account, and those that require a web session. */
import { USAGE_DAYS_DEFAULT, USAGE_DAYS_MAX } from "@winnow/core/domain/run/Usage";
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint";
import * as HttpApiGroup from "effect/http-api/HttpApiGroup";
import * as Schema from "effect/Schema";
import * as HttpApiSchema from "effect/http-api/HttpApiSchema";
import * as OpenApi from "effect/http-api/OpenApi";
import { OPTIONAL_BODY, titled } from "../../http/openapi/described.ts";
import { oneOf, PAGE_QUERY, pathId, wholeNumber } from "../../http/parameters.ts";
import {
  AccountOverview,
  ApiKeyBody,
  ApiKeyList,
  CreatedApiKey,
  LedgerPage,
  SessionList,
  UsageReport,
  MemberBody,
  MemberItem,
  MemberList
} from "./AccountWire.ts";
import { InvalidRequest, NotFound } from "../../http/ApiErrors.ts";
import { BILLING_OFFER, START_TOP_UP } from "../billing/BillingApi.ts";
import {
  AccountAuthorization,
  RateLimiting,
  SessionAuthorization
} from "../../http/authentication/Authorization.ts";
import { SetCookie } from "../sign-in/SignInApi.ts";
import { JsonBody } from "../../http/JsonBody.ts";

const USAGE_MONTH = Schema.optionalKey(
  Schema.String.annotate({
    description: "`YYYY-MM`, UTC: the days of that month up to today, in place of the last `days`."
  }).check(
    Schema.isPattern(/^20\d\d-(?:0[1-9]|1[0-2])$/u, { message: "`month` must be a month, such as 2026-07" })
  )
);

export class AccountApi extends HttpApiGroup.make("account")
  .add(
    HttpApiEndpoint.get("account", "/account", {
      success: AccountOverview
    }).annotateMerge(
      titled("Get the account", "Balance, numbers of running and queued extractions, plan and limits.", {
        call: "account"
      })
    ),
    HttpApiEndpoint.get("usage", "/usage", {
      query: {
        days: wholeNumber("days", {
          byDefault: USAGE_DAYS_DEFAULT,
          max: USAGE_DAYS_MAX,
          example: 7,
          description: `1 to ${USAGE_DAYS_MAX}; ${USAGE_DAYS_DEFAULT} by default.`
        }),
        month: USAGE_MONTH
      },
      success: UsageReport,
      error: InvalidRequest
    }).annotateMerge(
      titled(
        "Get usage by day",
        "The last days up to today (UTC), or those of a month, oldest first, including days without usage.",
        { call: "usage" }
      )
    ),
    BILLING_OFFER,
    HttpApiEndpoint.get("ledger", "/ledger", {
      query: PAGE_QUERY,
      success: LedgerPage,
      error: InvalidRequest
    }).annotateMerge(
      titled(
        "List ledger entries",
        "Every change of the account's balance, newest first. Their sum is the balance.",
        { call: "ledger.page" }
      )
    )
  )
  .middleware(RateLimiting)
  .middleware(AccountAuthorization)
  .prefix("/v1")
  .annotateMerge(OpenApi.annotations({ description: "The account that the key or session belongs to." })) {}

export class SessionApi extends HttpApiGroup.make("session")
  .add(
    HttpApiEndpoint.get("listApiKeys", "/api-keys", {
      success: ApiKeyList
    }).annotateMerge(titled("List API keys", "Without revoked keys.", { call: "apiKeys.list" })),
    HttpApiEndpoint.post("createApiKey", "/api-keys", {
      payload: ApiKeyBody,
      success: CreatedApiKey.pipe(HttpApiSchema.status(201)),
      error: NotFound
    })
      .middleware(JsonBody)
      .annotateMerge(OPTIONAL_BODY)
      .annotateMerge(
        titled(
          "Create an API key for the account",
          "The key is shown once. An account can have at most 100.",
          { call: "apiKeys.create", retry: false }
        )
      ),
    HttpApiEndpoint.delete("revokeApiKey", "/api-keys/:id", {
      params: { id: pathId("API key", "key_01hzx3") },
      success: HttpApiSchema.NoContent.annotate({ description: "Revoked." }),
      error: NotFound
    }).annotateMerge(
      titled("Revoke an API key of the account", "Takes effect at once: requests with this key return 401.", {
        call: "apiKeys.revoke"
      })
    ),
    HttpApiEndpoint.delete("signOut", "/session", {
      success: HttpApiSchema.WithHeaders(HttpApiSchema.NoContent.annotate({ description: "Signed out." }), {
        "set-cookie": SetCookie
      }),
      error: InvalidRequest
    }).annotateMerge(titled("Sign out", "Ends this web session at once.", { call: "session.signOut" })),
    HttpApiEndpoint.get("listSessions", "/sessions", {
      success: SessionList
    }).annotateMerge(
      titled(
        "List web sessions",
        "All web sessions of the account, including the current one. Empty if an embedding application " +
          "handles sign-in.",
        { call: "session.list" }
      )
    ),
    HttpApiEndpoint.delete("endSessions", "/sessions", {
      success: HttpApiSchema.WithHeaders(
        HttpApiSchema.NoContent.annotate({ description: "All sessions ended." }),
        { "set-cookie": SetCookie }
      ),
      error: InvalidRequest
    }).annotateMerge(
      titled(
        "Sign out everywhere",
        "Ends every web session of the account, including this one, unused sign-in links, and the links to results that were not made with an API key.",
        { call: "session.signOutEverywhere" }
      )
    ),
    START_TOP_UP,
    HttpApiEndpoint.get("listMembers", "/members", {
      success: MemberList
    }).annotateMerge(
      titled(
        "List members",
        "People who may sign in without a link from the operator, and open invitations, oldest first.",
        { call: "members.list" }
      )
    ),
    HttpApiEndpoint.post("addMember", "/members", {
      payload: MemberBody,
      success: MemberItem.pipe(HttpApiSchema.status(201)),
      error: NotFound
    })
      .middleware(JsonBody)
      .annotateMerge(
        titled(
          "Invite a member",
          "Members are invited by e-mail address, which their identity provider must confirm. Its owner accepts " +
            "or declines at the next sign-in, and stays a member if their address changes. The response does not " +
            "depend on whether other accounts have invited the address or its owner has an account: a person who " +
            "is a member of another account keeps it, and sees no invitations. An invitation expires after 14 " +
            "days; inviting again extends it. An account can have at most 100 members and invitations.",
          { call: "members.add" }
        )
      ),
    HttpApiEndpoint.delete("removeMember", "/members/:id", {
      params: { id: pathId("member or invitation", "mem_01hzx3") },
      query: {
        revoke: oneOf(
          "revoke",
          ["true", "false"],
          "`true` also revokes the API keys, webhook endpoints and open invitations that the member made.",
          "must be `true` or `false`"
        )
      },
      success: HttpApiSchema.NoContent.annotate({ description: "Removed." }),
      error: [InvalidRequest, NotFound]
    }).annotateMerge(
      titled(
        "Remove a member or withdraw an invitation",
        "Ends the member's sessions at once. What the member made stays, unless `revoke` is `true`: `createdBy` " +
          "of API keys and webhook endpoints and `invitedBy` of invitations have the member's id.",
        { call: "members.remove" }
      )
    )
  )
  .middleware(RateLimiting)
  .middleware(SessionAuthorization)
  .prefix("/v1")
  .annotateMerge(
    OpenApi.annotations({
      description:
        "For people signed in to the web app. API keys are not accepted: a leaked key must not create others."
    })
  ) {}
