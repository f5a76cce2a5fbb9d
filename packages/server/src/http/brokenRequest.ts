/** Answers requests that Node itself rejects: malformed, too long, or not received in time. */
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { randomUUID } from "node:crypto";

/** Time for the client to read the answer; closing at once could reset the connection before. */
const LINGER_MS = 500;

const PROBLEMS: Readonly<Record<string, readonly [status: number, message: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, "The request was not received in time; send it again."],
  CONNECT: [400, "CONNECT is not supported: this server is not a proxy."],
  HPE_HEADER_OVERFLOW: [431, "The headers are too long; send fewer or shorter ones."]
};

/** CONNECT requests a tunnel, which this server does not offer. */
export const NO_TUNNEL: NodeJS.ErrnoException = Object.assign(new Error("CONNECT"), { code: "CONNECT" });

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
export interface Exchange {
  /** Answers that are not sent completely, oldest first. */
  readonly pending: ReadonlySet<ServerResponse>;
  /** Null before the first. */
  readonly latest: IncomingMessage | null;
}

export const NO_EXCHANGE: Exchange = { pending: new Set(), latest: null };

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
  const [status, message] = PROBLEMS[error.code ?? ""] ?? [400, "This is not an HTTP request."];
  const body = JSON.stringify({ error: { code: "invalid_request", message } });
  const headers = {
    "Content-Type": "application/json",
    "Content-Length": String(Buffer.byteLength(body)),
    "X-Request-Id": randomUUID(),
    Connection: "close"
  };
  const isInBody = latest !== null && !latest.complete;
  const [own] = pending;
  if (own === undefined && !isInBody) answer(socket, status, headers, body);
  else if (own === undefined || pending.size > 1 || own.headersSent || !isInBody) socket.destroy();
  else own.writeHead(status, headers).end(body);
};
