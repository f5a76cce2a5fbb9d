/**
 * Winnow inside an Express app, with the listener that node:http takes too. Mount it before body parsers, because it
 * reads bodies itself.
 *
 *   node examples/embed/express.ts
 */
import { getRequestListener } from "@hono/node-server";
import { createWinnow } from "@winnow/server";
import express from "express";

const port = Number(process.env.PORT ?? 3_000);
const winnow = await createWinnow({ env: process.env, publicUrl: `http://127.0.0.1:${port}/winnow` });

// Once for each of your users, when they join: store the id with the user.
const { id } = await winnow.admin.accounts.create({ name: "A user of mine" });
await winnow.admin.topUps.create(id, { credits: 10_000 });
const { key } = await winnow.admin.apiKeys.create(id);
console.log("account", id, "key", key);

const app = express();
app.use("/winnow", getRequestListener(winnow.fetch, { overrideGlobalObjects: false }));
app.get("/", (_request, response) => void response.send("The rest of your app."));

const server = app.listen(port, "127.0.0.1", () => console.log("listening on", server.address()));
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => void winnow.close().then(() => server.close()));
}
