/**
 * Verified by independent packages: `stripe` for the service's own scheme, which is Stripe's, and
 * `standardwebhooks` for that of Standard Webhooks.
 */
import { assert, describe, it } from "@effect/vitest";
import { Webhook } from "standardwebhooks";
import { Stripe } from "stripe";
import { deliveryHeaders, type SignedDelivery } from "../../../src/domain/webhook/Signature.ts";
import { secretFrom } from "../../../src/domain/webhook/WebhookEndpoint.ts";

const SECRET = secretFrom(new Uint8Array(32).map((_, index) => index * 7));
const OTHER = secretFrom(new Uint8Array(32).fill(9));
const TOLERANCE_SECONDS = 300;

const TEXT = JSON.stringify({
  event: "extraction.completed",
  data: { id: "ext_1", title: "Grüße \u{1f600}" }
});

const signed = (over: Partial<SignedDelivery> = {}) => {
  const delivery: SignedDelivery = {
    deliveryId: "whd_1",
    event: "extraction.completed",
    body: new TextEncoder().encode(TEXT),
    secrets: [SECRET],
    timestampSeconds: Math.floor(Date.now() / 1_000),
    ...over
  };
  return { headers: deliveryHeaders(delivery), text: new TextDecoder().decode(delivery.body) };
};

const { webhooks } = new Stripe("sk_test_none");

const stripeVerifies = (headers: Readonly<Record<string, string>>, text: string, secret: string): void => {
  const signature = headers["X-Service-Signature"] ?? "";
  assert.deepStrictEqual<unknown>(
    webhooks.constructEvent(text, signature, secret, TOLERANCE_SECONDS),
    JSON.parse(text)
  );
};

describe("the signature of a delivery", () => {
  it("is accepted by stripe's verifier, keyed with the literal secret", () => {
    const { headers, text } = signed();
    assert.match(headers["X-Service-Signature"] ?? "", /^t=\d{10},v1=[0-9a-f]{64}$/u);
    stripeVerifies(headers, text, SECRET);
    assert.throws(() => stripeVerifies(headers, text, OTHER));
    assert.throws(() => stripeVerifies(headers, text.replace("ext_1", "ext_2"), SECRET));
  });

  it("is one that Standard Webhooks accepts, with its id and time", () => {
    const { headers, text } = signed();
    assert.deepStrictEqual(new Webhook(SECRET).verify(text, headers), JSON.parse(text));
    assert.throws(() => new Webhook(OTHER).verify(text, headers));
    assert.throws(() => new Webhook(SECRET).verify(text, { ...headers, "webhook-id": "whd_2" }));
    assert.strictEqual(headers["webhook-id"], headers["X-Service-Delivery"]);
  });

  it("has both secrets during a rotation, so that either of them verifies", () => {
    const { headers, text } = signed({ secrets: [OTHER, SECRET] });
    assert.match(headers["X-Service-Signature"] ?? "", /^t=\d+(?:,v1=[0-9a-f]{64}){2}$/u);
    assert.match(headers["webhook-signature"] ?? "", /^v1,\S+ v1,\S+$/u);
    for (const secret of [OTHER, SECRET]) {
      stripeVerifies(headers, text, secret);
      assert.deepStrictEqual(new Webhook(secret).verify(text, headers), JSON.parse(text));
    }
  });

  it("is too old for a replay after the tolerance", () => {
    const timestampSeconds = Math.floor(Date.now() / 1_000) - TOLERANCE_SECONDS - 1;
    const { headers, text } = signed({ timestampSeconds });
    assert.throws(() => stripeVerifies(headers, text, SECRET), /tolerance/u);
    assert.throws(() => new Webhook(SECRET).verify(text, headers), /too old/u);
  });

  it("is of the bytes that are sent, and another one a second later", () => {
    const one = signed({ timestampSeconds: 1_700_000_000 });
    const next = signed({ timestampSeconds: 1_700_000_001 });
    assert.notStrictEqual(one.headers["X-Service-Signature"], next.headers["X-Service-Signature"]);
    assert.notStrictEqual(one.headers["webhook-signature"], next.headers["webhook-signature"]);
  });

  it("is omitted without a secret; the delivery headers remain", () => {
    assert.deepStrictEqual(signed({ secrets: [], timestampSeconds: 1_700_000_000 }).headers, {
      "X-Service-Event": "extraction.completed",
      "X-Service-Delivery": "whd_1",
      "webhook-id": "whd_1",
      "webhook-timestamp": "1700000000"
    });
  });
});
