/** Who may call: a key or web session of an account for /v1, the admin token for /admin. Tests: rateLimits.test.ts, OpenApiDocument.test.ts. */
import type { RequestLimit } from "@winnow/core/domain/money/Plan";
import type { Submitter } from "@winnow/core/domain/request/Requester";
import { SESSION_COOKIE } from "@winnow/core/domain/access/Session";
import type { KeyedRead, PlannedLimit } from "@winnow/core/ports/RateLimits";
import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint";
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware";
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity";
import * as OpenApi from "effect/http-api/OpenApi";
import { RateLimited, Unauthorized } from "../ApiErrors.ts";

/**
 * How a request was authenticated. Each has its own rate-limit buckets, except the embedding program (`process`), whose
 * requests are not limited.
 */
type Via = "key" | "web" | "link" | "operator" | "process";

/**
 * The authenticated account, and how the request was authenticated. `memberId` is the signed-in member, or the one who
 * created the API key; null if it is nobody known.
 */
export class Principal extends Context.Service<
  Principal,
  Submitter & {
    readonly accountId: string;
    readonly memberId: string | null;
    readonly via: Via;
    /** Whether the key or session still is valid, from the store: for answers that take long. */
    readonly isLive: Effect.Effect<boolean>;
    /** What was read together with the API key; null without one. */
    readonly read: Pick<KeyedRead, "state" | "extraction"> | null;
  }
>()("@winnow/server/http/authentication/Principal") {}

/**
 * The web session of the request, for endpoints that accept nothing else; null when the embedding application
 * authenticated it.
 */
export class WebSession extends Context.Service<WebSession, { readonly id: string | null }>()(
  "@winnow/server/http/authentication/WebSession"
) {}

const session = HttpApiSecurity.apiKey({ in: "cookie", key: SESSION_COOKIE }).pipe(
  HttpApiSecurity.annotateMerge(
    OpenApi.annotations({
      description:
        "The cookie of a web session. Requests other than GET and HEAD must come from this server's own " +
        "pages: they need `Sec-Fetch-Site: same-origin` or the server's own `Origin`, as browsers send them."
    })
  )
);

/**
 * Either header is accepted; two different keys are rejected. Without a key, the cookie of a web session
 * authenticates for every endpoint of the account: the web app uses the same API.
 */
export class AccountAuthorization extends HttpApiMiddleware.Service<
  AccountAuthorization,
  { provides: Principal }
>()("@winnow/server/http/authentication/AccountAuthorization", {
  security: {
    apiKey: HttpApiSecurity.apiKey({ in: "header", key: "x-api-key" }).pipe(
      HttpApiSecurity.annotateMerge(OpenApi.annotations({ description: "An API key of the account." }))
    ),
    bearer: HttpApiSecurity.bearer.pipe(
      HttpApiSecurity.annotateMerge(
        OpenApi.annotations({
          description:
            "The same API key, or the operator's admin token with the header `X-Winnow-Account`, which then " +
            "acts for that account; this is logged."
        })
      )
    ),
    session
  },
  error: Unauthorized
}) {}

/** Requires a signed-in person: a leaked key must not create others, and a key cannot be signed out. */
export class SessionAuthorization extends HttpApiMiddleware.Service<
  SessionAuthorization,
  { provides: Principal | WebSession }
>()("@winnow/server/http/authentication/SessionAuthorization", {
  security: { session },
  error: Unauthorized
}) {}

export class AdminAuthorization extends HttpApiMiddleware.Service<AdminAuthorization>()(
  "@winnow/server/http/authentication/AdminAuthorization",
  {
    security: {
      adminToken: HttpApiSecurity.bearer.pipe(
        HttpApiSecurity.annotateMerge(OpenApi.annotations({ description: "The operator's admin token." }))
      )
    },
    error: Unauthorized
  }
) {}

/** Endpoints with the same bucket share a window; null is the endpoint's own name. */
export interface EndpointLimit {
  readonly bucket: string | null;
  /** The limit of the account's plan that applies. */
  readonly limit: RequestLimit;
}

/** Annotation of an endpoint; without it, the endpoint has a window of its own. */
export const EndpointLimit = Context.Reference<EndpointLimit>(
  "@winnow/server/http/authentication/EndpointLimit",
  {
    defaultValue: () => ({ bucket: null, limit: "othersPerMinute" })
  }
);

/** The rate-limit window of the endpoint. */
export const limitOf = (endpoint: HttpApiEndpoint.Top): PlannedLimit => {
  const { bucket, limit } = Context.get(endpoint.annotations, EndpointLimit);
  return { bucket: bucket ?? endpoint.identifier, limit, times: 1 };
};

/** Counts the request and sets the X-RateLimit headers, on errors too. */
export class RateLimiting extends HttpApiMiddleware.Service<RateLimiting, { requires: Principal }>()(
  "@winnow/server/http/authentication/RateLimiting",
  { error: RateLimited }
) {}
