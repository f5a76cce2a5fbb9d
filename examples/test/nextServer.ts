/**
 * Serves embed/next-route.ts like Next 16, on PORT: methods without an export get 405, paths with a trailing
 * slash are redirected to those without, requests are NextRequests, and responses lose their Content-Encoding.
 * Prints an account and its key, like the other embedding examples.
 */
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { createWinnow } from "@winnow/server";
import * as route from "../embed/next-route.ts";

const BASE = "/winnow";

const handlers: Readonly<Record<string, ((request: Request) => Promise<Response>) | undefined>> = {
  GET: route.GET,
  HEAD: route.HEAD,
  POST: route.POST,
  PATCH: route.PATCH,
  DELETE: route.DELETE,
  OPTIONS: route.OPTIONS
};

const answer = async (request: Request): Promise<Response> => {
  const { pathname, search } = new URL(request.url);
  if (pathname.length > 1 && pathname.endsWith("/")) {
    return new Response(null, { status: 308, headers: { location: pathname.slice(0, -1) + search } });
  }
  if (pathname !== BASE && !pathname.startsWith(`${BASE}/`)) return new Response(null, { status: 404 });
  const response = await handlers[request.method]?.(
    Object.assign(request, { nextUrl: new URL(request.url) })
  );
  response?.headers.delete("content-encoding");
  return response ?? new Response(null, { status: 405 });
};

const port = Number(process.env.PORT);
await route.GET(new Request(`http://127.0.0.1:${port}${BASE}/healthz`));
const { winnow: started } = globalThis as { winnow?: ReturnType<typeof createWinnow> };
if (started === undefined) throw new Error("the first request starts Winnow");
const winnow = await started;
const { id } = await winnow.admin.accounts.create({ name: "A user of mine" });
await winnow.admin.topUps.create(id, { credits: 10_000 });
const { key } = await winnow.admin.apiKeys.create(id);
console.log("account", id, "key", key);

const server = createServer(getRequestListener(answer, { overrideGlobalObjects: false }));
server.listen(port, "127.0.0.1", () => console.log("listening on", server.address()));
process.on("SIGTERM", () => void winnow.close().then(() => server.close()));
