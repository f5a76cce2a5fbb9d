/**
 * Signs webhook deliveries: with the service's own header and, over the
 * same bytes, the three headers of Standard Webhooks (github.com/standard-webhooks/standard-webhooks, spec).
 */
import { createHmac } from "node:crypto";
import type { WebhookEventName } from "./WebhookDelivery.ts";

export interface SignedDelivery {
  readonly deliveryId: string;
  readonly event: WebhookEventName;
  /** The exact bytes of the body. */
  readonly body: Uint8Array;
  /** `whsec_…` secrets; each one signs. Without secrets the delivery is not signed. */
  readonly secrets: ReadonlyArray<string>;
  readonly timestampSeconds: number;
}

const hmac = (key: string | Buffer, prefix: string, body: Uint8Array) =>
  createHmac("sha256", key).update(prefix).update(body);

/** Uses the secret string itself as the key. */
const serviceSignature = ({ secrets, timestampSeconds, body }: SignedDelivery): string =>
  [
    `t=${timestampSeconds}`,
    ...secrets.map((secret) => `v1=${hmac(secret, `${timestampSeconds}.`, body).digest("hex")}`)
  ].join(",");

/** Uses the decoded base64 of the secret as the key. */
const standardSignature = ({ deliveryId, secrets, timestampSeconds, body }: SignedDelivery): string =>
  secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(secret.indexOf("_") + 1), "base64");
      return `v1,${hmac(key, `${deliveryId}.${timestampSeconds}.`, body).digest("base64")}`;
    })
    .join(" ");

/** The headers of one attempt. */
export const deliveryHeaders = (delivery: SignedDelivery): Readonly<Record<string, string>> => ({
  "X-Service-Event": delivery.event,
  "X-Service-Delivery": delivery.deliveryId,
  "webhook-id": delivery.deliveryId,
  "webhook-timestamp": String(delivery.timestampSeconds),
  ...(delivery.secrets.length === 0
    ? {}
    : {
        "X-Service-Signature": serviceSignature(delivery),
        "webhook-signature": standardSignature(delivery)
      })
});
