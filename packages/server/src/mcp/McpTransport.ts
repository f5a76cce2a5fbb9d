/**
 * MCP with Effect's server: over Streamable HTTP, the newest revision without sessions and those of 2025 with limited
 * sessions; or over standard input and output.
 */
import { INSTRUCTIONS, type ToolSource } from "@winnow/client/tools";
import * as McpProtocol from "effect/ai/McpProtocol";
import * as McpServer from "effect/ai/McpServer";
import * as Clock from "effect/Clock";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as HttpEffect from "effect/http/HttpEffect";
import * as HttpRouter from "effect/http/HttpRouter";
import * as HttpServerRequest from "effect/http/HttpServerRequest";
import * as HttpServerResponse from "effect/http/HttpServerResponse";
import * as Layer from "effect/Layer";
import * as Schedule from "effect/Schedule";
import type * as Scope from "effect/Scope";
import { errorResponse } from "../http/requestMiddleware.ts";
import { VERSION } from "../version.ts";
import * as McpTools from "./McpTools.ts";
import { MCP_PATH, ToolUser, type McpOptions } from "./ToolUser.ts";

// Sessions of MCP revisions before 2026-07-28, which the transport would keep forever: limits their number and idle
// time, and records their accounts.

/** Hosts open one per window; the least recently used one ends first. */
export const SESSIONS_PER_ACCOUNT_MAX = 50;
/** Per process: each takes a few hundred bytes. */
export const SESSIONS_MAX = 2_000;
/** Without a request. */
export const SESSION_IDLE_MS = 3_600_000;

interface McpSession {
  readonly accountId: string;
  readonly usedAtMs: number;
}

const firstOf = <A>(items: Iterable<A>): A | undefined => items[Symbol.iterator]().next().value;

export class McpSessions {
  /** Least recently used first, as for each account. */
  readonly #sessions = new Map<string, McpSession>();
  readonly #own = new Map<string, Set<string>>();

  get count(): number {
    return this.#sessions.size;
  }

  /** False for a session of another account, which is treated as unknown. Counts as a use. */
  use(id: string, accountId: string, nowMs: number): boolean {
    if (this.#sessions.get(id)?.accountId !== accountId) return false;
    this.close(id);
    this.#add(id, { accountId, usedAtMs: nowMs });
    return true;
  }

  /** Returns the sessions that must end for the new one. */
  open(id: string, accountId: string, nowMs: number): ReadonlyArray<string> {
    const own = this.#add(id, { accountId, usedAtMs: nowMs });
    const surplus = [
      ...(own.size > SESSIONS_PER_ACCOUNT_MAX ? [firstOf(own)] : []),
      ...(this.count > SESSIONS_MAX ? [firstOf(this.#sessions.keys())] : [])
    ].filter((each) => each !== undefined);
    for (const each of surplus) this.close(each);
    return surplus;
  }

  /** Returns and removes sessions that have been idle for too long. */
  expire(nowMs: number): ReadonlyArray<string> {
    const idle = [...this.#sessions].filter(([, { usedAtMs }]) => nowMs - usedAtMs >= SESSION_IDLE_MS);
    for (const [id] of idle) this.close(id);
    return idle.map(([id]) => id);
  }

  close(id: string): void {
    const accountId = this.#sessions.get(id)?.accountId ?? "";
    this.#sessions.delete(id);
    const own = this.#own.get(accountId);
    own?.delete(id);
    if (own?.size === 0) this.#own.delete(accountId);
  }

  #add(id: string, session: McpSession): ReadonlySet<string> {
    const own = this.#own.get(session.accountId) ?? new Set();
    this.#own.set(session.accountId, own.add(id));
    this.#sessions.set(id, session);
    return own;
  }
}

/** The newest, which needs no sessions, and those used by hosts of 2025. */
export const PROTOCOLS = [McpProtocol.v2026_07_28, McpProtocol.v2025_11_25, McpProtocol.v2025_06_18] as const;

/** The server's description of itself, for any transport. */
export const SERVER = { name: "winnow", version: VERSION, instructions: INSTRUCTIONS } as const;

/** How long clients may cache what only changes with the server's version. */
const FIXED = { ttl: "1 hour", cacheScope: "private" } as const;

const SESSION_HEADER = "mcp-session-id";
const SWEEP_MS = SESSION_IDLE_MS / 12;

type Response = HttpServerResponse.HttpServerResponse;
type Requirements = HttpServerRequest.HttpServerRequest | Scope.Scope | ToolUser;

/** As an effect of the request. */
export type Transport = Effect.Effect<Response, never, Requirements>;

/** Messages for protocol errors without a body. */
const REFUSALS: Readonly<Record<number, string>> = {
  400: "This is not a valid MCP request for this server.",
  403: "Pages of this origin may not call; WINNOW_CORS_ORIGINS names those that may.",
  404: "This MCP session does not exist or has ended; send initialize to start one.",
  405: "Send MCP requests with POST; there is no stream to GET.",
  406: "Send the header Accept: application/json, text/event-stream.",
  415: "Send JSON with the header Content-Type: application/json."
};

/** All errors use the envelope, except those that MCP defines itself. */
const inWords = (response: Response): Response => {
  const message = REFUSALS[response.status];
  if (message === undefined || response.body._tag !== "Empty") return response;
  const code = response.status === 404 ? "not_found" : "invalid_request";
  return HttpServerResponse.setHeaders(errorResponse(response.status, { code, message }), response.headers);
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

/** No caller: ending a session calls no tool. */
const NO_USER = ToolUser.of({ accountId: "", source: null as never, isLive: Effect.succeed(true) });

const endRequest = (id: string) =>
  HttpServerRequest.fromWeb(
    new Request(`http://localhost${MCP_PATH}`, { method: "DELETE", headers: { [SESSION_HEADER]: id } })
  );

/** Ends sessions as their clients would. */
const makeEndSessions = (protocol: Transport) => (ids: ReadonlyArray<string>) =>
  Effect.forEach(
    ids,
    (id) =>
      Effect.scoped(protocol).pipe(
        Effect.provideService(HttpServerRequest.HttpServerRequest, endRequest(id)),
        Effect.provideService(ToolUser, NO_USER)
      ),
    { discard: true }
  );

/** `registrations` are what the server offers: the tools, except in tests of the protocol. */
export const make = Effect.fnUntraced(function* (options: McpOptions, registrations = McpTools.layer) {
  const protocol = yield* makeProtocol(options, registrations);
  const sessions = new McpSessions();
  const end = makeEndSessions(protocol);
  const sweep = Effect.flatMap(Clock.currentTimeMillis, (nowMs) => end(sessions.expire(nowMs)));
  yield* Effect.forkScoped(Effect.repeat(sweep, Schedule.spaced(SWEEP_MS)));

  return Effect.gen(function* () {
    const { headers, method } = yield* HttpServerRequest.HttpServerRequest;
    const { accountId } = yield* ToolUser;
    const nowMs = yield* Clock.currentTimeMillis;
    const id = headers[SESSION_HEADER];
    if (id !== undefined && !sessions.use(id, accountId, nowMs)) {
      return inWords(HttpServerResponse.empty({ status: 404 }));
    }
    const response = yield* protocol;
    if (id !== undefined && method === "DELETE") sessions.close(id);
    // Runs after the protocol's own handler, which sets the header of a new session.
    yield* HttpEffect.appendPreResponseHandler((_, answer) => {
      const opened = id === undefined ? answer.headers[SESSION_HEADER] : undefined;
      const surplus = opened === undefined ? [] : sessions.open(opened, accountId, nowMs);
      return Effect.as(end(surplus), inWords(answer));
    });
    return response;
  });
});

/** Over standard input and output for one account of a server in this process, until the host closes its end. */
export const serveStdio = Effect.fnUntraced(function* (
  accountId: string,
  source: ToolSource,
  maxCredits: number
) {
  const registrations = McpTools.layer({
    maxCredits,
    user: { accountId, source, isLive: Effect.succeed(true) }
  });
  const server = McpServer.layerStdio({ ...SERVER, protocols: PROTOCOLS, registrations });
  // The only possible error is an empty list of protocols.
  return yield* Effect.orDie(Layer.launch(server));
});
