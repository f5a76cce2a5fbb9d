/**
 * Webhooks on loopback, over real TLS and PostgreSQL: the time from the settlement of a run to the receipt of its
 * event (budget: 50 ms at the 95th percentile on a quiet machine), and deliveries per second to 1,000 receivers, with
 * all of them healthy and with one in ten that never answers. The first round runs on a database without statistics.
 * Then the time of an account's events while 30 other accounts have five receivers each that respond as slowly as
 * allowed, compared with none (budget: 2 s).
 *
 *     node packages/adapters/bench/webhooks.ts [dripping]
 *
 * `dripping` runs only the last part.
 */
import { fork, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import * as tls from "node:tls";
import { freshSchedule, type WebhookDelivery } from "@winnow/core/domain/webhook/WebhookDelivery";
import * as WebhookDispatcher from "@winnow/core/engine/webhooks/WebhookDispatcher";
import * as CommitHook from "@winnow/core/engine/CommitHook";
import { Store } from "@winnow/core/ports/Store";
import { WebhookOutbox } from "@winnow/core/ports/WebhookOutbox";
import { sampleAccount, sampleRequest, sampleSubmit } from "@winnow/testing/samples/samples";
import { settle, start, submit } from "@winnow/testing/samples/StoreSteps";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Logger from "effect/Logger";
import selfsigned from "selfsigned";
import * as PgWebhookOutbox from "../src/database/store/PgWebhookOutbox.ts";
import * as GuardedWebhooks from "../src/webhooks/GuardedWebhooks.ts";
import { benchStore } from "./BenchStore.ts";
import { median } from "./timing.ts";

const RECEIVERS = 1_000;
const RECEIVERS_OF_ACCOUNT = 5;
const DELIVERIES_OF_RECEIVER = 2;
const SINGLE_DELIVERIES = 300;
const ROUNDS = 2;
const DRIPPING_RECEIVERS = 150;
const DRIPPING_DELIVERIES_OF_RECEIVER = 8;
const DRIP_EVERY_MS = 500;

/** Comparable across processes: Unix milliseconds with their fraction. */
const nowMs = (): number => performance.timeOrigin + performance.now();

const serveReceivers = (): void => {
  const pem = process.env["RECEIVER_PEM"] ?? "";
  const server = createServer({ key: pem, cert: pem }, (request, response) => {
    const atMs = nowMs();
    request.resume();
    if (request.url?.includes("/dead") === true) return;
    if (request.url?.includes("/drip") === true) {
      response.writeHead(200);
      const dripping = setInterval(() => response.write("."), DRIP_EVERY_MS);
      return void response.once("close", () => clearInterval(dripping));
    }
    response.writeHead(204).end();
    process.send?.({ keys: [request.headers["x-service-delivery"], request.url], atMs });
  });
  server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
  process.once("disconnect", () => process.exit(0));
};

interface Receivers {
  readonly port: number;
  /** When each delivery arrived, by its id and by the path it went to. */
  readonly arrivals: Map<string, number>;
}

/** One certificate for all receivers, which this process trusts from now on. */
const makeCertificate = Effect.promise(async () => {
  const made = await selfsigned.generate([{ name: "commonName", value: "127.0.0.1" }], {
    keyType: "ec",
    algorithm: "sha256",
    extensions: [
      { name: "basicConstraints", cA: true },
      { name: "subjectAltName", altNames: [{ type: 7, ip: "127.0.0.1" }] }
    ]
  });
  tls.setDefaultCACertificates([made.cert]);
  return `${made.private}\n${made.cert}`;
});

const openReceivers = (pem: string) =>
  Effect.acquireRelease(
    Effect.promise(async (): Promise<Receivers & { readonly child: ChildProcess }> => {
      const child = fork(import.meta.filename, ["receivers"], { env: { ...process.env, RECEIVER_PEM: pem } });
      const arrivals = new Map<string, number>();
      const port = await new Promise<number>((resolve) =>
        child.on(
          "message",
          ({ port, keys, atMs }: { port?: number; keys?: Array<string>; atMs?: number }) => {
            if (port !== undefined) resolve(port);
            if (atMs !== undefined) for (const key of keys ?? []) arrivals.set(key, atMs);
          }
        )
      );
      return { port, arrivals, child };
    }),
    ({ child }) => Effect.sync(() => child.disconnect())
  );

const deliveryTo = (accountId: string, url: string): WebhookDelivery => ({
  id: `whd_${randomUUID().replaceAll("-", "")}`,
  accountId,
  event: "test",
  extractionId: null,
  endpointId: null,
  url,
  body: JSON.stringify({ event: "test", data: { message: "x".repeat(2_000) } }),
  attemptCount: 0,
  lastStatus: null,
  ...freshSchedule(Math.floor(nowMs())),
  createdAtMs: Math.floor(nowMs())
});

const openAccounts = Effect.gen(function* () {
  const store = yield* Store;
  const accounts = Array.from({ length: RECEIVERS / RECEIVERS_OF_ACCOUNT }, () =>
    sampleAccount({ balance: 1_000_000 })
  );
  yield* Effect.forEach(accounts, store.createAccount, { concurrency: 8, discard: true });
  return accounts.map(({ id }) => id);
});

const untilArrived = ({ arrivals }: Receivers, ids: ReadonlyArray<string>) =>
  Effect.sync(() => ids.every((id) => arrivals.has(id))).pipe(
    Effect.delay(1),
    Effect.repeat({ until: (all) => all })
  );

const quantile = (values: ReadonlyArray<number>, of: number): number =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length * of)] ?? Number.NaN;

/** Time from before the settlement until the receiver has the event, one at a time. */
const measureLatency = Effect.fnUntraced(function* (receivers: Receivers, accountId: string) {
  const latencies: Array<number> = [];
  const round = randomUUID();
  for (let n = 0; n < SINGLE_DELIVERIES; n++) {
    const path = `/single/${round}/${n}`;
    const webhookUrl = `https://127.0.0.1:${receivers.port}${path}`;
    const request = sampleRequest({ modalities: [], webhookUrl });
    const { extraction } = yield* submit(accountId, sampleSubmit(accountId, { request }));
    const decision = yield* start(accountId, extraction.id);
    if (decision._tag !== "run") return yield* Effect.die(new Error(`A run did not start: ${decision._tag}`));
    const startMs = nowMs();
    yield* settle(accountId, decision.extraction);
    yield* untilArrived(receivers, [path]);
    latencies.push((receivers.arrivals.get(path) ?? Number.NaN) - startMs);
  }
  return latencies;
});

/** Deliveries per second to healthy receivers; all events are written before the dispatcher wakes. */
const measureRate = Effect.fnUntraced(function* (
  receivers: Receivers,
  accounts: ReadonlyArray<string>,
  deadOfTen: number
) {
  const outbox = yield* WebhookOutbox;
  const round = randomUUID();
  const deliveries = Array.from({ length: RECEIVERS * DELIVERIES_OF_RECEIVER }, (_, n) => {
    const receiver = n % RECEIVERS;
    const path = receiver % 10 < deadOfTen ? "dead" : "well";
    const url = `https://127.0.0.1:${receivers.port}/${path}/${round}/${receiver}`;
    return deliveryTo(accounts[receiver % accounts.length] ?? "", url);
  });
  yield* Effect.forEach(deliveries, outbox.insert, { concurrency: 8, discard: true });
  const well = deliveries.filter(({ url }) => url.includes("/well/")).map(({ id }) => id);
  const startMs = nowMs();
  yield* Effect.gen(function* () {
    const dispatcher = yield* WebhookDispatcher.WebhookDispatcher;
    yield* dispatcher.run;
    yield* dispatcher.wake;
    yield* untilArrived(receivers, well);
  }).pipe(Effect.scoped);
  const endMs = Math.max(...well.map((id) => receivers.arrivals.get(id) ?? 0));
  // Undelivered events of the dead receivers must not be sent in the next round.
  yield* outbox.removeOld(Number.MAX_SAFE_INTEGER, deliveries.length);
  return (well.length * 1_000) / (endMs - startMs);
});

const whileSending = <A, E, R>(use: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    yield* (yield* WebhookDispatcher.WebhookDispatcher).run;
    return yield* use;
  }).pipe(Effect.scoped);

/**
 * The first account's events, alone and while other receivers respond as slowly as allowed. Those are served by a
 * separate process, because in reality they are on other machines.
 */
const besideDripping = Effect.fnUntraced(function* (
  receivers: Receivers,
  slowReceivers: Receivers,
  [victim = "", ...others]: ReadonlyArray<string>
) {
  const outbox = yield* WebhookOutbox;
  const alone = yield* whileSending(measureLatency(receivers, victim));
  const round = randomUUID();
  const dripping = Array.from({ length: DRIPPING_RECEIVERS * DRIPPING_DELIVERIES_OF_RECEIVER }, (_, n) => {
    const receiver = n % DRIPPING_RECEIVERS;
    const account = others[Math.floor(receiver / RECEIVERS_OF_ACCOUNT)] ?? "";
    return deliveryTo(account, `https://127.0.0.1:${slowReceivers.port}/drip/${round}/${receiver}`);
  });
  yield* Effect.forEach(dripping, outbox.insert, { concurrency: 8, discard: true });
  const beside = yield* whileSending(measureLatency(receivers, victim));
  yield* outbox.removeOld(Number.MAX_SAFE_INTEGER, dripping.length);
  const [aloneMs, besideMs] = [quantile(alone, 0.95), quantile(beside, 0.95)];
  console.log(
    `p50 alone ${quantile(alone, 0.5).toFixed(1)} ms, beside ${quantile(beside, 0.5).toFixed(1)} ms`
  );
  console.log(
    `p95 alone ${aloneMs.toFixed(1)} ms, beside ${DRIPPING_RECEIVERS} dripping receivers ${besideMs.toFixed(1)} ms (budget 2,000), ratio ${(besideMs / aloneMs).toFixed(2)}`
  );
});

const layers = CommitHook.layer.pipe(
  Layer.provideMerge(WebhookDispatcher.layer),
  Layer.provideMerge(PgWebhookOutbox.layer),
  Layer.provideMerge(GuardedWebhooks.layer({ allow: ["127.0.0.1"] }))
);

const program = Effect.gen(function* () {
  const pem = yield* makeCertificate;
  const [receivers, slowReceivers] = [yield* openReceivers(pem), yield* openReceivers(pem)];
  const accounts = yield* openAccounts;
  if (process.argv[2] === "dripping") return yield* besideDripping(receivers, slowReceivers, accounts);
  const alone = yield* whileSending(measureLatency(receivers, accounts[0] ?? ""));
  console.log(
    `settlement to receipt, ${SINGLE_DELIVERIES} one by one: p50 ${quantile(alone, 0.5).toFixed(1)} ms, p95 ${quantile(alone, 0.95).toFixed(1)} ms`
  );
  const rates = { well: [] as Array<number>, tenthDead: [] as Array<number> };
  for (let round = 0; round <= ROUNDS; round++) {
    const well = yield* measureRate(receivers, accounts, 0);
    const tenthDead = yield* measureRate(receivers, accounts, 1);
    if (round === 0) {
      console.log(`first round: ${well.toFixed(0)} and ${tenthDead.toFixed(0)} deliveries/s`);
      continue; // warms up
    }
    rates.well.push(well);
    rates.tenthDead.push(tenthDead);
  }
  const [well, tenthDead] = [median(rates.well), median(rates.tenthDead)];
  console.log(`${RECEIVERS} receivers that are well: ${well.toFixed(0)} deliveries/s`);
  console.log(`with one in ten that never answers, to the others: ${tenthDead.toFixed(0)} deliveries/s`);
  console.log(`ratio ${(well / tenthDead).toFixed(2)}`);
  yield* besideDripping(receivers, slowReceivers, accounts);
});

if (process.argv[2] === "receivers") serveReceivers();
else {
  const run = Effect.gen(function* () {
    const store = yield* benchStore;
    yield* program.pipe(Effect.provide(Layer.provideMerge(layers, Layer.succeedContext(store))));
  });
  await Effect.runPromise(Effect.scoped(run).pipe(Effect.provide(Logger.layer([]))));
  process.exit(0);
}
