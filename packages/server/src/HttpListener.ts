/** The Node server of the API: its address, and its limits for slow and broken clients. */
import { Server, STATUS_CODES, type ServerOptions } from "node:http";
import { createServer as createTcpServer, type Server as TcpServer, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { randomUUID } from "node:crypto";
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import type * as Scope from "effect/Scope";

/** Maximum time to receive a request; bodies have at most 256 KB. */
const REQUEST_TIMEOUT_MS = 30_000;

/**
 * Longer than most proxies keep idle connections, so that the proxy closes them, and not the server while the proxy
 * is sending a request.
 */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;

/** Interval at which Node checks for slow requests. */
const CHECK_INTERVAL_MS = 5_000;

/** Time for responses in progress when the server stops. */
export const GRACE_MS = 8_000;

/** Interval at which a stopping server checks for idle connections. */
const CLOSE_IDLE_INTERVAL_MS = 100;

const PROBLEMS: Readonly<Record<string, readonly [status: number, message: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, "The request was not received in time; send it again."],
  CONNECT: [400, "CONNECT is not supported: this server is not a proxy."],
  HPE_HEADER_OVERFLOW: [431, "The headers are too long; send fewer or shorter ones."]
};

/** CONNECT requests a tunnel, which this server does not offer. */
const NO_TUNNEL: NodeJS.ErrnoException = Object.assign(new Error("CONNECT"), { code: "CONNECT" });

/** Requests that Node itself rejects get the error envelope too. */
const answerBroken = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const [status, message] = PROBLEMS[error.code ?? ""] ?? [400, "This is not an HTTP request."];
  const body = JSON.stringify({ error: { code: "invalid_request", message } });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${randomUUID()}\r\n` +
      `Connection: close\r\n\r\n${body}`
  );
};

/**
 * Node's own `close` ends connections that are idle at that moment, but waits for two kinds that no response will
 * end: those that become idle later, and those that never sent a request.
 */
class PromptlyClosingServer extends Server {
  readonly #unused = new Set<Socket>();

  constructor(options: ServerOptions) {
    super(options);
    this.on("connection", (socket: Socket) => {
      this.#unused.add(socket);
      socket.once("close", () => this.#unused.delete(socket));
    });
    this.on("request", ({ socket }) => this.#unused.delete(socket));
  }

  override close(done?: (error?: Error) => void): this {
    const closing = setInterval(() => this.closeIdleConnections(), CLOSE_IDLE_INTERVAL_MS);
    this.once("close", () => clearInterval(closing));
    for (const socket of this.#unused) socket.destroy();
    return super.close(done);
  }
}

const makeServer = (): Server => {
  const server = new PromptlyClosingServer({
    requireHostHeader: false, // required in http/requestMiddleware, which responds with a body
    requestTimeout: REQUEST_TIMEOUT_MS,
    headersTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionsCheckingInterval: CHECK_INTERVAL_MS
  });
  return server
    .on("clientError", answerBroken)
    .on("checkExpectation", (request, response) => server.emit("request", request, response))
    .on("connect", (_request, socket) => answerBroken(NO_TUNNEL, socket));
};

/** For port 0: artifact URLs need the port before the server listens, so it is reserved. */
export interface ReservedPort {
  readonly port: number;
  /** Frees it for the server, which listens on it next. */
  readonly release: Effect.Effect<void>;
}

const onPort = (host: string, port: number) =>
  NodeHttpServer.layer(makeServer, { host, port, gracefulShutdownTimeout: GRACE_MS });

/** Listens; a reserved port is freed right before, and 0 means any free port. */
export const layer = (host: string, port: number | ReservedPort) =>
  typeof port === "number"
    ? onPort(host, port)
    : Layer.unwrap(Effect.as(port.release, onPort(host, port.port)));

const closed = (server: TcpServer): Effect.Effect<void> =>
  Effect.callback((resume) => void server.close(() => resume(Effect.void)));

/** A free port, reserved until it is freed or the scope closes. Connections before that are refused. */
export const reservePort = (host: string): Effect.Effect<ReservedPort, Error, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<TcpServer, Error>((resume) => {
      const server = createTcpServer((socket) => socket.destroy());
      server
        .once("error", (error) => resume(Effect.fail(error)))
        .listen(0, host, () => resume(Effect.succeed(server)));
    }),
    closed
  ).pipe(
    Effect.map((server) => ({
      port: (server.address() as { port: number }).port,
      release: closed(server)
    }))
  );
