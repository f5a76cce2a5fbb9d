/**
 * Resends failed deliveries once the receiver works again: all of them, or those of events since a time.
 *
 *   WINNOW_API_KEY=… node examples/webhooks/redeliver-failed.ts [2026-11-21T08:00:00Z]
 */
import { Winnow } from "@winnow/client";

const winnow = new Winnow(); // WINNOW_API_KEY and WINNOW_URL from the environment

// Deliveries whose extraction or endpoint was deleted cannot be sent again and are skipped.
const since = process.argv[2] ?? new Date(0);
const { redelivered } = await winnow.webhookDeliveries.redeliverFailed({ since });
console.log(`${redelivered} sent again`);
