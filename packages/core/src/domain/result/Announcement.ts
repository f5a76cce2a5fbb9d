/**
 * Webhook events, their bodies and receivers. The deliveries are added to every decision that ends a run, so that no
 * code path can forget them, and written in the same transaction. A body is rendered once, when the event occurs.
 */
import * as Result from "effect/Result";
import { countsOf, type Batch } from "../run/Batch.ts";
import type { Decider } from "../run/Decision.ts";
import { isTerminal } from "../run/Transition.ts";
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
  lastStatus: null,
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

export interface AnnouncementContext {
  /** Base URL of artifacts, without a trailing slash. */
  readonly publicUrl: string;
  readonly nowMs: number;
}

/** For a batch whose last item has just ended; goes to registered endpoints. */
const batchDeliveries = (
  batch: Batch,
  endpoints: ReadonlyArray<WebhookTarget>,
  nowMs: number
): ReadonlyArray<WebhookDelivery> => {
  const { id, accountId, creditsDebited, creditsRefunded } = batch;
  const data = { id, counts: countsOf(batch), creditsDebited, creditsRefunded };
  const shared = pending("batch.completed", data, nowMs);
  return endpoints.map((endpoint) => ({
    // A batch can end again after its failed items were retried.
    id: derivedId("whd", `${id} ${batch.completedAtMs}`, endpoint.id),
    accountId,
    extractionId: null,
    endpointId: endpoint.id,
    url: endpoint.url,
    ...shared
  }));
};

/** The same decision, with one delivery per receiver for each extraction, and for the batch, that ends. */
export const announcing = <A, E>(
  { needs, decide }: Decider<A, E>,
  context: AnnouncementContext
): Decider<A, E> => ({
  needs,
  decide: (view) =>
    Result.map(decide(view), ({ value, changes }) => {
      // Ended extractions never change again, so an ended one among the changes has just ended.
      const ended = [...changes.inserted, ...changes.updated].filter(({ status }) => isTerminal(status));
      const deliveries = ended.flatMap((extraction) =>
        endDeliveries(extraction, view.webhookEndpoints, context)
      );
      const batch = changes.batch?.batch ?? null;
      const isOver =
        batch !== null && batch.completedAtMs !== null && batch.completedAtMs !== view.batch?.completedAtMs;
      const all = isOver
        ? [...deliveries, ...batchDeliveries(batch, view.webhookEndpoints, context.nowMs)]
        : deliveries;
      return { value, changes: all.length === 0 ? changes : { ...changes, deliveries: all } };
    })
});
