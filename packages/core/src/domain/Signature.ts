/**
 * Signs deliveries: the service's own header (specification, "Signature"; contract 7) and, over the same
 * bytes, the three of Standard Webhooks (github.com/standard-webhooks/standard-webhooks, spec).
 */
import { createHmac } from "node:crypto";
import type { WebhookEventName } from "./WebhookDelivery.ts";

export interface SignedDelivery {
  readonly deliveryId: string;
  readonly event: WebhookEventName;
  /** Exactly what is sent. */
  readonly body: Uint8Array;
  /** `whsec_…`, each of them signs; none: the delivery goes unsigned. */
  readonly secrets: ReadonlyArray<string>;
  readonly timestampSeconds: number;
}

const hmac = (key: string | Buffer, prefix: string, body: Uint8Array) =>
  createHmac("sha256", key).update(prefix).update(body);

/** Keyed with the secret as it stands. */
const serviceSignature = ({ secrets, timestampSeconds, body }: SignedDelivery): string =>
  [
    `t=${timestampSeconds}`,
    ...secrets.map((secret) => `v1=${hmac(secret, `${timestampSeconds}.`, body).digest("hex")}`)
  ].join(",");

/** Keyed with the bytes that the secret's base64 stands for. */
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
