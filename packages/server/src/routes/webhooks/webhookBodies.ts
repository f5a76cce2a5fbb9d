/** Webhook endpoints and deliveries as shown by the API. Pure. */
import type { DeliverySummary } from "@winnow/core/domain/webhook/WebhookDelivery";
import type {
  DeliveryDetails,
  DeliveryPage,
  EndpointDetails,
  RegisteredEndpoint,
  RotatedSecret
} from "@winnow/core/engine/webhooks/Webhooks";
import type * as Wire from "./WebhookWire.ts";
import { dateTime } from "../../http/openapi/described.ts";
import { pageOf } from "../../http/pages.ts";

const dateTimeOrNull = (unixMs: number | null): string | null => (unixMs === null ? null : dateTime(unixMs));

export const endpointItem = (endpoint: EndpointDetails): Wire.WebhookEndpoint => ({
  id: endpoint.id,
  url: endpoint.url,
  createdAt: dateTime(endpoint.createdAtMs),
  createdBy: endpoint.createdBy,
  failingSince: dateTimeOrNull(endpoint.failingSinceMs),
  disabledAt: dateTimeOrNull(endpoint.disabledAtMs),
  notice: endpoint.disabledReason
});

export const registeredEndpoint = ({ endpoint, secret }: RegisteredEndpoint) =>
  secret === null ? endpointItem(endpoint) : { ...endpointItem(endpoint), secret };

export const rotatedSecret = ({ endpoint, secret, previousExpiresAtMs }: RotatedSecret) => ({
  ...endpointItem(endpoint),
  secret,
  previousSecretExpiresAt: dateTime(previousExpiresAtMs)
});

export const deliveryItem = (delivery: DeliverySummary): Wire.WebhookDelivery => ({
  id: delivery.id,
  event: delivery.event,
  extractionId: delivery.extractionId,
  endpointId: delivery.endpointId,
  url: delivery.url,
  status: delivery.status,
  attemptCount: delivery.attemptCount,
  nextAttemptAt: dateTimeOrNull(delivery.nextAttemptAtMs),
  note: delivery.failureNote,
  createdAt: dateTime(delivery.createdAtMs)
});

export const deliveryDetail = ({ delivery, attempts }: DeliveryDetails) => ({
  ...deliveryItem(delivery),
  attempts: attempts.map(({ atMs, ...attempt }) => ({ at: dateTime(atMs), ...attempt }))
});

export const deliveryPage = ({ deliveries, nextCursor }: DeliveryPage) =>
  pageOf(deliveries, nextCursor, deliveryItem);
