/**
 * A webhook receiver on node:http.
 *
 *   WINNOW_WEBHOOK_SECRET=whsec_… node examples/webhooks/node-http.ts
 */
import { createServer, type IncomingMessage } from "node:http";
import { verifyWebhook, WebhookVerificationError } from "@winnow/client/webhooks";

const BODY_BYTES_MAX = 4 * 1_024 * 1_024;

/** The raw bytes, which the signature covers. */
const rawBody = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Array<Buffer> = [];
  let sizeBytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > BODY_BYTES_MAX) throw new Error("The body is too large.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const receive = async (request: IncomingMessage): Promise<number> => {
  try {
    const { event, data } = await verifyWebhook({
      payload: await rawBody(request),
      headers: request.headers,
      secret: process.env.WINNOW_WEBHOOK_SECRET
    });
    // Deliveries may be repeated: deduplicate by data.id. Respond before you process: the limit is 10 seconds.
    if (event === "extraction.completed") console.log(`${data.id} complete: ${data.summary.title}`);
    if (event === "extraction.failed") console.log(`${data.id} failed: ${data.error}`);
    return 204;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return 400;
    throw error;
  }
};

const server = createServer((request, response) => {
  receive(request).then(
    (status) => response.writeHead(status).end(),
    () => response.writeHead(500).end()
  );
});
server.listen(Number(process.env.PORT ?? 3_000), "127.0.0.1", () => {
  console.log("listening on", server.address());
});
