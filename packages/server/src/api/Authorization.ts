/**
 * Who may call: an API key of an account for /v1, the operator's token for /admin.
 */
import * as Context from "effect/Context";
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware";
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity";
import * as OpenApi from "effect/http-api/OpenApi";
import { RateLimited, Unauthorized } from "./ApiErrors.ts";

/** The account whose key came with the request. */
export class Principal extends Context.Service<Principal, { readonly accountId: string }>()(
  "@winnow/server/api/Principal"
) {}

/** Either header will do; both with different keys are refused (contract 4). */
export class AccountAuthorization extends HttpApiMiddleware.Service<
  AccountAuthorization,
  { provides: Principal }
>()("@winnow/server/api/AccountAuthorization", {
  security: {
    apiKey: HttpApiSecurity.apiKey({ in: "header", key: "x-api-key" }).pipe(
      HttpApiSecurity.annotateMerge(OpenApi.annotations({ description: "An API key of the account." }))
    ),
    bearer: HttpApiSecurity.bearer.pipe(
      HttpApiSecurity.annotateMerge(OpenApi.annotations({ description: "The same API key." }))
    )
  },
  error: Unauthorized
}) {}

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
  readonly perMinute: number;
}

/** Annotation of an endpoint (specification, "Rate limits"). */
export const EndpointLimit = Context.Reference<EndpointLimit>("@winnow/server/api/EndpointLimit", {
  defaultValue: () => ({ bucket: null, perMinute: 60 })
});

/** Counts the request and sets the X-RateLimit headers, on refusals too. */
export class RateLimiting extends HttpApiMiddleware.Service<RateLimiting, { requires: Principal }>()(
  "@winnow/server/api/RateLimiting",
  { error: RateLimited }
) {}
