/** `POST /mcp`: the tools over HTTP with an API key: authentication, rate limits and accounting. */
import { RateLimited } from "@winnow/core/domain/request/Refusal";
import { Extractions } from "@winnow/core/engine/extractions/Extractions";
import { makeSigningSecret } from "@winnow/core/engine/SigningSecret";
import type { PlannedLimit } from "@winnow/core/ports/RateLimits";
import * as ByteSize from "effect/ByteSize";
import * as Effect from "effect/Effect";
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage";
import * as HttpRouter from "effect/http/HttpRouter";
import * as HttpServerRequest from "effect/http/HttpServerRequest";
import * as Layer from "effect/Layer";
import * as Result from "effect/Result";
import * as Scope from "effect/Scope";
import { errorResponse } from "../http/ApiErrors.ts";
import { setResponseHeaders } from "../http/handlers.ts";
import { keyOf, makeKeyPrincipal } from "../http/authentication/AuthorizationHttp.ts";
import { EventStreams } from "../http/limits/EventStreams.ts";
import { inProcessFetch } from "../http/InProcess.ts";
import { makeCount, rateLimitHeaders, rateLimitMessage } from "../http/limits/RateLimitingHttp.ts";
import { BODY_BYTES_MAX } from "../http/JsonBody.ts";
import type { OwnServer } from "./callerSource.ts";
import { MCP_PATH, type McpOptions, ToolUser } from "./ToolUser.ts";

/** The protocol's own requests; what a tool asks the API for also counts there. */
export const MCP: PlannedLimit = { bucket: "mcp", limit: "othersPerMinute", times: 2 };

/** Loaded at the first request, because most servers see none for long and start faster without it (bench/start.ts). */
const makeLoaded = Effect.fnUntraced(function* (options: McpOptions) {
  const scope = yield* Effect.scope;
  const secret = yield* makeSigningSecret("mcp-sessions");
  const begin = Effect.promise(() =>
    Promise.all([import("./McpTransport.ts"), import("./callerSource.ts")])
  ).pipe(
    Effect.flatMap(([{ make }, { callerSource }]) =>
      Effect.map(make(options, secret), (transport) => ({ transport, callerSource }))
    ),
    Effect.provideService(Scope.Scope, scope),
    Effect.uninterruptible
  );
  return yield* Effect.cached(begin);
});

/** Aborted when the server stops. */
const makeStopping = Effect.gen(function* () {
  const { ended } = yield* EventStreams;
  const stopping = new AbortController();
  yield* Effect.forkScoped(
    Effect.andThen(
      ended,
      Effect.sync(() => stopping.abort())
    )
  );
  return stopping.signal;
});

const makeOwnServer: Effect.Effect<
  () => OwnServer,
  never,
  EventStreams | Extractions | HttpRouter.HttpRouter | Scope.Scope
> = Effect.gen(function* () {
  const { submittedAtMs } = yield* Extractions;
  const router = yield* HttpRouter.HttpRouter;
  const stopping = yield* makeStopping;
  const services = yield* Effect.context<never>();
  const run = Effect.runPromiseWith(services);
  let server: OwnServer | undefined;
  // Routes may be added until the first request.
  return () =>
    (server ??= {
      fetch: inProcessFetch(router.asHttpEffect(), services, { isOperator: false, madeBy: "mcp" }),
      submittedAtMs: (accountId, key, signal) => run(submittedAtMs(accountId, key), { signal }),
      stopping
    });
});

const make = Effect.fnUntraced(function* (options: McpOptions) {
  const loaded = yield* makeLoaded(options);
  const keyPrincipal = yield* makeKeyPrincipal;
  const count = yield* makeCount;
  const ownServer = yield* makeOwnServer;

  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest;
    const principal = yield* keyPrincipal(request, MCP, null);
    const { accountId, via, isLive } = principal;
    const counted = yield* count(principal, MCP);
    yield* setResponseHeaders(rateLimitHeaders(MCP.bucket, counted));
    if (!counted.allowed) {
      return errorResponse(new RateLimited({ message: rateLimitMessage(counted) }));
    }
    const { transport, callerSource } = yield* loaded;
    const apiKey = Result.getOrNull(keyOf(request.headers)) ?? "";
    const source = callerSource({ apiKey, accountId, isOperator: via === "operator" }, ownServer());
    return yield* transport.pipe(
      Effect.provideService(ToolUser, { accountId, source, isLive }),
      Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(BODY_BYTES_MAX))
    );
  }).pipe(Effect.catch((refusal) => Effect.succeed(errorResponse(refusal))));
});

/** Null disables the tools. */
export const layer = (options: McpOptions | null) =>
  options === null
    ? Layer.empty
    : Layer.unwrap(Effect.map(make(options), (handler) => HttpRouter.add("*", MCP_PATH, handler)));
