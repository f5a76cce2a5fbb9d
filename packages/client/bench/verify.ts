/**
 * Which deliveries the verifiers accept. Each gets the case in its own form: `t=…,v1=…` for us and Stripe, the
 * three headers of Standard Webhooks for its library.
 *
 *   node packages/client/bench/verify.ts
 */
import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { Stripe } from "stripe";
import { verifyWebhook } from "../src/webhooks.ts";

const SECRET = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const BODY = '{"event":"test","data":{"id":"x"}}';
const DAY_SECONDS = 86_400;
const NOW = Math.floor(Date.now() / 1_000);

const v1 = (t: number | string): string => createHmac("sha256", SECRET).update(`${t}.${BODY}`).digest("hex");
const signed = (t: number): string => `t=${t},v1=${v1(t)}`;

/** `header` is for us and Stripe; `shiftSeconds` shifts the time that the library signs, null if it lacks the case. */
const CASES: ReadonlyArray<readonly [name: string, header: string, shiftSeconds: number | null]> = [
  ["right", signed(NOW), 0],
  ["299 s old", signed(NOW - 299), -299],
  ["302 s old", signed(NOW - 302), -302],
  ["302 s in the future", signed(NOW + 302), 302],
  ["1 day in the future", signed(NOW + DAY_SECONDS), DAY_SECONDS],
  ["two `t`, the last one right", `t=${NOW - 9_999},${signed(NOW)}`, null],
  ["two `t`, the first one right", `${signed(NOW)},t=${NOW - 9_999}`, null],
  ["two `v1`, the second one right", `t=${NOW},v1=${"0".repeat(64)},v1=${v1(NOW)}`, null],
  ["another version only", signed(NOW).replace("v1=", "v0="), null],
  ["upper-case hex", `t=${NOW},v1=${v1(NOW).toUpperCase()}`, null],
  ["a short `v1`", `t=${NOW},v1=ab`, null],
  ["no hex", `t=${NOW},v1=${"z".repeat(64)}`, null],
  ["a fraction as `t`", `t=${NOW}.5,v1=${v1(`${NOW}.5`)}`, null]
];

const verdict = async (verify: () => unknown): Promise<string> => {
  try {
    await verify();
    return "takes";
  } catch {
    return "refuses";
  }
};

const stripe = new Stripe("sk_test_x");
const standard = new Webhook(SECRET);

const byLibrary = (shiftSeconds: number): unknown => {
  const at = NOW + shiftSeconds;
  const signature = standard.sign("msg_1", new Date(at * 1_000), BODY);
  const headers = { "webhook-id": "msg_1", "webhook-timestamp": String(at), "webhook-signature": signature };
  return standard.verify(BODY, headers);
};

const ours = (header: string, toleranceSeconds?: number) =>
  verifyWebhook({
    payload: BODY,
    headers: { "x-service-signature": header },
    secret: SECRET,
    toleranceSeconds
  });

console.log("| delivery | winnow | stripe | standardwebhooks |\n| --- | --- | --- | --- |");
for (const [name, header, shiftSeconds] of CASES) {
  const cells = [
    await verdict(() => ours(header)),
    await verdict(() => stripe.webhooks.constructEvent(BODY, header, SECRET)),
    shiftSeconds === null ? "–" : await verdict(() => byLibrary(shiftSeconds))
  ];
  console.log(`| ${name} | ${cells.join(" | ")} |`);
}
const old = signed(NOW - DAY_SECONDS);
const atZero = [
  await verdict(() => ours(old, 0)),
  await verdict(() => stripe.webhooks.constructEvent(BODY, old, SECRET, 0))
];
console.log(`| 1 day old, tolerance 0 | ${atZero.join(" | ")} | – |`);
