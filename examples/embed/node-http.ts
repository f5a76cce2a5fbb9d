/**
 * Winnow on a node:http server, without a framework.
 *
 *   node examples/embed/node-http.ts
 */
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { createWinnow } from "@winnow/server";

const port = Number(process.env.PORT ?? 3_000);
const winnow = await createWinnow({ env: process.env, publicUrl: `http://127.0.0.1:${port}` });

// Once for each of your users, when they join: store the id with the user.
const { id } = await winnow.engine.accounts.create({ name: "A user of mine" });
await winnow.engine.accounts.topUp(id, { credits: 10_000 });
const { key } = await winnow.engine.accounts.createApiKey(id);
console.log("account", id, "key", key);

const server = createServer(getRequestListener(winnow.fetch, { overrideGlobalObjects: false }));
server.listen(port, "127.0.0.1", () => console.log("listening on", server.address()));
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => void winnow.close().then(() => server.close()));
}
