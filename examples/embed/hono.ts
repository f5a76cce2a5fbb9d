/**
 * Winnow inside a Hono app: the whole API under /winnow, its client in a route of the app, and the
 * app's sign-in for browsers that open files.
 *
 *   node examples/embed/hono.ts
 */
import { randomUUID } from "node:crypto";
import { serve } from "@hono/node-server";
import { createWinnow } from "@winnow/server";
import { Hono } from "hono";

const port = Number(process.env.PORT ?? 3_000);

/** Accounts of signed-in users, by an unguessable token; use your database in production. */
const signedIn = new Map<string, string>();

/** The visitor's identity in your app; here from a cookie with such a token. */
const accountOf = (request: Request): string | null => {
  const token = /(?:^|; )session=([\w-]+)/u.exec(request.headers.get("cookie") ?? "")?.[1];
  return signedIn.get(token ?? "") ?? null;
};

const winnow = await createWinnow({
  env: process.env, // the settings of docs/reference/settings.md; or name them here
  publicUrl: `http://127.0.0.1:${port}/winnow`,
  sessions: accountOf,
  plans: {
    member: {}, // missing values come from the plan `default`
    patron: { runningMax: 8, prices: { baseCredits: 25 } }
  },
  logger: ({ level, message, fields }) => level === "error" && console.error(message, fields)
});

// Once for each of your users, when they join: store the id with the user.
const { id } = await winnow.admin.accounts.create({ name: "A user of mine", plan: "member" });
await winnow.admin.topUps.create(id, { credits: 10_000 });
const { key } = await winnow.admin.apiKeys.create(id);
console.log("account", id, "key", key);

const session = randomUUID();
signedIn.set(session, id);
console.log("session", session);

const app = new Hono();
app.mount("/winnow", winnow.fetch);
app.get("/price", async (context) => {
  const accountId = accountOf(context.req.raw);
  if (accountId === null) return context.text("Sign in first.", 401);
  const { title, price } = await winnow.client(accountId).probe({ url: context.req.query("url") ?? "" });
  return context.json({ title, credits: price.credits });
});

const server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port }, (address) => {
  console.log("listening on", address);
});
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => void winnow.close().then(() => server.close()));
}
