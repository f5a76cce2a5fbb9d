/**
 * Every response passes through here: it gets its request id and, if it is an error, the envelope. Internal errors
 * are logged with that id and never revealed to the caller. What it does, every request pays for: bench/reads.ts. Tests: errors.test.ts.
 */
import { randomUUID } from "node:crypto";
import { fieldsRefused } from "@winnow/core/domain/request/BodyFields";
import {
  Busy,
  Internal,
  InvalidRequest,
  MethodNotAllowed,
  NotFound,
  NotReady,
  REFUSALS
} from "@winnow/core/domain/request/Refusal";
import { findUnavailable, type Unavailable } from "@winnow/core/ports/Unavailable";
import * as Cause from "effect/Cause";
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as HttpApiError from "effect/http-api/HttpApiError";
import * as HttpRouter from "effect/http/HttpRouter";
import * as HttpServerError from "effect/http/HttpServerError";
import * as HttpServerRequest from "effect/http/HttpServerRequest";
import * as HttpServerResponse from "effect/http/HttpServerResponse";
import * as LogLevel from "effect/LogLevel";
import * as References from "effect/References";
import type * as Types from "effect/Types";
import { errorResponse } from "./ApiErrors.ts";
import type { RouteTable } from "./routeTable.ts";
import { InProcess } from "./InProcess.ts";
import { countRequest } from "./HttpMetrics.ts";

type Response = HttpServerResponse.HttpServerResponse;

/** Letters, digits and the punctuation of common id formats; nothing that could forge a log line. */
const ACCEPTED = /^[\w.:+/=-]{1,128}$/u;

export const REQUEST_ID_HEADER = "x-request-id";

/** The caller's, if it is safe to log; else a new one. */
export const requestIdOf = (headers: HttpServerRequest.HttpServerRequest["headers"]): string => {
  const sent = headers[REQUEST_ID_HEADER];
  return sent !== undefined && ACCEPTED.test(sent) ? sent : randomUUID();
};

const INTERNAL = new Internal(REFUSALS.Internal.example);

/** How long a restart takes, as a rule. */
const STOPPING_RETRY_SECONDS = 5;

/** For requests that a stopping server interrupts; also sent by an embedded server that was closed. */
export const stoppingResponse = errorResponse(
  new NotReady({
    message: "The server is stopping; try again.",
    retryAfterSeconds: STOPPING_RETRY_SECONDS
  })
);

/**
 * Our backing services are unavailable, which is transient: nothing was done, or a retry with the idempotency key
 * finds what was done.
 */
const unavailable = ({ what, reason, retryAfterSeconds }: Unavailable): Busy | NotReady => {
  if (reason === "busy") return Busy.of(retryAfterSeconds);
  const place = what === "database" ? "The database" : "The artifact store";
  const state = reason === "full" ? "full" : "unavailable";
  return new NotReady({
    message: `${place} is ${state}; try again in ${retryAfterSeconds} seconds.`,
    details: { reason: `${what}_away` },
    retryAfterSeconds
  });
};

const isReadable = (path: string): boolean => {
  try {
    return !decodeURIComponent(path).includes("\0");
  } catch {
    return false;
  }
};

/**
 * Invalid percent-encoding in a path, or an encoded NUL, is kept literally: otherwise the router would report an
 * unknown path before the key is checked, and the database rejects NUL. `originalUrl` is unchanged.
 */
const routable = (request: HttpServerRequest.HttpServerRequest): HttpServerRequest.HttpServerRequest => {
  if (!request.url.includes("%")) return request; // nothing to decode; Node rejects an unencoded NUL
  const [path = "", ...rest] = request.url.split(/(?=[?#])/u);
  return isReadable(path)
    ? request
    : request.modify({ url: [path.replaceAll("%", "%25"), ...rest].join("") });
};

/** Properties of Node's request, which other servers do not have; those have checked the host themselves. */
interface NodeSource {
  readonly httpVersion?: string;
  /** Raw header names and values, alternating. */
  readonly rawHeaders?: ReadonlyArray<string>;
}

/** RFC 9112, section 3.2: HTTP/1.1 requires exactly one Host header. Node would reject without a body. */
const lacksHost = ({ headers, source }: HttpServerRequest.HttpServerRequest): boolean => {
  const { httpVersion, rawHeaders = [] } = source as NodeSource;
  if (headers["host"] === undefined) return httpVersion === "1.1";
  return rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === "host").length > 1;
};

const noHost = errorResponse(
  new InvalidRequest({
    message: "The request has no Host header, or several.",
    details: { param: "Host" }
  })
);

const notRouted = (
  { method, url }: HttpServerRequest.HttpServerRequest,
  { allowedMethods }: RouteTable
): Response => {
  const allowed = allowedMethods(url);
  return allowed.length === 0 || allowed.includes(method)
    ? errorResponse(new NotFound({ message: "No such path; GET /v1/openapi.json lists all paths." }))
    : HttpServerResponse.setHeader(
        errorResponse(
          new MethodNotAllowed({ message: `${method} not allowed; use ${allowed.join(" or ")}.` })
        ),
        "allow",
        allowed.join(", ")
      );
};

const badParameter = (
  { cause }: HttpApiError.HttpApiSchemaError,
  { url }: HttpServerRequest.HttpServerRequest
): Response => {
  const refused = fieldsRefused(cause.issue);
  const param = String(refused.details["param"]);
  const given = new URLSearchParams(/\?[^#]*/u.exec(url)?.[0]).getAll(param);
  return errorResponse(
    given.length === 1
      ? refused
      : new InvalidRequest({ message: `\`${param}\` must be given exactly once.`, details: { param } })
  );
};

/** The caller's error; null if it was the server's. */
const callersFault = (
  error: unknown,
  request: HttpServerRequest.HttpServerRequest,
  routes: RouteTable
): Response | null => {
  if (HttpServerError.isHttpServerError(error) && error.reason._tag === "RouteNotFound") {
    return notRouted(request, routes);
  }
  const ownErrorKinds = ["Body", "ResponseHeaders"];
  return HttpApiError.HttpApiSchemaError.is(error) && !ownErrorKinds.includes(error.kind)
    ? badParameter(error, request)
    : null;
};

const recover = Effect.fnUntraced(function* (
  cause: Cause.Cause<unknown>,
  request: HttpServerRequest.HttpServerRequest,
  routes: RouteTable
) {
  const fault = callersFault(Cause.squash(cause), request, routes);
  if (fault !== null) return fault;
  if (Cause.hasInterruptsOnly(cause)) return stoppingResponse;
  const away = findUnavailable(cause);
  if (away !== null) {
    yield* Effect.logWarning(`Request rejected: ${away.message}`);
    return errorResponse(unavailable(away));
  }
  yield* Effect.logError("Request failed", cause);
  return errorResponse(INTERNAL);
});

const logLevelOf = (request: HttpServerRequest.HttpServerRequest, status: number, isInProcess: boolean) =>
  status < 500 && (isInProcess || /^\/(?:healthz|readyz|metrics)/u.test(request.url)) ? "Debug" : "Info";

/** RFC 9110, section 15.5.2: a 401 names the authentication scheme. Browsers show no prompt for Bearer. */
const CHALLENGE = { "www-authenticate": "Bearer" };

/** For all routes, and for unknown ones. */
export const layer = (routes: RouteTable) =>
  HttpRouter.middleware(
    // A global middleware must not claim to handle every error: the annotation keeps them in its type.
    (handler): Effect.Effect<Response, Types.unhandled, HttpServerRequest.HttpServerRequest> =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest;
        const requestId = requestIdOf(request.headers);
        const startMs = yield* Clock.currentTimeMillis;
        const answer = lacksHost(request) ? Effect.succeed(noHost) : handler;
        const response = yield* answer.pipe(
          Effect.provideService(HttpServerRequest.HttpServerRequest, routable(request)),
          Effect.catchCause((cause) => recover(cause, request, routes)),
          Effect.annotateLogs({ requestId })
        );
        const durationMs = (yield* Clock.currentTimeMillis) - startMs;
        yield* countRequest(request, routes.templateOf(request.url), response.status, durationMs);
        const level = logLevelOf(request, response.status, (yield* InProcess) !== null);
        // Checked first, to avoid building a log line that is not written.
        if (LogLevel.isGreaterThanOrEqualTo(level, yield* References.MinimumLogLevel)) {
          yield* Effect.logWithLevel(level)("Request").pipe(
            Effect.annotateLogs({
              requestId,
              method: request.method,
              path: request.url.split("?", 1)[0],
              httpStatus: response.status,
              durationMs
            })
          );
        }
        return HttpServerResponse.setHeaders(response, {
          [REQUEST_ID_HEADER]: requestId,
          "x-content-type-options": "nosniff",
          ...(response.status === 401 ? CHALLENGE : {})
        });
      }),
    { global: true }
  );
