/** A loopback server with scripted responses, one step per request. */
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Step =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Record<string, string> }
  | "drop"
  /** Responds in any way, or never. */
  | ((response: ServerResponse) => void);

export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A port where nothing listens, below the range of ephemeral ports. */
export const NOWHERE = "http://127.0.0.1:2";

/** Idle connections are not closed, so that a late request does not fail. */
export const KEEP_ALIVE_MS = 600_000;

export interface FaultyServer extends AsyncDisposable {
  readonly baseUrl: string;
  readonly seen: Array<Seen>;
}

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

/** The last step responds to all further requests. Event streams are 404, which uses no step. */
export const faultyServer = async (...steps: ReadonlyArray<Step>): Promise<FaultyServer> => {
  const seen: Array<Seen> = [];
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, async (request, response) => {
    if (request.url?.endsWith("/events") === true) {
      response.writeHead(404, { "content-type": "application/json" }).end("{}");
      return;
    }
    const chunks: Array<Buffer> = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const step = steps[Math.min(seen.length, steps.length - 1)] ?? { status: 500 };
    const { method = "", url = "", headers } = request;
    seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
    if (step === "drop") {
      request.socket.destroy();
      return;
    }
    if (typeof step === "function") {
      step(response);
      return;
    }
    const raw = Buffer.isBuffer(step.body);
    response.writeHead(step.status, {
      "content-type": raw ? "video/mp4" : "application/json",
      ...step.headers
    });
    response.end(raw ? step.body : JSON.stringify(step.body ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}`, seen, [Symbol.asyncDispose]: () => close(server) };
};
