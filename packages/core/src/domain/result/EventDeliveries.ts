/**
 * Webhook events: body and receivers. A body is
 * rendered once, when the event occurs.
 */
import { derivedId } from "../request/Idempotency.ts";
import type { Extraction } from "../run/Extraction.ts";
import { resultView } from "./ResultView.ts";
import { freshSchedule, type WebhookDelivery, type WebhookEventName } from "../webhook/WebhookDelivery.ts";
import type { WebhookEndpoint, WebhookTarget } from "../webhook/WebhookEndpoint.ts";

const TEST_MESSAGE = "This is a test of your webhook endpoint. It is signed and delivered like real events.";

const pending = (
  event: WebhookEventName,
  data: object,
  nowMs: number
): Omit<WebhookDelivery, "id" | "accountId" | "extractionId" | "endpointId" | "url"> => ({
  event,
  body: JSON.stringify({ event, data }),
  attemptCount: 0,
  ...freshSchedule(nowMs),
  createdAtMs: nowMs
});

/** Registered endpoints, plus the per-run URL unless it is one of them. */
const targetsOf = (
  { request: { webhookUrl } }: Extraction,
  endpoints: ReadonlyArray<WebhookTarget>
): ReadonlyArray<{ readonly endpointId: string | null; readonly url: string }> => {
  const registered = endpoints.map(({ id, url }) => ({ endpointId: id, url }));
  return webhookUrl === null || registered.some(({ url }) => url === webhookUrl)
    ? registered
    : [...registered, { endpointId: null, url: webhookUrl }];
};

/** The deliveries for an extraction that ended. `endpoints` are the account's enabled ones. */
export const endDeliveries = (
  extraction: Extraction,
  endpoints: ReadonlyArray<WebhookTarget>,
  { publicUrl, nowMs }: { readonly publicUrl: string; readonly nowMs: number }
): ReadonlyArray<WebhookDelivery> => {
  const targets = targetsOf(extraction, endpoints);
  if (targets.length === 0) return [];
  const event = extraction.status === "complete" ? "extraction.completed" : "extraction.failed";
  const shared = pending(event, resultView(extraction, publicUrl), nowMs);
  return targets.map(({ endpointId, url }) => ({
    // Deterministic for event and receiver, so that no event is written twice.
    id: derivedId("whd", extraction.id, endpointId ?? url),
    accountId: extraction.accountId,
    extractionId: extraction.id,
    endpointId,
    url,
    ...shared
  }));
};

/** The event `test`, sent on demand. */
export const testDelivery = (
  id: string,
  endpoint: Pick<WebhookEndpoint, "id" | "accountId" | "url">,
  nowMs: number
): WebhookDelivery => ({
  id,
  accountId: endpoint.accountId,
  extractionId: null,
  endpointId: endpoint.id,
  url: endpoint.url,
  ...pending(
    "test",
    { message: TEST_MESSAGE, endpointId: endpoint.id, sentAt: new Date(nowMs).toISOString() },
    nowMs
  )
});
