/** `POST /mcp`: the tools over HTTP with an API key: authentication, rate limits and accounting. */
import { Extractions } from "@winnow/core/engine/extractions/Extractions";
import type { PlannedRate } from "@winnow/core/ports/RateLimits";
import type { ToolSource } from "@winnow/client/tools";
import * as ByteSize from "effect/ByteSize";
import * as Effect from "effect/Effect";
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage";
import * as HttpRouter from "effect/http/HttpRouter";
import * as HttpServerRequest from "effect/http/HttpServerRequest";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as Result from "effect/Result";
import * as Scope from "effect/Scope";
import { ACCOUNT_HEADER } from "../http/authentication/accountHeader.ts";
import { setAnswerHeaders } from "../http/answerHeaders.ts";
import { keyOf, makeKeyPrincipal } from "../http/authentication/AuthorizationHttp.ts";
import { EventStreams } from "../http/limits/EventStreams.ts";
import { inProcessFetch } from "../http/InProcess.ts";
import { makeCount, rateLimitHeaders, rateLimitMessage } from "../http/limits/RateLimitingHttp.ts";
import { BODY_BYTES_MAX } from "../http/requestBody.ts";
import { errorResponse } from "../http/requestMiddleware.ts";
import { MCP_PATH, type McpOptions, ToolUser } from "./ToolUser.ts";

/** The protocol's own requests; what a tool asks the API for also counts there. */
const MCP: PlannedRate = { bucket: "mcp", rate: "othersPerMinute", times: 2 };

/** Loaded at the first request, because most servers see none for long and start faster without it. */
const makeLoaded = Effect.fnUntraced(function* (options: McpOptions) {
  const scope = yield* Effect.scope;
  const begin = Effect.promise(() =>
    Promise.all([import("./McpTransport.ts"), import("@winnow/client/tools"), import("@winnow/client")])
  ).pipe(
    Effect.flatMap(([{ make }, { clientSource }, { Winnow }]) =>
      Effect.map(make(options), (transport) => ({ transport, clientSource, Winnow }))
    ),
    Effect.provideService(Scope.Scope, scope),
    Effect.uninterruptible
  );
  return yield* Effect.cached(begin);
});

/** Aborted when the server stops: the wait of a call then ends, and the call returns the current state. */
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

/** What the client cannot know: earlier submits of other processes, and that this one stops. */
const makeWithServer = Effect.gen(function* () {
  const extractions = yield* Extractions;
  const stopping = yield* makeStopping;
  const run = Effect.runPromiseWith(yield* Effect.context<never>());
  return (source: ToolSource, accountId: string): ToolSource => ({
    ...source,
    submittedAtMs: async (key, signal) => {
      const submitted = await run(extractions.findSubmitted(accountId, key), { signal });
      return Option.getOrNull(Option.map(submitted, ({ createdAtMs }) => createdAtMs));
    },
    wait: async (id, signal, onProgress) => {
      try {
        return await source.wait(id, AbortSignal.any([signal, stopping]), onProgress);
      } catch (error) {
        if (stopping.aborted) return null;
        throw error;
      }
    }
  });
});

/** Only paths are used: the requests never leave the process. */
const BASE_URL = "http://localhost";

/** The tools of a caller are the client's, on this server's own routes, with the caller's key. */
const makeSourceOf = Effect.gen(function* () {
  const router = yield* HttpRouter.HttpRouter;
  const services = yield* Effect.context<never>();
  const withServer = yield* makeWithServer;
  let fetch: typeof globalThis.fetch | undefined;
  return (
    { headers }: HttpServerRequest.HttpServerRequest,
    accountId: string,
    {
      Winnow,
      clientSource
    }: Pick<typeof import("@winnow/client"), "Winnow"> &
      Pick<typeof import("@winnow/client/tools"), "clientSource">
  ): ToolSource => {
    // Routes may be added until the first request.
    fetch ??= inProcessFetch(router.asHttpEffect(), services, { isOperator: false, madeBy: "mcp" });
    const apiKey = Result.getOrNull(keyOf(headers)) ?? "";
    const account = headers[ACCOUNT_HEADER]?.trim();
    return withServer(
      clientSource(new Winnow({ apiKey, account, baseUrl: BASE_URL, fetch, maxRetries: 0 })),
      accountId
    );
  };
});

const make = Effect.fnUntraced(function* (options: McpOptions) {
  const loaded = yield* makeLoaded(options);
  const keyPrincipal = yield* makeKeyPrincipal;
  const count = yield* makeCount;
  const sourceOf = yield* makeSourceOf;

  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest;
    const principal = yield* keyPrincipal(request, MCP, null);
    const { accountId, isLive } = principal;
    const counted = yield* count(principal, MCP);
    yield* setAnswerHeaders(rateLimitHeaders(MCP.bucket, counted));
    if (!counted.allowed) {
      return errorResponse(429, { code: "rate_limited", message: rateLimitMessage(counted) });
    }
    const { transport, ...client } = yield* loaded;
    const source = sourceOf(request, accountId, client);
    return yield* transport.pipe(
      Effect.provideService(ToolUser, { accountId, source, isLive }),
      Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(BODY_BYTES_MAX))
    );
  }).pipe(Effect.catch(({ error }) => Effect.succeed(errorResponse(401, error))));
});

/** Null disables the tools. */
export const layer = (options: McpOptions | null) =>
  options === null
    ? Layer.empty
    : Layer.unwrap(Effect.map(make(options), (handler) => HttpRouter.add("*", MCP_PATH, handler)));
