/** The operator's endpoints: accounts, keys and credits. */
import * as Schema from "effect/Schema";
import { Integer } from "@winnow/core/domain/text/Integer";
import { Credits } from "@winnow/core/domain/money/Credits";
import { DEFAULT_PLAN, LimitsChange as Change } from "@winnow/core/domain/money/Plan";
import { ExtractionStatus } from "@winnow/core/domain/run/Transition";
import { TopUpCredits } from "@winnow/core/domain/money/Payment";
import { NameText } from "@winnow/core/domain/text/NameText";
import { LIMIT_FIELDS, PlanLimits, ApiKeyBody } from "../account/AccountWire.ts";
import {
  DateTime,
  described,
  domainFields,
  field,
  fromCore,
  pageSchema,
  OPTIONAL_BODY,
  titled,
  TextOrNull
} from "../../http/openapi/described.ts";
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint";
import * as HttpApiGroup from "effect/http-api/HttpApiGroup";
import * as HttpApiSchema from "effect/http-api/HttpApiSchema";
import * as OpenApi from "effect/http-api/OpenApi";
import { Conflict, InvalidRequest, NotFound } from "../../http/ApiErrors.ts";
import { AdminAuthorization } from "../../http/authentication/Authorization.ts";
import { idempotencyHeaders, EXTRACTION_ID, PAGE_QUERY, pathId, text } from "../../http/parameters.ts";
import { JsonBody } from "../../http/JsonBody.ts";

// Wire shapes of the operator's endpoints.

const PLAN = "Name of one of the server's plans (`WINNOW_PLANS`)";

export const AccountBody = described("AccountBody", "A new account.", {
  name: field(NameText, "Display name.", "Newsroom"),
  plan: field(Schema.optionalKey(Schema.String), `${PLAN}; \`default\` if absent.`)
});

export type AccountBody = typeof AccountBody.Type;

const LimitsChange = described(
  "LimitsChange",
  "Limits to change; null resets one to the plan's value.",
  domainFields(Change.fields, LIMIT_FIELDS)
).annotate({ examples: [{ runningMax: 20, retentionDays: null }] as never });

export const AccountChangeBody = described(
  "AccountChangeBody",
  "Changes to an account. Absent fields stay as they are.",
  {
    name: field(Schema.optionalKey(NameText), "Display name."),
    plan: field(Schema.optionalKey(Schema.String), `${PLAN}.`, "studio"),
    limits: field(
      Schema.optionalKey(LimitsChange),
      "Limits of this account, which override those of its plan; null resets one to the plan's value.",
      { runningMax: 20 }
    )
  }
);

const AccountResponse = described("Account", "An account.", {
  id: field(Schema.String, "Id of the account.", "acc_01hzx3"),
  name: field(Schema.String, "Display name.", "Newsroom"),
  balance: field(Credits, "Credits.", 11_000),
  owedCredits: field(
    Credits,
    "Credits of refunded or disputed payments that the balance did not hold. Refunds of runs and top-ups pay them first.",
    0
  ),
  plan: field(Schema.String, "Name of its plan.", DEFAULT_PLAN),
  limits: field(PlanLimits, "The limits that apply: the plan's, overridden by the account's own.")
});

export const AccountPage = pageSchema("AccountPage", "One page of accounts.", AccountResponse);

const ApiKeyResponse = described("ApiKey", "A new API key.", {
  id: field(Schema.String, "Use it to revoke the key.", "key_01hzx3"),
  name: field(Schema.String, "Display name.", "Nightly import"),
  key: field(Schema.String, "Shown only once; store it safely.", "wnw_EXAMPLE")
});

export const TopUpBody = described(
  "TopUpBody",
  "Credits to add. The first top-up of an account adds a bonus of 1,000.",
  {
    credits: field(TopUpCredits, "Whole credits; 1 credit is $0.0001.", 10_000)
  }
);

const TopUpResponse = described("Balance", "The balance after the top-up.", {
  balance: field(Credits, "Credits.", 11_000)
});

const SignInLinkResponse = described("SignInLink", "A one-time sign-in link to the web app.", {
  url: field(
    Schema.String,
    "Open it in a browser and press the button. Works once and is shown only once.",
    "https://winnow.example/sign-in?token=wnl_9PzSkQ3J0bQmH8cXw2Lr5TnV7yAdE4uGfK1sRoZiWj3vBqNt"
  ),
  expiresAt: field(DateTime, "15 minutes after it was created.", "2026-11-21T08:15:00.000Z")
}).pipe(fromCore({ expiresAt: "expiresAtMs" }));

const RouteResponse = described(
  "SourceRoute",
  "A way to sources, in the process that answers, since it started.",
  {
    name: field(
      Schema.String,
      "Its name in `WINNOW_ROUTES`; `default` is the way of hosts that no route serves.",
      "homes"
    ),
    proxy: field(
      TextOrNull,
      "Scheme, host and port of its proxy, without credentials; null without one.",
      "socks5://proxy.example:1080"
    ),
    hosts: field(Schema.NullOr(Schema.Array(Schema.String)), "The hosts that it serves; null for all.", [
      "youtube.com"
    ]),
    order: field(Integer, "Routes of a host are tried from the lowest number.", 2),
    resting: field(
      Schema.Array(
        Schema.Struct({
          host: TextOrNull,
          reason: Schema.Literals(["bot_blocked", "rate_limited", "unreachable"]),
          until: DateTime
        }).pipe(fromCore({ until: "untilMs" }))
      ),
      "Hosts at which it rests, why, and until when; `host` is null if its proxy does not work.",
      [{ host: "youtube.com", reason: "bot_blocked", until: "2026-11-21T08:15:00.000Z" }]
    ),
    cookies: field(
      Schema.NullOr(
        Schema.Struct({
          count: Integer,
          writtenAt: Schema.NullOr(DateTime),
          expiresAt: Schema.NullOr(DateTime),
          lastSuccessAt: Schema.NullOr(DateTime),
          problem: TextOrNull
        }).pipe(
          fromCore({
            count: "cookies",
            writtenAt: "writtenAtMs",
            expiresAt: "expiresAtMs",
            lastSuccessAt: "lastSuccessAtMs"
          })
        )
      ),
      "Its cookie file: cookies for its hosts, when it was written and expires, when a run with it last succeeded, and what is wrong with it; null without one.",
      {
        count: 14,
        writtenAt: "2026-11-01T08:15:00.000Z",
        expiresAt: "2027-05-01T08:15:00.000Z",
        lastSuccessAt: "2026-11-21T08:00:00.000Z",
        problem: null
      }
    )
  }
).pipe(fromCore({ cookies: "jar" }));

const RouteList = described("SourceRouteList", "The ways to sources.", {
  routes: field(Schema.Array(RouteResponse), "In the order in which they are tried.", [])
});

const RunRouteResponse = described("RunRoute", "By which route a run was served.", {
  id: field(Schema.String, "Id of the extraction.", "ext_01hzx3"),
  status: field(ExtractionStatus, "Its status.", "complete"),
  route: field(TextOrNull, "Name of the route; null while the run is not complete.", "homes")
});

const ACCOUNT_ID = pathId("account", "acc_01hzx3");

export class AdminApi extends HttpApiGroup.make("admin")
  .add(
    HttpApiEndpoint.post("createAccount", "/accounts", {
      payload: AccountBody,
      success: AccountResponse.pipe(HttpApiSchema.status(201))
    })
      .middleware(JsonBody)
      .annotateMerge(
        titled("Create an account", "Its balance is 0.", { call: "admin.accounts.create", retry: false })
      ),
    HttpApiEndpoint.get("listAccounts", "/accounts", {
      query: {
        ...PAGE_QUERY,
        q: text("An id, or part of a name.")
      },
      success: AccountPage,
      error: InvalidRequest
    }).annotateMerge(titled("List accounts", "Newest first.", { call: "admin.accounts.page" })),
    HttpApiEndpoint.patch("changeAccount", "/accounts/:id", {
      params: { id: ACCOUNT_ID },
      payload: AccountChangeBody,
      success: AccountResponse,
      error: NotFound
    })
      .middleware(JsonBody)
      .annotateMerge(OPTIONAL_BODY)
      .annotateMerge(
        titled(
          "Change an account",
          "Changes name, plan or limits. New limits apply from the next request. If the previous plan was " +
            "cheaper, its prices apply for ten more minutes, so that no debit exceeds a recent quote.",
          { call: "admin.accounts.update" }
        )
      ),
    HttpApiEndpoint.get("getAccount", "/accounts/:id", {
      params: { id: ACCOUNT_ID },
      success: AccountResponse,
      error: NotFound
    }).annotateMerge(
      titled("Get an account", "Name, balance, plan and limits.", { call: "admin.accounts.get" })
    ),
    HttpApiEndpoint.post("createApiKey", "/accounts/:id/api-keys", {
      params: { id: ACCOUNT_ID },
      payload: ApiKeyBody,
      success: ApiKeyResponse.pipe(HttpApiSchema.status(201)),
      error: NotFound
    })
      .middleware(JsonBody)
      .annotateMerge(OPTIONAL_BODY)
      .annotateMerge(
        titled("Create an API key", "The key is shown once.", { call: "admin.apiKeys.create", retry: false })
      ),
    HttpApiEndpoint.delete("revokeApiKey", "/api-keys/:id", {
      params: { id: pathId("API key", "key_01hzx3") },
      success: HttpApiSchema.NoContent.annotate({ description: "Revoked." }),
      error: NotFound
    }).annotateMerge(
      titled("Revoke an API key", "Takes effect at once: requests with this key return 401.", {
        call: "admin.apiKeys.revoke"
      })
    ),
    HttpApiEndpoint.post("topUp", "/accounts/:id/top-ups", {
      params: { id: ACCOUNT_ID },
      headers: idempotencyHeaders("Requests with the same key and body add credits once."),
      payload: TopUpBody,
      success: TopUpResponse.pipe(HttpApiSchema.status(201)),
      error: [Conflict, NotFound]
    })
      .middleware(JsonBody)
      .annotateMerge(
        titled(
          "Top up credits",
          "The first top-up of an account adds a bonus of 1,000 credits. Send an `Idempotency-Key`: " +
            "repeating the request then adds nothing and returns the current balance.",
          { call: "admin.topUps.create" }
        )
      ),
    HttpApiEndpoint.post("createSignInLink", "/accounts/:id/sign-in-links", {
      params: { id: ACCOUNT_ID },
      success: SignInLinkResponse.pipe(HttpApiSchema.status(201)),
      error: NotFound
    }).annotateMerge(
      titled(
        "Create a sign-in link",
        "A link whose page signs in to the account with a button. Works once, within 15 minutes.",
        { call: "admin.signInLinks.create" }
      )
    ),
    HttpApiEndpoint.delete("signOutEverywhere", "/accounts/:id/sessions", {
      params: { id: ACCOUNT_ID },
      success: HttpApiSchema.NoContent.annotate({ description: "All sessions ended." }),
      error: NotFound
    }).annotateMerge(
      titled(
        "Sign an account out everywhere",
        "Ends all web sessions of the account and invalidates unused sign-in links.",
        { call: "admin.accounts.signOutEverywhere" }
      )
    )
  )
  .add(
    HttpApiEndpoint.get("listRoutes", "/routes", { success: RouteList }).annotateMerge(
      titled(
        "List routes",
        "The ways to sources, with rests and cookie files; of this process, like its metrics.",
        { call: "admin.routes" }
      )
    ),
    HttpApiEndpoint.get("getRunRoute", "/accounts/:id/extractions/:extractionId/route", {
      params: { id: ACCOUNT_ID, extractionId: EXTRACTION_ID },
      success: RunRouteResponse,
      error: NotFound
    }).annotateMerge(
      titled("Get the route of a run", "Which route served it. The account itself is not told.", {
        call: "admin.accounts.runRoute"
      })
    )
  )
  .middleware(AdminAuthorization)
  .prefix("/admin/v1")
  .annotateMerge(OpenApi.annotations({ description: "For the operator." })) {}
