/**
 * Sends failed deliveries once more, after the receiver was mended: all, or those of events since a time.
 *
 *   WINNOW_API_KEY=… node examples/webhooks/redeliver-failed.ts [2026-11-21T08:00:00Z]
 */
import { Winnow } from "@winnow/client";

const winnow = new Winnow(); // WINNOW_API_KEY and WINNOW_URL of the environment

// What cannot be sent any more, because its extraction or its endpoint is gone, is left out.
const since = process.argv[2] ?? new Date(0);
const { redelivered } = await winnow.webhookDeliveries.redeliverFailed({ since });
console.log(`${redelivered} sent again`);
