/** Dispatchers that crash at random port calls, one after another; every event is still delivered. */
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Layer from "effect/Layer";
import * as Logger from "effect/Logger";
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import * as Scope from "effect/Scope";
import * as TestClock from "effect/testing/TestClock";
import { WebhookDispatcher, layer as dispatcher } from "../../../src/engine/webhooks/WebhookDispatcher.ts";
import { Unavailable } from "../../../src/ports/Unavailable.ts";
import { WebhookOutbox } from "../../../src/ports/WebhookOutbox.ts";
import { WebhookTransport } from "../../../src/ports/WebhookTransport.ts";
import { acknowledges, answers, Inbox } from "@winnow/testing/fakes/FakeWebhookTransport";
import { insert } from "@winnow/testing/samples/webhookSteps";
import { crashingAt, type CrashPoint, type CallCounter } from "../CrashingPorts.ts";
import { openAccount, world } from "../World.ts";

const URLS = ["https://one.example/", "https://two.example/", "https://flaky.example/"];

const AWAY = new Unavailable({
  what: "database",
  reason: "away",
  message: "The database went away.",
  retryAfterSeconds: 5
});

const Crashes = Schema.Array(
  Schema.Struct({
    lastCall: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 12 })),
    crashPoint: Schema.Literals(["before", "after"])
  })
).check(Schema.isMinLength(1), Schema.isMaxLength(4));

/** The ports of a dispatcher, for a process that crashes. */
const crashingWebhooks = (lastCall: number, crashPoint: CrashPoint) =>
  Effect.gen(function* () {
    const [outbox, transport] = [yield* WebhookOutbox, yield* WebhookTransport];
    const counter: CallCounter = { calls: 0, crashed: false };
    const crashing = crashingAt(counter, lastCall, crashPoint);
    return Layer.merge(
      Layer.succeed(WebhookOutbox, {
        ...outbox,
        claimDue: (query) => crashing(outbox.claimDue(query)),
        recordAttempt: (...record) => crashing(outbox.recordAttempt(...record)),
        release: (claims) => crashing(outbox.release(claims))
      }),
      Layer.succeed(WebhookTransport, { ...transport, post: (request) => crashing(transport.post(request)) })
    );
  });

/** Runs a dispatcher for a minute: longer than the leases left by the one before. */
const runDispatcher = Effect.fnUntraced(function* (webhooks: Layer.Layer<WebhookOutbox | WebhookTransport>) {
  const scope = yield* Scope.make();
  const { run } = yield* Effect.provide(WebhookDispatcher, Layer.provide(Layer.fresh(dispatcher), webhooks), {
    local: true
  });
  yield* Effect.provideService(run, Scope.Scope, scope);
  yield* TestClock.adjust("1 minute");
  return yield* Scope.close(scope, Exit.void);
});

describe("dispatchers that die", () => {
  it.effect.prop(
    "lose no event: each is delivered and logged, and sent twice only after a death",
    { crashes: Crashes },
    ({ crashes }) =>
      Effect.gen(function* () {
        const outbox = yield* WebhookOutbox;
        const inbox = yield* Inbox;
        const accountId = yield* openAccount();
        let failures = 0;
        inbox.answer("flaky.example", (request) =>
          failures++ === 0 ? answers(500)(request) : acknowledges(request)
        );
        const deliveries = yield* Effect.forEach(URLS, (url) =>
          insert(accountId, { url, nextAttemptAtMs: 0, createdAtMs: 0 })
        );
        for (const { lastCall, crashPoint } of crashes) {
          yield* runDispatcher(yield* crashingWebhooks(lastCall, crashPoint));
        }
        const unharmed = yield* crashingWebhooks(Number.POSITIVE_INFINITY, "before");
        yield* runDispatcher(unharmed);
        yield* runDispatcher(unharmed);
        for (const { id, url, body } of deliveries) {
          const { delivery, attempts } = Option.getOrThrow(yield* outbox.get(accountId, id));
          assert.strictEqual(delivery.status, "delivered");
          assert.lengthOf(attempts, delivery.attemptCount);
          const arrived = inbox.received().filter((request) => request.url === url);
          assert.isAtLeast(arrived.length, url === URLS[2] ? 2 : 1);
          assert.isAtMost(arrived.length, (url === URLS[2] ? 2 : 1) + crashes.length);
          for (const { text } of arrived) assert.strictEqual(text, body);
        }
      }).pipe(Effect.provide([Layer.fresh(world()), Logger.layer([])], { local: true })),
    { arbitrary: { runs: 150 } }
  );

  it.effect("do not for a database that is away for seconds: the answer is written then, sent once", () =>
    Effect.gen(function* () {
      const [outbox, transport] = [yield* WebhookOutbox, yield* WebhookTransport];
      const inbox = yield* Inbox;
      const accountId = yield* openAccount();
      const { id } = yield* insert(accountId, { url: "https://one.example/", nextAttemptAtMs: 0 });
      let refusals = 4;
      const recordAttempt: typeof outbox.recordAttempt = (...record) =>
        Effect.suspend(() => (refusals-- > 0 ? Effect.die(AWAY) : outbox.recordAttempt(...record)));
      yield* runDispatcher(
        Layer.merge(
          Layer.succeed(WebhookOutbox, { ...outbox, recordAttempt }),
          Layer.succeed(WebhookTransport, transport)
        )
      );
      const { delivery } = Option.getOrThrow(yield* outbox.get(accountId, id));
      assert.deepStrictEqual([delivery.status, delivery.attemptCount], ["delivered", 1]);
      assert.lengthOf(inbox.received(), 1);
    }).pipe(Effect.provide([Layer.fresh(world()), Logger.layer([])], { local: true }))
  );
});
