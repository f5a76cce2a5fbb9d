/**
 * A webhook receiver on Hono, which runs on Node, Bun, Deno and edge workers.
 *
 *   WINNOW_WEBHOOK_SECRET=whsec_… node examples/webhooks/hono.ts
 */
import { serve } from "@hono/node-server";
import { verifyWebhook, WebhookVerificationError } from "@winnow/client/webhooks";
import { Hono } from "hono";

const app = new Hono();

app.post("/hook", async (context) => {
  try {
    const { event, data } = await verifyWebhook({
      payload: await context.req.text(),
      headers: context.req.raw.headers,
      secret: process.env.WINNOW_WEBHOOK_SECRET
    });
    if (event === "extraction.completed") console.log(`${data.id} complete: ${data.summary.title}`);
    if (event === "extraction.failed") console.log(`${data.id} failed: ${data.error}`);
    return context.body(null, 204);
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return context.text(error.reason, 400);
  }
});

serve({ fetch: app.fetch, hostname: "127.0.0.1", port: Number(process.env.PORT ?? 3_000) }, (address) => {
  console.log("listening on", address);
});
