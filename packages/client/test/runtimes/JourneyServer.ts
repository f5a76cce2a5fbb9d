/**
 * A loopback fake of the service for one scenario, whose first submit fails. It can also serve pages that call
 * it.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { KEEP_ALIVE_MS } from "../FaultyServer.ts";

export const FILE_BYTES = 1_000_000;

const RESULT = { id: "ext_1", status: "complete", outcome: null, extraction: null };

const progress = JSON.stringify({ phase: "processing", step: "fetching", percent: 50, bytes: 1, rung: null });

const EVENTS = [
  `event: progress\ndata: ${progress}\n\n`,
  `event: result\ndata: ${JSON.stringify(RESULT)}\n\n`
].join("");

const ROWS = '{"extractionId":"ext_1"}\n{"extractionId":"ext_2"}\n';

const QUOTE = '{"index":0,"credits":50}\n{"credits":50}\n';

const json = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { "content-type": "application/json", "x-request-id": "req_1" });
  response.end(JSON.stringify(body));
};

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
};

export interface JourneyServer extends AsyncDisposable {
  readonly baseUrl: string;
}

/** `assets` are the pages and their scripts, by path. */
export const journeyServer = async (
  assets: Readonly<Record<string, string>> = {}
): Promise<JourneyServer> => {
  let submits = 0;
  const submit = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { url } = JSON.parse(await bodyOf(request)) as { readonly url: string };
    submits += 1;
    if (url === "") json(response, 400, { error: { code: "invalid_request", message: "url is empty" } });
    else if (submits === 1) response.writeHead(503, { "retry-after": "0" }).end("<html>");
    else json(response, 201, { id: "ext_1", status: "pending" });
  };
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
    const asset = assets[pathname];
    if (asset !== undefined) {
      const type = pathname.endsWith(".js") ? "text/javascript" : "text/html";
      response.writeHead(200, { "content-type": type }).end(asset);
    } else if (request.headers.authorization === undefined) json(response, 401, {});
    else if (pathname.endsWith("/hangs")) response.on("close", () => undefined);
    else if (pathname === "/v1/account") json(response, 200, { id: "acc_1" });
    else if (pathname === "/v1/results")
      response.writeHead(200).end(searchParams.get("format") === "csv" ? "dish\r\nsöup\r\n" : ROWS);
    else if (pathname.endsWith("/quote")) response.writeHead(200).end(QUOTE);
    else if (pathname.endsWith("/events")) {
      response.writeHead(200, { "content-type": "text/event-stream" }).end(EVENTS);
    } else if (pathname.includes("/files/")) response.writeHead(200).end(Buffer.alloc(FILE_BYTES, 7));
    else if (request.method === "POST") void submit(request, response);
    else {
      const next = searchParams.has("cursor") ? null : "more";
      json(response, 200, { data: [{ id: next ?? "last" }], has_more: next !== null, next_cursor: next });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      })
  };
};
