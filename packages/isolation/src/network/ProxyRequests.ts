/** How the proxy answers, tunnels or forwards a child's request. Tests: EgressProxy.test.ts, ChildPrograms.test.ts. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { toEgressFailed, isConnectionLost } from "./guard/EgressFailed.ts";
import { EgressRefused, refusalSentence, shownHost } from "./guard/EgressRefused.ts";
import * as Result from "effect/Result";
import { openSocket } from "./guard/EgressRoute.ts";
import type { ProxyRun } from "./ProxyRun.ts";
import { readTarget, type EgressProfile, type Target } from "./guard/Target.ts";
import { pipeline, Readable } from "node:stream";
import type { Dispatcher } from "undici";
import { admitted, requestLine } from "./guard/PinnedAgent.ts";

export interface ProxyAnswer {
  readonly status: number;
  /** Also used as reason phrase, which yt-dlp and ffmpeg print. */
  readonly phrase: string;
  readonly text: string;
}

const answer = (status: number, phrase: string, text = phrase): ProxyAnswer => ({ status, phrase, text });

export const UNAUTHENTICATED = answer(407, "Proxy Authentication Required");
const BAD_TARGET = answer(
  400,
  "Bad Request",
  "Only absolute http:// URLs and CONNECT host:port are proxied."
);
export const TOO_MANY_CONNECTIONS = answer(503, "Too Many Connections");
export const BUDGET_EXHAUSTED = answer(403, "Byte Budget Exhausted");

const failureAnswer = (error: unknown): ProxyAnswer => {
  if (error instanceof EgressRefused) {
    return answer(403, "Refused By Egress Guard", `The address ${refusalSentence(error.reason)}.`);
  }
  const failed = toEgressFailed(error, 0);
  return failed.reason === "timeout"
    ? answer(504, "Gateway Timeout", failed.message)
    : answer(502, "Bad Gateway", failed.message);
};

const AUTHENTICATE = 'Basic realm="winnow"';

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/** Ends the response; the connection remains usable unless the request has an unread body. */
export const respond = (
  request: IncomingMessage,
  response: ServerResponse,
  { status, phrase, text }: ProxyAnswer
) => {
  if (response.headersSent || response.destroyed) return response.destroy();
  response.writeHead(status, phrase, {
    "content-type": "text/plain",
    "content-length": Buffer.byteLength(text),
    ...(status === 407 ? { "proxy-authenticate": AUTHENTICATE } : {}),
    ...(hasBody(request) ? { connection: "close" } : {})
  });
  return response.end(text);
};

/** Rejects a CONNECT, whose socket is detached from the HTTP server, and closes it. */
export const declineTunnel = (socket: Socket, { status, phrase, text }: ProxyAnswer): void => {
  const authenticate = status === 407 ? `Proxy-Authenticate: ${AUTHENTICATE}\r\n` : "";
  const length = Buffer.byteLength(text);
  socket.write(
    `HTTP/1.1 ${status} ${phrase}\r\n${authenticate}Content-Type: text/plain\r\n` +
      `Content-Length: ${length}\r\nConnection: close\r\n\r\n${text}`
  );
  // Not `end`: a child that never closes its side would keep the connection open.
  socket.destroySoon();
};

// Tunnels a CONNECT (RFC 9110, 9.3.6) to a vetted address on the ports of its profile.

/** Idle tunnels and responses are closed after this time. */
const IDLE_TIMEOUT_MS = 60_000;

const openTo = async (run: ProxyRun, authority: string): Promise<Socket> => {
  const target = readTarget(`https://${authority}/`, run.route.profile);
  if (Result.isFailure(target)) throw new EgressRefused(target.failure, shownHost(authority), 0);
  return openSocket(run.route, target.success.host, target.success.port);
};

/** Closes both ends on an error or when idle, and counts the bytes. */
const join = (run: ProxyRun, child: Socket, server: Socket): void => {
  const close = () => {
    child.destroy();
    server.destroy();
  };
  for (const socket of [child, server]) {
    socket.on("error", close);
    socket.once("close", close);
    socket.setTimeout(IDLE_TIMEOUT_MS, close);
  }
  child.pipe(server);
  server.pipe(child);
  // After the pipes, so that their bytes are counted too.
  child.on("data", () => run.meter(child));
  server.on("data", () => run.meter(child));
};

export const tunnel = async (
  run: ProxyRun,
  request: IncomingMessage,
  child: Socket,
  head: Buffer
): Promise<void> => {
  const authority = request.url ?? "";
  // `example.com:443` and `[2001:db8::1]:443`, without path or user.
  if (!/^[^/?#@\\\s]+:\d{1,5}$/u.test(authority)) return declineTunnel(child, BAD_TARGET);
  try {
    const server = await openTo(run, authority);
    // The child or its run may have ended meanwhile.
    if (child.destroyed || run.closed) return void server.destroy();
    child.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    if (head.length > 0) server.write(head);
    join(run, child, server);
  } catch (error) {
    run.fail(error);
    declineTunnel(child, failureAnswer(error));
    run.meter(child);
  }
};

// Forwards one request in absolute form (RFC 9112, 3.2.2): parsed by Node's strict parser and rewritten by undici,
// so that the child's framing never reaches the server and request smuggling is impossible.

/** A media server may need long before the first transcoded byte; the run's own limit applies too. */
const HEADERS_TIMEOUT_MS = 30_000;

/** RFC 9110, 7.6.1, plus headers that are regenerated: `host` from the target; `expect` is handled here. */
const NOT_FORWARDED: ReadonlySet<string> = new Set([
  "connection",
  "expect",
  "host",
  "http2-settings",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authentication-info",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade"
]);

/** `[name, value, ...]` without hop-by-hop headers and those that Connection names. */
const endToEnd = (raw: ReadonlyArray<string>): Array<string> => {
  const dropped = new Set(NOT_FORWARDED);
  for (let i = 0; i < raw.length; i += 2) {
    const [name = "", value = ""] = [raw[i]?.toLowerCase(), raw[i + 1]];
    if (name === "connection")
      for (const option of value.split(",")) dropped.add(option.trim().toLowerCase());
    // If both are present, Content-Length is wrong (RFC 9112, 6.3).
    if (name === "transfer-encoding") dropped.add("content-length");
  }
  const headers: Array<string> = [];
  for (let i = 0; i < raw.length; i += 2) {
    const [name = "", value = ""] = [raw[i], raw[i + 1]];
    if (!dropped.has(name.toLowerCase())) headers.push(name, value);
  }
  return headers;
};

/** `/a?b=%2f` of `http://host/a?b=%2f#c`, exactly as sent by the child: rewriting would break signed URLs. */
const rawPath = (requestTarget: string): string => {
  const [path = ""] = requestTarget.replace(/^http:\/\/[^/?#]*/iu, "").split("#");
  return path.startsWith("/") ? path : `/${path}`;
};

/** Only the authority is parsed here; the parser might change a path, and paths may be long. */
const readRequestTarget = (requestTarget: string, profile: EgressProfile): Target | EgressRefused | null => {
  const authority = /^http:\/\/([^/?#]+)/iu.exec(requestTarget)?.[1];
  if (authority === undefined) return null;
  const target = readTarget(`http://${authority}/`, profile);
  return Result.isSuccess(target)
    ? target.success
    : new EgressRefused(target.failure, shownHost(authority), 0);
};

async function* meteredBody(run: ProxyRun, request: IncomingMessage) {
  for await (const chunk of request) {
    run.meter(request.socket);
    yield chunk;
  }
}

const send = async (run: ProxyRun, request: IncomingMessage, target: Target, signal: AbortSignal) => {
  const line = await requestLine(run.route, target, rawPath(request.url ?? ""));
  const body = hasBody(request) ? Readable.from(meteredBody(run, request), { objectMode: false }) : null;
  const options: Dispatcher.RequestOptions = {
    origin: line.origin,
    path: line.path,
    method: (request.method ?? "GET") as Dispatcher.HttpMethod,
    headers: [...endToEnd(request.rawHeaders), ...Object.entries(line.headers).flat()],
    headersTimeout: HEADERS_TIMEOUT_MS,
    bodyTimeout: IDLE_TIMEOUT_MS,
    responseHeaders: "raw",
    body,
    signal
  };
  const isRepeatable = body === null && (request.method === "GET" || request.method === "HEAD");
  const response = await run.agent.request(options).catch((error) =>
    // A kept-alive connection may just have been closed by the server: retried once on a new one.
    isRepeatable && isConnectionLost(error) ? run.agent.request(options) : Promise.reject(error)
  );
  return admitted(line, response);
};

export const forward = async (
  run: ProxyRun,
  request: IncomingMessage,
  response: ServerResponse
): Promise<void> => {
  const target = readRequestTarget(request.url ?? "", run.route.profile);
  if (target === null) return void respond(request, response, BAD_TARGET);
  const { socket } = request;
  const child = new AbortController();
  response.once("close", () => child.abort());
  try {
    if (target instanceof EgressRefused) throw target;
    const answer = await send(run, request, target, child.signal);
    response.sendDate = false;
    response.writeHead(
      answer.statusCode,
      answer.statusText,
      endToEnd(answer.headers as unknown as Array<string>)
    );
    // Truncated: destroys the child's connection too, so that it notices.
    pipeline(answer.body, response, () => run.meter(socket));
    answer.body.on("data", () => run.meter(socket));
  } catch (error) {
    run.fail(error);
    respond(request, response, failureAnswer(error));
    run.meter(socket);
  }
};
