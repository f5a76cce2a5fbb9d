// A webhook receiver: registers itself, verifies deliveries, and ends after the first extraction. The arguments
// are the files of its key and its certificate.
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import { text } from "node:stream/consumers";
import { Winnow } from "@winnow/client";
import { verifyWebhook } from "@winnow/client/webhooks";

const [key, cert] = process.argv.slice(2).map((file) => readFileSync(file));
let secret = "";
const server = createServer({ key, cert }, async (request, response) => {
  const { event, data } = await verifyWebhook({
    payload: await text(request),
    headers: request.headers,
    secret
  });
  response.end();
  console.log(JSON.stringify({ event, id: data.id }));
  if (event === "extraction.completed") server.close();
});
server.listen(0, "127.0.0.1", async () => {
  const url = `https://127.0.0.1:${server.address().port}/`;
  secret = (await new Winnow().webhookEndpoints.create({ url })).secret;
  console.log("ready");
});
