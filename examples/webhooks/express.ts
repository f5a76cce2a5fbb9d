/**
 * A webhook receiver on Express. `express.raw` on this route, because the signature covers the raw bytes.
 *
 *   WINNOW_WEBHOOK_SECRET=whsec_… node examples/webhooks/express.ts
 */
import { verifyWebhook, WebhookVerificationError } from "@winnow/client/webhooks";
import express from "express";

const app = express();

app.post("/hook", express.raw({ type: "application/json", limit: "4mb" }), async (request, response) => {
  try {
    const { event, data } = await verifyWebhook({
      payload: request.body as Buffer,
      headers: request.headers,
      secret: process.env.WINNOW_WEBHOOK_SECRET
    });
    if (event === "extraction.completed") console.log(`${data.id} complete: ${data.summary.title}`);
    if (event === "extraction.failed") console.log(`${data.id} failed: ${data.error}`);
    response.sendStatus(204);
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    response.status(400).send(error.reason);
  }
});

const server = app.listen(Number(process.env.PORT ?? 3_000), "127.0.0.1", () => {
  console.log("listening on", server.address());
});
