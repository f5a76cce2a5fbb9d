/** When deliveries are sent, how many concurrently, and the effect of each response; with the test clock. */
import { assert, describe, it } from "@effect/vitest";
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Fiber from "effect/Fiber";
import * as Scope from "effect/Scope";
import * as TestClock from "effect/testing/TestClock";
import {
  ENDPOINT_DISABLED,
  ENDPOINT_REMOVED,
  type WebhookDelivery
} from "../../../src/domain/webhook/WebhookDelivery.ts";
import { FAILING_DAYS_MAX } from "../../../src/domain/webhook/WebhookEndpoint.ts";
import {
  LEASE_MS,
  STOP_GRACE_MS,
  WebhookDispatcher
} from "../../../src/engine/webhooks/WebhookDispatcher.ts";
import { ACCOUNT_MAX, IN_FLIGHT_MAX, RECEIVER_MAX } from "../../../src/engine/webhooks/InFlightDeliveries.ts";
import { Webhooks } from "../../../src/engine/webhooks/Webhooks.ts";
import { WebhookOutbox } from "../../../src/ports/WebhookOutbox.ts";
import { WebhookNotSent } from "../../../src/ports/WebhookTransport.ts";
import { answers, Inbox, type FakeReceiver } from "@winnow/testing/fakes/FakeWebhookTransport";
import { insert as insertAt } from "@winnow/testing/samples/webhookSteps";
import { ARTICLE, openAccount, runToEnd, world } from "../World.ts";

const NOW_MS = 0;
const HOST = "hooks.example";

const silent: FakeReceiver = () => Effect.never;
const resets: FakeReceiver = () => Effect.fail(new WebhookNotSent({ message: "The connection was reset." }));

const answer = (receiver: FakeReceiver, host = HOST) =>
  Effect.map(Inbox, (inbox) => inbox.answer(host, receiver));

/** Times in seconds of the attempts at URLs with this prefix. */
const arrivals = (url = "") =>
  Effect.map(Inbox, ({ received }) =>
    received()
      .filter((request) => request.url.startsWith(url))
      .map(({ atMs }) => atMs / 1_000)
  );

const insert = (accountId: string, over: Partial<WebhookDelivery> = {}) =>
  insertAt(accountId, { nextAttemptAtMs: NOW_MS, createdAtMs: NOW_MS, ...over });

const register = Effect.fnUntraced(function* (accountId: string, url: string) {
  const { endpoint } = yield* Webhooks.use((webhooks) => webhooks.register(accountId, { url }));
  return { endpointId: endpoint.id, url: endpoint.url };
});

const readDelivery = (accountId: string, id: string) =>
  Webhooks.use((webhooks) => webhooks.delivery(accountId, id));

/**
 * Starts a dispatcher, which polls at once; returns the effect that stops it. Its grace period ends only when the
 * test advances the clock.
 */
const startApart = Effect.gen(function* () {
  const dispatcher = yield* WebhookDispatcher;
  const scope = yield* Scope.make();
  yield* Effect.provideService(dispatcher.run, Scope.Scope, scope);
  yield* TestClock.adjust(0);
  return Scope.close(scope, Exit.void);
});

/** Sends for the duration of the test. */
const start = Effect.asVoid(startApart);

describe("attempts", () => {
  it.effect("come at once, then 30 s, 2 min and 10 min after each failure; then it has failed", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      yield* answer(answers(503, "busy"));
      const { id } = yield* insert(accountId, { url: `https://${HOST}/` });
      yield* start;
      yield* TestClock.adjust("1 hour");
      assert.deepStrictEqual(yield* arrivals(), [0, 30, 150, 750]);
      const { delivery, attempts } = yield* readDelivery(accountId, id);
      assert.deepInclude(delivery, { status: "failed", attemptCount: 4, nextAttemptAtMs: null });
      for (const attempt of attempts) {
        const what = { status: 503, error: "Responded with 503 instead of 2xx.", responseSnippet: "busy" };
        assert.deepInclude(attempt, what);
      }
      assert.deepStrictEqual(
        attempts.map(({ requestHeaders }) => requestHeaders["webhook-timestamp"]),
        ["0", "30", "150", "750"]
      );
    }).pipe(Effect.provide(world()))
  );

  it.effect("end after 10 s without a response, which is logged", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      yield* answer(silent);
      const { id } = yield* insert(accountId, { url: `https://${HOST}/` });
      yield* start;
      yield* TestClock.adjust("41 seconds");
      assert.deepStrictEqual(yield* arrivals(), [0, 40]);
      const [attempt] = (yield* readDelivery(accountId, id)).attempts;
      const unanswered = { atMs: 0, status: null, durationMs: 10_000, responseSnippet: null };
      assert.deepInclude(attempt, { ...unanswered, error: "No response within 10 seconds." });
    }).pipe(Effect.provide(world()))
  );

  it.effect("fail on redirects, resets, refused addresses and internal errors, each with its message", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      yield* answer(answers(302), "moved.example");
      yield* answer(resets, "reset.example");
      yield* answer(() => Effect.die(new Error("secret of the inside")), "broken.example");
      const words = {
        "https://moved.example/": "Responded with 302: redirects are not followed.",
        "https://reset.example/": "The connection was reset.",
        "https://127.0.0.1/": "The webhook URL has a host that is not public.",
        "https://broken.example/": "Internal error."
      };
      const deliveries = yield* Effect.forEach(Object.keys(words), (url) => insert(accountId, { url }));
      yield* start;
      yield* TestClock.adjust(1);
      for (const { id, url } of deliveries) {
        const { delivery, attempts } = yield* readDelivery(accountId, id);
        assert.strictEqual(delivery.status, "pending");
        assert.strictEqual(attempts[0]?.error, words[url as keyof typeof words]);
      }
    }).pipe(Effect.provide(world()))
  );

  it.effect("to a removed endpoint send nothing, because they could not be signed", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const target = yield* register(accountId, `https://${HOST}/`);
      yield* Webhooks.use((webhooks) => webhooks.remove(accountId, target.endpointId));
      const { id } = yield* insert(accountId, target);
      yield* start;
      yield* TestClock.adjust("1 hour");
      assert.lengthOf(yield* arrivals(), 0);
      const { delivery, attempts } = yield* readDelivery(accountId, id);
      assert.strictEqual(delivery.status, "failed");
      assert.strictEqual(attempts[0]?.error, ENDPOINT_REMOVED);
    }).pipe(Effect.provide(world()))
  );

  it.effect("follow a settlement of this process at once", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      yield* register(accountId, `https://${HOST}/`);
      yield* start;
      yield* TestClock.adjust(100);
      yield* runToEnd(accountId, { url: ARTICLE });
      yield* TestClock.adjust(0);
      assert.deepStrictEqual(yield* arrivals(), [0.1]);
    }).pipe(Effect.provide(world()))
  );

  it.effect("that fail for five days disable their endpoint, until its owner enables it", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks;
      const accountId = yield* openAccount();
      yield* answer(answers(500));
      const target = yield* register(accountId, `https://${HOST}/`);
      const stop = yield* startApart;
      yield* webhooks.sendTest(accountId, target.endpointId);
      yield* TestClock.adjust("15 minutes");
      yield* stop;
      // No poll happens meanwhile.
      yield* TestClock.adjust(`${FAILING_DAYS_MAX} days`);
      yield* start;
      const last = yield* webhooks.sendTest(accountId, target.endpointId);
      const dropped = yield* insert(accountId, { ...target, nextAttemptAtMs: Number.MAX_SAFE_INTEGER });
      yield* TestClock.adjust("20 minutes");
      const given = yield* webhooks.get(accountId, target.endpointId);
      assert.isNotNull(given.disabledAtMs);
      assert.strictEqual(given.failingSinceMs, 0);
      assert.match(given.disabledReason ?? "", /for 5 days or more/u);
      assert.strictEqual(
        (yield* readDelivery(accountId, dropped.id)).delivery.failureNote,
        ENDPOINT_DISABLED
      );
      const refused = yield* Effect.flip(webhooks.sendTest(accountId, target.endpointId));
      assert.deepInclude(refused, { details: { reason: "endpoint_disabled" } });
      assert.strictEqual((yield* Effect.flip(webhooks.redeliver(accountId, last.id)))._tag, "InvalidRequest");
      yield* answer(answers(200));
      const enabled = yield* webhooks.enable(accountId, target.endpointId);
      assert.deepInclude(enabled, { disabledAtMs: null, disabledReason: null, failingSinceMs: null });
      assert.strictEqual(yield* webhooks.redeliverFailedSince(accountId, 0), 3);
      yield* TestClock.adjust(1);
      assert.strictEqual((yield* readDelivery(accountId, last.id)).delivery.status, "delivered");
    }).pipe(Effect.provide(world()))
  );
});

describe("many concurrent attempts", () => {
  it.effect("are limited per receiver", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      yield* answer(silent);
      const target = yield* register(accountId, `https://${HOST}/`);
      yield* Effect.forEach(Array.from({ length: 20 }), () => insert(accountId, target));
      yield* start;
      assert.lengthOf(yield* arrivals(), RECEIVER_MAX);
      yield* TestClock.adjust("9999 millis");
      assert.lengthOf(yield* arrivals(), RECEIVER_MAX);
      yield* TestClock.adjust(1);
      assert.lengthOf(yield* arrivals(), 2 * RECEIVER_MAX);
    }).pipe(Effect.provide(world()))
  );

  it.effect("are limited per account; one that ends makes place at once for the receiver that has none", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      yield* answer(silent);
      const total = 3 * ACCOUNT_MAX;
      yield* Effect.forEach(Array.from({ length: total }), (_, index) =>
        insert(accountId, { url: `https://${HOST}/${index % 5}` })
      );
      yield* start;
      yield* insert(accountId, { url: "https://well.example/" });
      yield* WebhookDispatcher.use(({ wake }) => wake);
      yield* TestClock.adjust("9999 millis");
      assert.lengthOf(yield* arrivals(), ACCOUNT_MAX);
      yield* TestClock.adjust(1);
      assert.deepStrictEqual(yield* arrivals("https://well.example/"), [10]);
    }).pipe(Effect.provide(world()))
  );

  it.effect("to silent receivers do not delay other accounts", () =>
    Effect.gen(function* () {
      yield* answer(silent);
      const accounts = yield* Effect.forEach(Array.from({ length: 30 }), () => openAccount());
      const other = yield* openAccount();
      yield* Effect.forEach(accounts, (accountId) =>
        Effect.gen(function* () {
          for (const receiver of [1, 2, 3, 4, 5]) {
            const target = yield* register(accountId, `https://${HOST}/${accountId}/${receiver}`);
            yield* Effect.forEach(Array.from({ length: RECEIVER_MAX }), () => insert(accountId, target));
          }
        })
      );
      yield* start;
      const waited: Array<number> = [];
      // While the first wave is sent, while it waits, and while it is retried.
      for (const [index, pauseMs] of [0, 100, 300, 1_000, 3_000, 5_000, 5_000, 30_000].entries()) {
        yield* TestClock.adjust(pauseMs);
        const url = `https://other.example/${index}`;
        const nowMs = yield* Clock.currentTimeMillis;
        yield* insert(other, { url, nextAttemptAtMs: nowMs });
        yield* WebhookDispatcher.use(({ wake }) => wake);
        yield* TestClock.adjust(0);
        waited.push(...(yield* arrivals(url)).map((seconds) => Math.round(seconds * 1_000 - nowMs)));
      }
      assert.deepStrictEqual(waited, Array(8).fill(0));
    }).pipe(Effect.provide(world()))
  );

  it.effect("are limited in total; then the next place goes to the account that has none", () =>
    Effect.gen(function* () {
      yield* answer(silent);
      yield* answer(() => Effect.delay(Effect.succeed({ status: 200, body: "" }), 1_000), "well.example");
      yield* answer(silent, "other.example");
      const count = IN_FLIGHT_MAX / ACCOUNT_MAX;
      const accounts = yield* Effect.forEach(Array.from({ length: count }), () => openAccount());
      for (const accountId of accounts) {
        for (let index = 0; index <= ACCOUNT_MAX; index++) {
          const host = accountId === accounts[0] && index === 0 ? "well.example" : HOST;
          yield* insert(accountId, {
            url: `https://${host}/${index}`,
            nextAttemptAtMs: index - 2 * ACCOUNT_MAX
          });
        }
      }
      yield* start;
      assert.lengthOf(yield* arrivals(), IN_FLIGHT_MAX);
      yield* insert(yield* openAccount(), { url: "https://other.example/" });
      yield* WebhookDispatcher.use(({ wake }) => wake);
      yield* TestClock.adjust("999 millis");
      assert.lengthOf(yield* arrivals(), IN_FLIGHT_MAX);
      yield* TestClock.adjust(1);
      assert.lengthOf(yield* arrivals(), IN_FLIGHT_MAX + 1);
      assert.deepStrictEqual(yield* arrivals("https://other.example/"), [1]);
    }).pipe(Effect.provide(world()))
  );

  it.effect("take turns: a backlog of one receiver does not delay others", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      yield* answer(() => Effect.delay(Effect.succeed({ status: 200, body: "" }), 100));
      const busy = yield* register(accountId, `https://${HOST}/busy`);
      const idle = yield* register(accountId, `https://${HOST}/idle`);
      yield* Effect.forEach(Array.from({ length: 500 }), () => insert(accountId, busy));
      yield* insert(accountId, idle);
      yield* start;
      assert.deepStrictEqual(yield* arrivals(idle.url), [0]);
      yield* TestClock.adjust("12500 millis");
      assert.lengthOf(yield* arrivals(busy.url), 500);
    }).pipe(Effect.provide(world()))
  );
});

describe("a stopping dispatcher", () => {
  it.effect("lets attempts end", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      yield* answer(() => Effect.delay(Effect.succeed({ status: 200, body: "" }), "2 seconds"));
      const { id } = yield* insert(accountId, { url: `https://${HOST}/` });
      const stop = yield* startApart;
      const stopping = yield* Effect.forkChild(stop);
      yield* TestClock.adjust("2 seconds");
      yield* Fiber.join(stopping);
      assert.strictEqual((yield* readDelivery(accountId, id)).delivery.status, "delivered");
    }).pipe(Effect.provide(world()))
  );

  it.effect("returns unfinished ones, so that another dispatcher sends them at once", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      yield* answer(silent);
      yield* insert(accountId, { url: `https://${HOST}/` });
      const stop = yield* startApart;
      const stopping = yield* Effect.forkChild(stop);
      yield* TestClock.adjust(STOP_GRACE_MS);
      yield* Fiber.join(stopping);
      yield* startApart;
      assert.deepStrictEqual(yield* arrivals(), [0, STOP_GRACE_MS / 1_000]);
    }).pipe(Effect.provide(world()))
  );

  it.effect("that is killed leaves its deliveries to the next one after its lease", () =>
    Effect.gen(function* () {
      const outbox = yield* WebhookOutbox;
      const accountId = yield* openAccount();
      yield* insert(accountId, { url: `https://${HOST}/` });
      const room = {
        limit: 1,
        receiverMax: 1,
        inFlight: [],
        accountMax: 1
      };
      yield* outbox.claimDue({ nowMs: NOW_MS, leaseMs: LEASE_MS, ...room });
      yield* start;
      yield* TestClock.adjust(LEASE_MS - 1);
      assert.lengthOf(yield* arrivals(), 0);
      yield* TestClock.adjust(1);
      assert.lengthOf(yield* arrivals(), 1);
    }).pipe(Effect.provide(world()))
  );
});

describe("the log", () => {
  it.effect("is deleted after its retention", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { id } = yield* insert(accountId, { url: `https://${HOST}/` });
      yield* yield* startApart;
      yield* TestClock.adjust("29 days");
      yield* yield* startApart;
      assert.strictEqual((yield* readDelivery(accountId, id)).delivery.status, "delivered");
      yield* TestClock.adjust("2 days");
      yield* start;
      assert.strictEqual((yield* Effect.flip(readDelivery(accountId, id)))._tag, "NotFound");
    }).pipe(Effect.provide(world({ settings: { deliveryRetentionDays: 30 } })))
  );

  it.effect("is deleted in one sweep, however long it is", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const old = yield* Effect.forEach(Array.from({ length: 1_001 }), () =>
        insert(accountId, { url: `https://${HOST}/`, nextAttemptAtMs: Number.MAX_SAFE_INTEGER })
      );
      yield* TestClock.adjust("31 days");
      yield* start;
      for (const { id } of old) yield* Effect.flip(readDelivery(accountId, id));
    }).pipe(Effect.provide(world({ settings: { deliveryRetentionDays: 30 } })))
  );
});
