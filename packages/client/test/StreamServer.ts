/** A loopback server with scripted event streams, whose result the test sets. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { KEEP_ALIVE_MS } from "./FaultyServer.ts";

/** Responds to the n-th request for events; 404 after the last one. */
export type Script = (response: ServerResponse, request: IncomingMessage) => void | Promise<void>;

export interface StreamServer extends AsyncDisposable {
  readonly baseUrl: string;
  /** Number of requests for events. */
  readonly streams: () => number;
  /** Number of requests for the result. */
  readonly reads: () => number;
  /** Sets the response of the result endpoint. */
  readonly finish: () => void;
  /**
   * Closes all connections and listens again after a while. It returns no results until events are requested:
   * otherwise a client that reaches it between a failed stream and the next one would poll from then on.
   */
  readonly restart: (afterMs: number) => Promise<void>;
}

export const RESULT = { id: "ext_1", status: "complete", outcome: null };

/** An event in the service's wire format. */
const frame = (event: string, data: unknown): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

export const progress = (bytes: number, percent: number | null = null): string =>
  frame("progress", { phase: "processing", step: "fetching", percent, bytes, rung: null });

export const result = frame("result", RESULT);

export const begin = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { "content-type": "text/event-stream" });

/** Below the range of ephemeral ports, so that no other program takes it between stop and start. */
const PORTS_FROM = 21_000;
const PORTS_EACH = 60;
const PROCESSES = 100;

let port = PORTS_FROM + (process.pid % PROCESSES) * PORTS_EACH;

const listen = (server: Server, at: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(at, "127.0.0.1", () => {
      server.off("error", reject);
      resolve();
    });
  });

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

export const streamServer = async (...scripts: ReadonlyArray<Script>): Promise<StreamServer> => {
  let streams = 0;
  let reads = 0;
  let finished = false;
  let isReady = true;
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    if (request.url?.endsWith("/events") === true) {
      isReady = true;
      const script = scripts[streams];
      streams += 1;
      if (script === undefined) response.writeHead(404).end("{}");
      else void script(response, request);
      return;
    }
    reads += 1;
    if (!isReady) return void response.writeHead(503).end("{}");
    response.writeHead(finished ? 200 : 202, { "content-type": "application/json" });
    response.end(JSON.stringify(finished ? RESULT : { status: "processing" }));
  });
  port += 1;
  const own = port;
  await listen(server, own);
  return {
    baseUrl: `http://127.0.0.1:${own}`,
    streams: () => streams,
    reads: () => reads,
    finish: () => {
      finished = true;
    },
    restart: async (afterMs) => {
      isReady = false;
      await close(server);
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      await listen(server, own);
    },
    [Symbol.asyncDispose]: () => close(server)
  };
};
