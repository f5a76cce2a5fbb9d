/**
 * Sends every failed delivery once more, after the receiver was mended.
 *
 *   WINNOW_API_KEY=… node examples/webhooks/redeliver-failed.ts
 */
import { Winnow } from "@winnow/client";

const winnow = new Winnow({
  apiKey: process.env.WINNOW_API_KEY ?? "",
  baseUrl: process.env.WINNOW_URL ?? "http://127.0.0.1:8787"
});

let count = 0;
for await (const delivery of winnow.webhookDeliveries.list({ status: "failed" })) {
  await winnow.webhookDeliveries.redeliver(delivery.id);
  count += 1;
}
console.log(`${count} sent again`);
