/**
 * Who may call: an API key or a web session of an account for /v1, the operator's token for /admin.
 */
import type { RateName } from "@winnow/core/domain/PlanLimits";
import type { Submitter } from "@winnow/core/domain/Requester";
import { SESSION_COOKIE } from "@winnow/core/domain/Session";
import * as Context from "effect/Context";
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware";
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity";
import * as OpenApi from "effect/http-api/OpenApi";
import { RateLimited, Unauthorized } from "./ApiErrors.ts";

/** Lower-case, as headers are looked up. Names the account that the admin token acts for. */
export const ACCOUNT_HEADER = "x-winnow-account";

/** Each counts its requests apart: none uses up those of another. */
export type Via = "key" | "web" | "link" | "operator";

/** The account whose key or session came with the request, and which of them it was. */
export class Principal extends Context.Service<
  Principal,
  Submitter & { readonly accountId: string; readonly via: Via }
>()("@winnow/server/api/Principal") {}

/** The session that came with the request, where nothing else will do; null when an embedder vouches for it. */
export class WebSession extends Context.Service<WebSession, { readonly id: string | null }>()(
  "@winnow/server/api/WebSession"
) {}

const session = HttpApiSecurity.apiKey({ in: "cookie", key: SESSION_COOKIE }).pipe(
  HttpApiSecurity.annotateMerge(
    OpenApi.annotations({
      description:
        "The cookie of a web session. Whatever is no GET or HEAD must come from this server's own pages: " +
        "with `Sec-Fetch-Site: same-origin` or its own `Origin`, as browsers send them."
    })
  )
);

/**
 * Either header will do; both with different keys are refused (contract 4). Without a key the cookie of a
 * web session counts, for everything that the account may do: the web app is one of its programs.
 */
export class AccountAuthorization extends HttpApiMiddleware.Service<
  AccountAuthorization,
  { provides: Principal }
>()("@winnow/server/api/AccountAuthorization", {
  security: {
    apiKey: HttpApiSecurity.apiKey({ in: "header", key: "x-api-key" }).pipe(
      HttpApiSecurity.annotateMerge(OpenApi.annotations({ description: "An API key of the account." }))
    ),
    bearer: HttpApiSecurity.bearer.pipe(
      HttpApiSecurity.annotateMerge(
        OpenApi.annotations({
          description:
            "The same API key. The operator's admin token acts for the account that the header `X-Winnow-Account` " +
            "names, which is logged."
        })
      )
    ),
    session
  },
  error: Unauthorized
}) {}

/** A person who is signed in: a leaked key must not make others, and a key cannot be signed out. */
export class SessionAuthorization extends HttpApiMiddleware.Service<
  SessionAuthorization,
  { provides: Principal | WebSession }
>()("@winnow/server/api/SessionAuthorization", { security: { session }, error: Unauthorized }) {}

export class AdminAuthorization extends HttpApiMiddleware.Service<AdminAuthorization>()(
  "@winnow/server/api/AdminAuthorization",
  {
    security: {
      adminToken: HttpApiSecurity.bearer.pipe(
        HttpApiSecurity.annotateMerge(OpenApi.annotations({ description: "The operator's admin token." }))
      )
    },
    error: Unauthorized
  }
) {}

/** Requests that share a window; null takes the endpoint's own name. */
export interface EndpointLimit {
  readonly bucket: string | null;
  /** The limit of the account's plan that counts. */
  readonly rate: RateName;
  /** So many times that limit; 1 without it. */
  readonly times?: number;
}

/** Annotation of an endpoint (specification, "Rate limits"). */
export const EndpointLimit = Context.Reference<EndpointLimit>("@winnow/server/api/EndpointLimit", {
  defaultValue: () => ({ bucket: null, rate: "othersPerMinute" })
});

/** Annotation of an endpoint that answers with the extraction `id` of its path and does nothing else. */
export const AnswersExtraction = Context.Reference<boolean>("@winnow/server/api/AnswersExtraction", {
  defaultValue: () => false
});

/** Counts the request and sets the X-RateLimit headers, on refusals too. */
export class RateLimiting extends HttpApiMiddleware.Service<RateLimiting, { requires: Principal }>()(
  "@winnow/server/api/RateLimiting",
  { error: RateLimited }
) {}
