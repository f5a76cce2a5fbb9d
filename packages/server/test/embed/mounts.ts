/** The ways in which frameworks mount a function from a Request to a Response. */
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import express from "express";
import { Hono } from "hono";
import type { EmbeddedWinnow } from "../../src/index.ts";

export interface Mounted extends AsyncDisposable {
  /** Base URL of the API, as callers see it. */
  readonly url: string;
  readonly fetch: typeof globalThis.fetch;
}

const asListener = (handler: (request: Request) => Response | Promise<Response>): RequestListener =>
  getRequestListener(handler, { overrideGlobalObjects: false });

/** Idle connections are not closed, so that a late request does not fail. */
const KEEP_ALIVE_MS = 600_000;

const listening = async (listener: RequestListener, path: string): Promise<Mounted> => {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, listener);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    fetch: globalThis.fetch,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      })
  };
};

/** By framework. The `publicUrl` of the instance has the path `/winnow`. */
export const MOUNTS: Readonly<Record<string, (winnow: EmbeddedWinnow) => Promise<Mounted>>> = {
  "Hono, mounted": ({ fetch }) => {
    const app = new Hono().get("/", (context) => context.text("home")).mount("/winnow", fetch);
    return listening(asListener(app.fetch), "/winnow");
  },
  "Hono, as a route": ({ fetch }) => {
    const app = new Hono().all("/winnow/*", (context) => fetch(context.req.raw));
    return listening(asListener(app.fetch), "/winnow");
  },
  "node:http": ({ fetch }) => listening(asListener(fetch), ""),
  "Express 5": ({ fetch }) => {
    const app = express();
    app.get("/", (_request, response) => void response.send("home"));
    app.use("/winnow", asListener(fetch));
    return listening(app, "/winnow");
  },
  "Next, as a route file": ({ fetch }) => {
    // app/winnow/[...path]/route.ts: Next calls the export named like the method, with a Request.
    const route = (request: Request) => fetch(request);
    const routes = { GET: route, HEAD: route, POST: route, DELETE: route };
    return Promise.resolve({
      url: "https://app.example/winnow",
      fetch: (input, init) => {
        const request = new Request(input, init);
        return routes[request.method as keyof typeof routes](request);
      },
      [Symbol.asyncDispose]: () => Promise.resolve()
    });
  }
};
