/** An https server on a loopback port for the duration of a scope, with a record of its requests. */
import type { IncomingHttpHeaders, RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import * as Effect from "effect/Effect";
import type { KeyAndCertificate } from "@winnow/isolation/test/network/TestAuthority";

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly serverName: string | false;
}

export interface Receiver {
  readonly port: number;
  readonly received: ReadonlyArray<Received>;
  /** TCP connections accepted so far. */
  readonly connections: () => number;
  /** Connections that are open now. */
  readonly openConnections: () => Promise<number>;
}

const accept: RequestListener = (_request, response) => response.writeHead(204).end();

export const receiver = (
  identity: KeyAndCertificate,
  listener: RequestListener = accept,
  address = "127.0.0.1"
) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const received: Array<Received> = [];
      let connections = 0;
      const server = createServer({ ...identity });
      server.on("connection", () => connections++);
      server.on("request", async (request, response) => {
        const { method = "", url = "", headers, socket } = request;
        const { servername } = socket as typeof socket & { readonly servername: string | false };
        const body = String(await buffer(request).catch(() => ""));
        received.push({ method, path: url, headers, body, serverName: servername });
        listener(request, response);
      });
      await new Promise<void>((resolve) => server.listen(0, address, resolve));
      return {
        server,
        port: (server.address() as AddressInfo).port,
        received,
        connections: () => connections,
        openConnections: () =>
          new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)))
      };
    }),
    ({ server }) =>
      Effect.promise(async () => {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      })
  );
