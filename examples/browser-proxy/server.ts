/**
 * Winnow for browser pages: they call these routes, and the API key stays on this server.
 *
 *   WINNOW_API_KEY=… node examples/browser-proxy/server.ts
 *
 * A page can submit what this server allows, and sees only its own extractions.
 */
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { serve } from "@hono/node-server";
import { ApiError, Winnow } from "@winnow/client";
import { Hono, type Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { csrf } from "hono/csrf";
import { HTTPException } from "hono/http-exception";

const CREDITS_MAX = 500;

/** Errors about the request; others, such as this server's balance, are not for visitors. */
const TOLD = new Set([400, 404, 409, 422, 429]);

const winnow = new Winnow(); // WINNOW_API_KEY and WINNOW_URL from the environment

/** The visitor: replace this with your own sign-in. It only distinguishes browsers. */
const visitorOf = (context: Context): string => {
  const known = getCookie(context, "visitor");
  if (known !== undefined) return known;
  const visitor = randomUUID();
  setCookie(context, "visitor", visitor, { httpOnly: true, sameSite: "Lax" }); // and `secure` under https
  return visitor;
};

/** The owner of each extraction; use your database in production. */
const owners = new Map<string, string>();

const isOwner = (context: Context, id: string): boolean => owners.get(id) === visitorOf(context);

const app = new Hono();

app.get("/", async (context) => {
  visitorOf(context);
  return context.html(await readFile(new URL("page.html", import.meta.url), "utf8"));
});

app.post("/extractions", csrf(), async (context) => {
  const { url } = await context.req.json<{ url: string }>();
  const body = { url: String(url), parts: ["transcript"] as const }; // what pages may request
  const { price } = await winnow.probe(body);
  if (price.credits > CREDITS_MAX) return context.json({ error: "That is too expensive here." }, 402);
  const { id } = await winnow.submit(body);
  owners.set(id, visitorOf(context));
  return context.json({ id }, 201);
});

app.get("/extractions/:id", async (context) => {
  const id = context.req.param("id");
  if (!isOwner(context, id)) return context.notFound();
  const result = await winnow.extractions.result(id);
  if (result.status === "failed") return context.json({ status: "failed", error: result.error });
  if (result.status !== "complete") return context.json({ status: result.status }, 202);
  const { title, files } = result.summary;
  return context.json({ status: "complete", title, files });
});

app.get("/extractions/:id/files/:name", async (context) => {
  const { id, name } = context.req.param();
  if (!isOwner(context, id)) return context.notFound();
  const file = await winnow.files.get(id, name, { signal: context.req.raw.signal });
  return new Response(file.body, {
    headers: {
      "content-type": file.headers.get("content-type") ?? "application/octet-stream",
      "x-content-type-options": "nosniff"
    }
  });
});

app.onError((error, context) => {
  if (error instanceof HTTPException) return error.getResponse();
  if (error instanceof ApiError && TOLD.has(error.status)) {
    return context.json({ error: error.message }, error.status as 400);
  }
  console.error(error);
  return context.json({ error: "Something failed here." }, 502);
});

serve({ fetch: app.fetch, hostname: "127.0.0.1", port: Number(process.env.PORT ?? 3_000) }, (address) => {
  console.log("listening on", address);
});
