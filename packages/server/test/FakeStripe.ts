/**
 * A fake of Stripe's API on loopback, as far as Checkout needs it, and webhook events signed by the official
 * package.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as Effect from "effect/Effect";
import { Stripe } from "stripe";

export const WEBHOOK_SECRET = "whsec_of_the_test";

interface Payment {
  readonly id: string;
  readonly amount: number;
  readonly metadata: Readonly<Record<string, string>>;
}

export interface Asked {
  readonly form: URLSearchParams;
  readonly idempotencyKey: string | undefined;
}

const metadataIn = (form: URLSearchParams, prefix: string): Record<string, string> =>
  Object.fromEntries(
    [...form].flatMap(([name, value]) => {
      const key = name.startsWith(`${prefix}[`) ? name.slice(prefix.length + 1, -1) : null;
      return key === null ? [] : [[key, value]];
    })
  );

/** Runs until the scope closes. */
export const startFakeStripe = Effect.acquireRelease(
  Effect.promise(async () => {
    const asked: Array<Asked> = [];
    const payments = new Map<string, Payment>();
    let isAway = false;
    const server = createServer((request, response) => {
      let text = "";
      request.setEncoding("utf8");
      request.on("data", (chunk: string) => (text += chunk));
      request.on("end", () => {
        const answer = (status: number, body: object): void => {
          response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
        };
        if (isAway) return answer(400, { error: { type: "api_error", message: "away" } });
        const { pathname } = new URL(request.url ?? "/", "http://stripe");
        if (request.method === "POST" && pathname === "/v1/checkout/sessions") {
          const form = new URLSearchParams(text);
          const number = asked.push({ form, idempotencyKey: request.headers["idempotency-key"] as string });
          const id = `pi_${number}`;
          const amount = Number(form.get("line_items[0][price_data][unit_amount]"));
          payments.set(id, { id, amount, metadata: metadataIn(form, "payment_intent_data[metadata]") });
          return answer(200, {
            id: `cs_${number}`,
            object: "checkout.session",
            url: `https://checkout.example/cs_${number}`
          });
        }
        const payment = payments.get(/^\/v1\/payment_intents\/(\w+)$/u.exec(pathname)?.[1] ?? "");
        return payment === undefined
          ? answer(404, { error: { type: "invalid_request_error", message: "none" } })
          : answer(200, { ...payment, object: "payment_intent", amount_received: payment.amount });
      });
    });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    return {
      api: { host: "127.0.0.1", port, protocol: "http" as const },
      asked,
      payments,
      /** Adds a payment of another shop, or of another Winnow server, in the same Stripe account. */
      sell: (payment: Payment) => void payments.set(payment.id, payment),
      setAway: (away: boolean) => void (isAway = away),
      server
    };
  }),
  ({ server }) =>
    Effect.promise(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    })
);

export type FakeStripe = Effect.Success<typeof startFakeStripe>;

const signer = new Stripe("sk_test_signer").webhooks;

let count = 0;

interface Signing {
  readonly secret?: string;
  readonly timestamp?: number;
}

interface SignedText {
  readonly body: string;
  readonly signature: string;
}

/** Any body with Stripe's signature. */
export const signedText = async (
  body: string,
  { secret = WEBHOOK_SECRET, timestamp }: Signing = {}
): Promise<SignedText> => {
  const parts = { payload: body, secret, ...(timestamp === undefined ? {} : { timestamp }) };
  return { body, signature: await signer.generateTestHeaderStringAsync(parts) };
};

/** The body and signature of an event, as Stripe posts it. */
export const signedEvent = async (type: string, object: object, over: Signing = {}): Promise<SignedText> => {
  return signedText(JSON.stringify({ id: `evt_${++count}`, object: "event", type, data: { object } }), over);
};
