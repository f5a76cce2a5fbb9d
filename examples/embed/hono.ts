/**
 * Winnow inside of a Hono app: the whole API under /winnow, the engine in a route of the app's own, and the
 * app's sign-in for browsers that open files.
 *
 *   node examples/embed/hono.ts
 */
import { serve } from "@hono/node-server";
import { createWinnow } from "@winnow/server";
import { Hono } from "hono";

const port = Number(process.env.PORT ?? 3_000);

/** Whoever your app knows the visitor to be; here a cookie that holds an account's id. */
const accountOf = (request: Request): string | null =>
  /(?:^|; )account=(\w+)/u.exec(request.headers.get("cookie") ?? "")?.[1] ?? null;

const winnow = await createWinnow({
  env: process.env, // the settings of docs/operations.md; or name them here
  publicUrl: `http://127.0.0.1:${port}/winnow`,
  sessions: accountOf,
  logger: ({ level, message, fields }) => level === "error" && console.error(message, fields)
});

const { id } = await winnow.engine.accounts.create({ name: "A user of mine" });
await winnow.engine.accounts.topUp(id, { credits: 10_000 });
const { key } = await winnow.engine.accounts.createApiKey(id);
console.log("account", id, "key", key);

const app = new Hono();
app.mount("/winnow", winnow.fetch);
app.get("/price", async (context) => {
  const accountId = accountOf(context.req.raw);
  if (accountId === null) return context.text("Sign in first.", 401);
  const { title, price } = await winnow.engine.probe(accountId, { url: context.req.query("url") ?? "" });
  return context.json({ title, credits: price.credits });
});

const server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port }, (address) => {
  console.log("listening on", address);
});
process.once("SIGTERM", () => void winnow.close().then(() => server.close()));
