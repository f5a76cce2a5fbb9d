/** Texts of webhooks and deliveries. */
import type { WebhookDelivery } from "@winnow/client";
import { plural } from "../../words/words.ts";

export const webhooksWords = {
  hint: "Each endpoint receives an event when an extraction completes or fails.",
  add: "Add an endpoint",
  emptyTitle: "No endpoints yet",
  emptyText: "Add a URL of your server to be notified when an extraction ends, instead of polling.",
  url: "Endpoint URL",
  urlHint: "It must begin with https:// and be reachable from the internet.",
  secret: "Signing secret",
  receiver: "Verify each delivery with it:",
  healthy: "The last delivery succeeded.",
  unused: "Nothing has been sent to it yet.",
  known: "This URL is already registered",
  failingSince: (time: string) => `Failing since ${time}`,
  test: "Send a test",
  testUnderWay: "The test is on its way …",
  tested: "The test was delivered.",
  testFailed: (reason: string) => `The test was not delivered: ${reason}`,
  testAttempts: "See its attempts",
  enable: "Enable again",
  rotate: "Rotate secret",
  rotateText: "For 24 hours, deliveries are signed with both the old and the new secret.",
  bothUntil: (date: string) => `Deliveries are signed with the old secret too until ${date}.`,
  deleteTitle: "Delete this endpoint?",
  noDeliveries: "Nothing has been sent yet.",
  recover: "Resend failed deliveries",
  recovered: (count: number) => `${count} ${plural(count, "delivery", "deliveries")} queued to be sent again`,
  events: {
    "extraction.completed": "Extraction completed",
    "extraction.failed": "Extraction failed",
    "batch.completed": "Batch completed",
    test: "Test"
  },
  attempted: ({ attemptCount: count, lastStatus }: WebhookDelivery) =>
    `${count} ${plural(count, "attempt", "attempts")}` +
    (count === 0 ? "" : ` · ${lastStatus === null ? "no response" : `HTTP ${lastStatus}`}`),
  delivery: "Delivery",
  next: "Next attempt",
  redeliver: "Send again",
  attempts: "Attempts",
  attempt: (number: number) => `Attempt ${number}`,
  noAttempts: "No attempts yet.",
  headers: "Headers sent",
  body: "Body",
  noBody: "The body was deleted with its extraction.",
  answer: "Response of the endpoint"
};
