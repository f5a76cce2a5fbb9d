/** `POST /mcp`: the tools over HTTP with an API key: authentication, rate limits and accounting. */
import * as ByteSize from "effect/ByteSize";
import * as Effect from "effect/Effect";
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage";
import * as HttpRouter from "effect/http/HttpRouter";
import * as HttpServerRequest from "effect/http/HttpServerRequest";

import * as Layer from "effect/Layer";
import * as Scope from "effect/Scope";
import { Calls } from "../embed/Calls.ts";
import { setAnswerHeaders } from "../http/answerHeaders.ts";
import { makeKeyPrincipal } from "../http/authentication/AuthorizationHttp.ts";
import { EventStreams } from "../http/limits/EventStreams.ts";
import { PublicUrl } from "../http/PublicUrl.ts";
import { rateLimitHeaders, rateLimitMessage } from "../http/limits/RateLimitingHttp.ts";
import { BODY_BYTES_MAX } from "../http/requestBody.ts";
import { makeCount, type Bucket } from "../http/limits/Admission.ts";
import { errorResponse } from "../http/requestMiddleware.ts";
import { engineSource, type SourceServices } from "./engineSource.ts";
import { MCP_PATH, type McpOptions } from "./McpOptions.ts";
import { ToolUser } from "./ToolUser.ts";
import { makeWaits } from "./waits.ts";

/** Paging takes many small calls; extract and quote also count as submit and probe. */
const MCP: Bucket = { bucket: "mcp", rate: "othersPerMinute", times: 2 };

/** Loaded at the first request, because most servers see none for long and start faster without it. */
const makeTransport = Effect.fnUntraced(function* (options: McpOptions) {
  const scope = yield* Effect.scope;
  const begin = Effect.promise(() => import("./McpTransport.ts")).pipe(
    Effect.flatMap((module) => module.make(options)),
    Effect.provideService(Scope.Scope, scope),
    Effect.uninterruptible
  );
  return Effect.flatten(yield* Effect.cached(begin));
});

const make = Effect.fnUntraced(function* (options: McpOptions) {
  const transport = yield* makeTransport(options);
  const keyPrincipal = yield* makeKeyPrincipal;
  const count = yield* makeCount;
  const publicUrl = yield* PublicUrl;
  const waits = makeWaits(yield* EventStreams);
  const calls = new Calls(yield* Effect.context<SourceServices>());
  yield* Effect.addFinalizer(() => Effect.sync(() => calls.close()));

  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest;
    const { principal, state } = yield* keyPrincipal(request, MCP);
    const { accountId, requester, dailyCredits, via, isLive } = principal;
    const bucketPrefix = via === "key" ? "" : `${via} `;
    const counted = state ?? (yield* count(accountId, MCP, bucketPrefix));
    yield* setAnswerHeaders(rateLimitHeaders(MCP.bucket, counted));
    if (!counted.allowed) {
      return errorResponse(429, { code: "rate_limited", message: rateLimitMessage(counted) });
    }
    const source = engineSource(calls, {
      accountId,
      submitter: { requester: { ...requester, madeBy: "mcp" }, dailyCredits },
      bucketPrefix,
      publicUrl,
      whileOpen: waits(accountId)
    });
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
