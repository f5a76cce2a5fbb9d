/**
 * MCP with Effect's server over Streamable HTTP: the newest revision without sessions, and those of 2025 with sessions
 * that any process serves. Tests: conformance.test.ts, sessions.test.ts.
 */
import { randomUUID } from "node:crypto";
import { INSTRUCTIONS } from "@winnow/client/tools";
import { InvalidRequest, NotFound } from "@winnow/core/domain/request/Refusal";
import { signatureOf } from "@winnow/core/engine/extractions/FileLinks";
import * as McpProtocol from "effect/ai/McpProtocol";
import * as McpServer from "effect/ai/McpServer";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Headers from "effect/http/Headers";
import * as HttpEffect from "effect/http/HttpEffect";
import * as HttpRouter from "effect/http/HttpRouter";
import * as HttpServerRequest from "effect/http/HttpServerRequest";
import * as HttpServerResponse from "effect/http/HttpServerResponse";
import * as Layer from "effect/Layer";
import * as RcMap from "effect/RcMap";
import * as Scope from "effect/Scope";
import { errorResponse } from "../http/ApiErrors.ts";
import { VERSION } from "../version.ts";
import * as McpTools from "./McpTools.ts";
import { MCP_PATH, ToolUser, type McpOptions } from "./ToolUser.ts";

/** Those used by hosts of 2025. */
const SESSIONFUL = [McpProtocol.v2025_11_25, McpProtocol.v2025_06_18] as const;

/** With the newest, which needs no sessions. */
export const PROTOCOLS = [McpProtocol.v2026_07_28, ...SESSIONFUL] as const;

/** The server's description of itself, for any transport. */
export const SERVER = { name: "winnow", version: VERSION, instructions: INSTRUCTIONS } as const;

/** How long clients may cache what only changes with the server's version. */
const FIXED = { ttl: "1 hour", cacheScope: "private" } as const;

const SESSION_HEADER = "mcp-session-id";
const VERSION_HEADER = "mcp-protocol-version";

/** A host sends its next request within this time, as a rule. */
const SESSION_IDLE = "1 minute";

type Response = HttpServerResponse.HttpServerResponse;
type Requirements = HttpServerRequest.HttpServerRequest | Scope.Scope | ToolUser;

/** As an effect of the request. */
export type Transport = Effect.Effect<Response, never, Requirements>;

/** Messages for protocol errors without a body. */
const REFUSALS: Readonly<Record<number, string>> = {
  400: "This is not a valid MCP request for this server.",
  403: "Pages of this origin may not call; WINNOW_CORS_ORIGINS names those that may.",
  404: "This MCP session does not exist; send initialize to start one.",
  405: "Send MCP requests with POST; there is no stream to GET, and sessions need not be ended.",
  406: "Send the header Accept: application/json, text/event-stream.",
  415: "Send JSON with the header Content-Type: application/json."
};

/** All errors use the envelope, except those that MCP defines itself. */
const inWords = (response: Response): Response => {
  const message = REFUSALS[response.status];
  if (message === undefined || response.body._tag !== "Empty") return response;
  const refusal = response.status === 404 ? new NotFound({ message }) : new InvalidRequest({ message });
  return HttpServerResponse.setHeaders(errorResponse(refusal, response.status), response.headers);
};

/** The protocol's HTTP handler. */
const makeProtocol = ({ allowedOrigins, ...tools }: McpOptions, registrations: typeof McpTools.layer) => {
  const routes = McpServer.layerHttp({
    ...SERVER,
    path: MCP_PATH,
    protocols: PROTOCOLS,
    allowedOrigins,
    allowSessionTermination: true,
    allowSubscriptions: false,
    cacheHints: { discover: FIXED, tools: FIXED, resources: FIXED, resourceTemplates: FIXED, prompts: FIXED },
    registrations: registrations(tools)
  });
  // A fresh router, because otherwise the application's would be shared.
  const built = Layer.build(routes.pipe(Layer.provideMerge(Layer.fresh(HttpRouter.layer))));
  // The types do not show that handlers see the request's services. The only possible error is an empty list of
  // protocols.
  return Effect.map(
    built as Effect.Effect<Context.Context<HttpRouter.HttpRouter>, never, Scope.Scope>,
    (context) => Context.get(context, HttpRouter.HttpRouter).asHttpEffect() as Transport
  );
};

/** No caller: sessions begin and end without a call of a tool. */
const NO_USER = ToolUser.of({ accountId: "", source: null as never, isLive: Effect.succeed(true) });

/**
 * Sessions of the protocol implementation, which knows only those that it opened itself: opened when a request needs
 * one, for its revision, and ended when none has used it for a while.
 */
const makeOwnSessions = (protocol: Transport) => {
  const ask = HttpEffect.toWebHandler(Effect.provideService(protocol, ToolUser, NO_USER));
  const send = (method: string, headers: Record<string, string>, body: string | null = null) =>
    Effect.promise(() => ask(new Request(`http://localhost${MCP_PATH}`, { method, headers, body })));
  const end = (id: string) => Effect.asVoid(send("DELETE", { [SESSION_HEADER]: id }));
  const open = Effect.fnUntraced(function* (protocolVersion: string) {
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: SERVER.name, version: VERSION } };
    const accept = "application/json, text/event-stream";
    const opened = yield* send(
      "POST",
      { accept, "content-type": "application/json" },
      JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params })
    );
    yield* Effect.promise(() => opened.text());
    return opened.headers.get(SESSION_HEADER) ?? "";
  });
  const sessions = RcMap.make({
    lookup: (key: string) => Effect.acquireRelease(open(key.split(" ", 1)[0] ?? ""), end),
    idleTimeToLive: SESSION_IDLE
  });
  return Effect.map(sessions, (map) => ({
    end,
    of: (id: string, version: string | undefined) => {
      const { protocolVersion } =
        SESSIONFUL.find((each) => each.protocolVersion === version) ?? SESSIONFUL[0];
      return RcMap.get(map, `${protocolVersion} ${id}`);
    }
  }));
};

/** Session ids are signed for their account, so that every process knows them without keeping any. */
const sessionIds = (secret: Effect.Effect<string>) => {
  const signed = (accountId: string, nonce: string) =>
    Effect.map(secret, (key) => `${nonce}.${signatureOf(key, ["mcp-session", accountId, nonce])}`);
  return {
    make: (accountId: string) => Effect.suspend(() => signed(accountId, randomUUID())),
    isOf: (id: string, accountId: string) =>
      Effect.map(signed(accountId, id.split(".", 1)[0] ?? ""), (expected) => expected === id)
  };
};

/**
 * `registrations` are what the server offers: the tools, except in tests of the protocol. `secret` is the same in every
 * process.
 */
export const make = Effect.fnUntraced(function* (
  options: McpOptions,
  secret: Effect.Effect<string>,
  registrations = McpTools.layer
) {
  const protocol = yield* makeProtocol(options, registrations);
  const own = yield* makeOwnSessions(protocol);
  const ids = sessionIds(secret);

  /** The protocol's own session is not needed beyond the answer, and its client is told another id. */
  const initialize = Effect.fnUntraced(function* (accountId: string) {
    const scope = yield* Effect.scope;
    const response = yield* protocol;
    // Runs after the protocol's own handler, which sets the header of a new session.
    yield* HttpEffect.appendPreResponseHandler((_, answer) => {
      const opened = answer.headers[SESSION_HEADER];
      if (opened === undefined) return Effect.succeed(inWords(answer));
      return Effect.andThen(
        Scope.addFinalizer(scope, own.end(opened)),
        Effect.map(ids.make(accountId), (id) => HttpServerResponse.setHeader(answer, SESSION_HEADER, id))
      );
    });
    return response;
  });

  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest;
    const { accountId } = yield* ToolUser;
    const id = request.headers[SESSION_HEADER];
    if (request.method !== "POST") {
      return inWords(HttpServerResponse.empty({ status: 405, headers: { allow: "POST" } }));
    }
    if (id === undefined) return yield* initialize(accountId);
    if (!(yield* ids.isOf(id, accountId))) return inWords(HttpServerResponse.empty({ status: 404 }));
    const session = yield* own.of(id, request.headers[VERSION_HEADER]);
    const headers = Headers.set(request.headers, SESSION_HEADER, session);
    yield* HttpEffect.appendPreResponseHandler((_, answer) => Effect.succeed(inWords(answer)));
    return yield* Effect.provideService(
      protocol,
      HttpServerRequest.HttpServerRequest,
      request.modify({ headers })
    );
  });
});
