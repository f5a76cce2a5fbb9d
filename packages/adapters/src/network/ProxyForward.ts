/**
 * Forwards one request in absolute form (RFC 9112, 3.2.2): parsed by Node's strict parser and rewritten by undici,
 * so that the child's framing never reaches the server and request smuggling is impossible.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline, Readable } from "node:stream";
import * as Result from "effect/Result";
import type { Dispatcher } from "undici";
import { isConnectionLost } from "./guard/EgressFailed.ts";
import { requestLine } from "./guard/PinnedAgent.ts";
import { BAD_TARGET, failureAnswer, hasBody, respond } from "./ProxyAnswer.ts";
import type { ProxyRun } from "./ProxyRun.ts";
import { EgressRefused, shownHost } from "./guard/EgressRefused.ts";
import { readTarget, type EgressProfile, type Target } from "./guard/Target.ts";

/** A media server may need long before the first transcoded byte; the run's own limit applies too. */
const HEADERS_TIMEOUT_MS = 30_000;
const IDLE_TIMEOUT_MS = 60_000;

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

/** The path exactly as sent by the child: rewriting would break signed URLs. */
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
  return run.agent.request(options).catch((error) =>
    // A kept-alive connection may just have been closed by the server: retried once on a new one.
    isRepeatable && isConnectionLost(error) ? run.agent.request(options) : Promise.reject(error)
  );
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
