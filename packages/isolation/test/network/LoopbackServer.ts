/** A server on a loopback port for the duration of a scope, with a record of its requests. */
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { readFileSync } from "node:fs";
import * as Effect from "effect/Effect";

/** Certificate and key of `site.example.org`, self-signed. */
export const SITE_PEM = readFileSync(new URL("./site.example.org.pem", import.meta.url), "utf8");

export interface LoopbackServer {
  readonly port: number;
  /** `127.0.0.1:port`, for the allow-list. */
  readonly authority: string;
  /** Without trailing slash. */
  readonly url: string;
  readonly requests: ReadonlyArray<IncomingMessage>;
  /** TCP connections accepted so far. */
  readonly connections: () => number;
}

/** Long, because on a machine that stalls for seconds, an idle connection would be closed, and a new one counted. */
const KEEP_ALIVE_MS = 60_000;

export interface ServeOptions {
  readonly address?: string;
  readonly secure?: boolean;
}

const start = async (server: Server, address: string) => {
  server.listen(0, address);
  await new Promise((resolve) => server.once("listening", resolve));
  return (server.address() as AddressInfo).port;
};

const stop = async (server: Server) => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
};

export const serve = (
  listener: RequestListener,
  { address = "127.0.0.1", secure = false }: ServeOptions = {}
) =>
  Effect.gen(function* () {
    const requests: Array<IncomingMessage> = [];
    let connections = 0;
    const server = secure ? createSecureServer({ cert: SITE_PEM, key: SITE_PEM }) : createServer();
    server.keepAliveTimeout = KEEP_ALIVE_MS;
    server.on("connection", () => connections++);
    server.on("request", (request, response) => {
      requests.push(request);
      listener(request, response);
    });
    const port = yield* Effect.acquireRelease(
      Effect.promise(() => start(server, address)),
      () => Effect.promise(() => stop(server))
    );
    return {
      port,
      authority: `${address}:${port}`,
      url: `${secure ? "https" : "http"}://${address}:${port}`,
      requests,
      connections: () => connections
    } satisfies LoopbackServer;
  });

/** Responses by path; 404 for the rest. */
export const routes =
  (table: Readonly<Record<string, RequestListener>>): RequestListener =>
  (request, response) => {
    const listener = table[new URL(request.url ?? "/", "http://site").pathname];
    if (listener === undefined) response.writeHead(404).end();
    else listener(request, response);
  };

export const redirectTo =
  (location: string, status = 302): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { location }).end();
  };
