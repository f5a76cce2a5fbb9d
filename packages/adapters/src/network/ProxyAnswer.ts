/** Responses of the proxy itself to a child, instead of a remote response. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { toEgressFailed } from "./guard/EgressFailed.ts";
import { EgressRefused, refusalSentence } from "./guard/EgressRefused.ts";

export interface ProxyAnswer {
  readonly status: number;
  /** Also used as reason phrase, which yt-dlp and ffmpeg print. */
  readonly phrase: string;
  readonly text: string;
}

const answer = (status: number, phrase: string, text = phrase): ProxyAnswer => ({ status, phrase, text });

export const UNAUTHENTICATED = answer(407, "Proxy Authentication Required");
export const BAD_TARGET = answer(
  400,
  "Bad Request",
  "Only absolute http:// URLs and CONNECT host:port are proxied."
);
export const TOO_MANY_CONNECTIONS = answer(503, "Too Many Connections");
export const BUDGET_EXHAUSTED = answer(403, "Byte Budget Exhausted");

export const failureAnswer = (error: unknown): ProxyAnswer => {
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
