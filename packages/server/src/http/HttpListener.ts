/**
 * The Node server of the API: its address, its limits for slow clients, and its answers to broken requests. It works
 * around much of Node's own server: what clients notice of that is in connections.test.ts and http/HttpListener.test.ts.
 */
import {
  STATUS_CODES,
  Server,
  type IncomingMessage,
  type ServerResponse,
  type ServerOptions
} from "node:http";
import type { Duplex } from "node:stream";
import { randomUUID } from "node:crypto";
import { createServer as createTcpServer, Server as TcpServer, type Socket } from "node:net";
import {
  HeadersTooLong,
  InvalidRequest,
  REFUSALS,
  RequestTimeout,
  type Refusal
} from "@winnow/core/domain/request/Refusal";
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import type * as Scope from "effect/Scope";
import { errorBody } from "./ApiErrors.ts";

// Answers requests that Node itself rejects: malformed, too long, or not received in time.

/** Time for the client to read the answer; closing at once could reset the connection before. */
const LINGER_MS = 500;

const PROBLEMS: Readonly<Record<string, Refusal>> = {
  ERR_HTTP_REQUEST_TIMEOUT: new RequestTimeout(REFUSALS.RequestTimeout.example),
  CONNECT: new InvalidRequest({ message: "CONNECT is not supported: this server is not a proxy." }),
  HPE_HEADER_OVERFLOW: new HeadersTooLong(REFUSALS.HeadersTooLong.example)
};
const NOT_HTTP = new InvalidRequest({ message: "This is not an HTTP request." });

/** CONNECT requests a tunnel, which this server does not offer. */
const NO_TUNNEL: NodeJS.ErrnoException = Object.assign(new Error("CONNECT"), { code: "CONNECT" });

/** Node lets clients keep their half of the connection open, and with it its descriptor here. */
const endAndDestroy = (socket: Duplex, text: string): void => {
  socket.end(text);
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once("close", () => clearTimeout(timer));
};

const answer = (socket: Duplex, status: number, headers: Readonly<Record<string, string>>, body: string) => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  endAndDestroy(socket, `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`);
};

/** The state of a connection when its next bytes cannot be read. */
interface Exchange {
  /** Answers that are not sent completely, oldest first. */
  readonly pending: ReadonlySet<ServerResponse>;
  /** Null before the first. */
  readonly latest: IncomingMessage | null;
}

const NO_EXCHANGE: Exchange = { pending: new Set(), latest: null };

/**
 * Bytes written to the socket would become part of an answer that has begun, or a second answer to a request whose
 * body breaks off after its answer. The connection is then closed without another word.
 */
export const answerBroken = (
  error: NodeJS.ErrnoException,
  socket: Duplex,
  { pending, latest }: Exchange
): void => {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const refusal = PROBLEMS[error.code ?? ""] ?? NOT_HTTP;
  const { status } = REFUSALS[refusal._tag];
  const body = JSON.stringify(errorBody(refusal));
  const headers = {
    "Content-Type": "application/json",
    "Content-Length": String(Buffer.byteLength(body)),
    "X-Request-Id": randomUUID(),
    "X-Content-Type-Options": "nosniff",
    Connection: "close"
  };
  const isInBody = latest !== null && !latest.complete;
  const [own] = pending;
  if (own === undefined && !isInBody) answer(socket, status, headers, body);
  else if (own === undefined || pending.size > 1 || own.headersSent || !isInBody) socket.destroy();
  else {
    // Node forgets a request once it is answered, and whoever reads its body would wait for good.
    socket.once("close", () => latest?.destroy());
    own.writeHead(status, headers).end(body);
  }
};

/**
 * Longer than most proxies keep idle connections, so that the proxy closes them, and not the server while the proxy
 * is sending a request.
 */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;

/** Connections that wait for Node at most, by default of its `listen`. */
const WAITING_MAX = 511;

/** Time for responses in progress when the server stops. */
export const GRACE_MS = 8_000;

/** What ends a connection whose client sends or reads too slowly; tests shorten it. */
export interface ConnectionLimits {
  /** Time to receive a whole request, batches of several megabytes too. */
  readonly requestTimeoutMs: number;
  /**
   * Time without a byte sent while some are waiting, as nginx's `send_timeout`. The connection ends at most two checks
   * later.
   */
  readonly sendTimeoutMs: number;
  /** Interval at which requests are looked at that are not received, and answers that are not read. */
  readonly checkIntervalMs: number;
  /**
   * Interval at which a stopping server ends idle connections. In the first one, a proxy may already be sending a
   * request on one of them, which would be lost: it is answered, and told that the connection ends. A proxy that keeps
   * idle connections for less, as that of docs/deploy/nginx.conf, loses none.
   */
  readonly closeIdleIntervalMs: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  requestTimeoutMs: 30_000,
  sendTimeoutMs: 60_000,
  checkIntervalMs: 5_000,
  closeIdleIntervalMs: 1_000
};

interface Connection extends Exchange {
  readonly pending: Set<ServerResponse>;
  latest: IncomingMessage | null;
}

/** What a client sends restarts Node's timer, so nothing is received while an answer waits to be read. */
const pauseIfBlocked = (socket: Duplex): void => {
  // What Node has paused, it also resumes.
  if (socket.writableNeedDrain && !socket.isPaused()) socket.pause().once("drain", () => socket.resume());
};

/**
 * Node's timer of a socket starts again when the kernel has accepted anything since it was last looked at, of a large
 * write also parts, and else ends after one check. As many of those in a row, without a further write, are the time.
 */
const endIfUnread = (response: ServerResponse, socket: Socket, limits: ConnectionLimits): void => {
  const { checkIntervalMs, sendTimeoutMs } = limits;
  let unsentMs = 0;
  let last = { bytes: -1, atMs: 0 };
  response.setTimeout(checkIntervalMs, () => {
    const now = { bytes: socket.bytesWritten, atMs: performance.now() };
    const sinceMs = now.atMs - last.atMs;
    const isInRow = now.bytes === last.bytes && sinceMs < 2 * checkIntervalMs;
    unsentMs = socket.writableLength === 0 ? 0 : isInRow ? unsentMs + sinceMs : checkIntervalMs;
    last = now;
    if (unsentMs >= sendTimeoutMs) socket.destroy();
    else response.setTimeout(checkIntervalMs);
  });
};

/**
 * Ends connections that would otherwise stay: of clients that do not read what they requested, and when the server
 * stops. Node's own `close` ends connections that are idle at that moment, which is too early, and waits for two kinds
 * that no response will end: those that become idle later, and those that never sent a request.
 */
class ConnectionServer extends Server {
  readonly #connections = new Map<Duplex, Connection>();

  readonly #limits: ConnectionLimits;

  #accepted = 0;

  constructor(options: ServerOptions, limits: ConnectionLimits) {
    super(options);
    this.#limits = limits;
    this.on("connection", (socket: Socket) => {
      this.#accepted += 1;
      this.#connections.set(socket, { pending: new Set(), latest: null });
      socket.once("close", () => this.#connections.delete(socket));
      // Node resumes reading for the answer to a later request, too.
      socket.on("resume", () => pauseIfBlocked(socket));
    });
    const note = (request: IncomingMessage, response: ServerResponse): void => {
      const connection = this.#connections.get(request.socket);
      if (connection === undefined) return;
      connection.latest = request;
      connection.pending.add(response);
      endIfUnread(response, request.socket, limits);
      response.shouldKeepAlive &&= this.listening;
      response.once("close", () => connection.pending.delete(response));
    };
    this.on("request", note).on("checkContinue", note);
    const checking = setInterval(() => {
      for (const socket of this.#connections.keys()) pauseIfBlocked(socket);
    }, limits.checkIntervalMs).unref();
    this.once("close", () => clearInterval(checking));
  }

  /**
   * Without a listener for `upgrade`, Node answers such requests as any other (RFC 9110, section 7.8). The one of the
   * platform takes the connection out of Node's hands and forwards no `drain`, so answers over 512 KiB never end.
   */
  override on(event: string, listener: (...given: Array<never>) => void): this {
    return event === "upgrade" ? this : super.on(event, listener as (...given: Array<unknown>) => void);
  }

  exchange(socket: Duplex): Exchange {
    return this.#connections.get(socket) ?? NO_EXCHANGE;
  }

  #endIdle(): void {
    this.closeIdleConnections();
    for (const [socket, { latest }] of this.#connections) if (latest === null) socket.destroy();
  }

  /**
   * Connections that the kernel has accepted are reset when the server no longer listens, whatever was sent on them.
   * Node takes one of them a turn of its loop, so `then` follows a turn that took none, or as many as could wait.
   */
  #onceAccepted(then: () => void): void {
    const last = this.#accepted + WAITING_MAX;
    const look = (before: number): void =>
      void setImmediate(() =>
        before === this.#accepted || this.#accepted >= last ? then() : look(this.#accepted)
      );
    // The turn that has begun may be past them.
    setImmediate(() => look(this.#accepted));
  }

  override close(done?: (error?: Error) => void): this {
    this.#onceAccepted(() => {
      // First, so that nobody is sent away to open a connection that is then lost.
      TcpServer.prototype.close.call(this, done);
      for (const { pending } of this.#connections.values())
        for (const response of pending) response.shouldKeepAlive = false;
      // Immediates run after requests that have arrived were read; timers run before.
      const closing = setInterval(
        () => setImmediate(() => this.#endIdle()),
        this.#limits.closeIdleIntervalMs
      );
      this.once("close", () => clearInterval(closing));
    });
    return this;
  }
}

const makeServer = (limits: ConnectionLimits) => (): Server => {
  const server = new ConnectionServer(
    {
      requireHostHeader: false, // required in http/requestMiddleware, which responds with a body
      requestTimeout: limits.requestTimeoutMs,
      headersTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      connectionsCheckingInterval: limits.checkIntervalMs
    },
    limits
  );
  return server
    .on("clientError", (error, socket) => answerBroken(error, socket, server.exchange(socket)))
    .on("checkExpectation", (request, response) => server.emit("request", request, response))
    .on("connect", (_request, socket) => answerBroken(NO_TUNNEL, socket, server.exchange(socket)));
};

/** For port 0: artifact URLs need the port before the server listens, so it is reserved. */
export interface ReservedPort {
  readonly port: number;
  /** Frees it for the server, which listens on it next. */
  readonly release: Effect.Effect<void>;
}

const onPort = (host: string, port: number, limits: ConnectionLimits) =>
  NodeHttpServer.layer(makeServer(limits), { host, port, gracefulShutdownTimeout: GRACE_MS });

/** Listens; a reserved port is freed right before, and 0 means any free port. */
export const layer = (host: string, port: number | ReservedPort, given: Partial<ConnectionLimits> = {}) => {
  const limits = { ...CONNECTION_LIMITS, ...given };
  return typeof port === "number"
    ? onPort(host, port, limits)
    : Layer.unwrap(Effect.as(port.release, onPort(host, port.port, limits)));
};

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
