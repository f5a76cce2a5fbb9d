/** Receivers and deliveries from the owner's side, and the path of an event from the run to its receiver. */
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as TestClock from "effect/testing/TestClock";
import { derivedId, keyOfDeleted, keyOfOtherBody } from "../../../src/domain/request/Idempotency.ts";
import type { InvalidRequest } from "../../../src/domain/request/Refusal.ts";
import { registered } from "@winnow/testing/samples/webhookSteps";
import { resultView } from "../../../src/domain/result/ResultView.ts";
import { signingSecrets, WEBHOOK_ENDPOINTS_MAX } from "../../../src/domain/webhook/WebhookEndpoint.ts";
import { Runs } from "../../../src/engine/runs/Runs.ts";
import { Worker } from "../../../src/engine/runs/Worker.ts";
import { WebhookDispatcher } from "../../../src/engine/webhooks/WebhookDispatcher.ts";
import { Webhooks } from "../../../src/engine/webhooks/Webhooks.ts";
import { WebhookEndpoints } from "../../../src/ports/WebhookEndpoints.ts";
import * as FakeDownloader from "@winnow/testing/fakes/FakeDownloader";
import { Inbox, type Received } from "@winnow/testing/fakes/FakeWebhookTransport";
import {
  ARTICLE,
  balanceOf,
  engine,
  openAccount,
  ports,
  read,
  runToEnd,
  SOURCES,
  submit,
  UNSEEN,
  VIDEO,
  world
} from "../World.ts";

const HOOK = "https://hooks.example/one";

const register = (accountId: string, url = HOOK) =>
  Webhooks.use((webhooks) => webhooks.register(accountId, { url }));

const inbox = Effect.map(Inbox, ({ received }) => received());

const bodyOf = ({ text }: Received) => JSON.parse(text);

/** Sends everything that is due. */
const dispatched = Effect.scoped(
  Effect.gen(function* () {
    const dispatcher = yield* WebhookDispatcher;
    yield* dispatcher.run;
    yield* TestClock.adjust(1);
  })
);

/** Yields between reading and writing, like a database. */
const unhurriedEndpoints = Layer.effect(
  WebhookEndpoints,
  Effect.map(WebhookEndpoints, (endpoints) => ({
    ...endpoints,
    get: (accountId: string, id: string) => Effect.tap(endpoints.get(accountId, id), () => Effect.yieldNow)
  }))
);

const reasonOf = <A, R>(effect: Effect.Effect<A, { readonly _tag: string }, R>) =>
  Effect.map(Effect.flip(effect), (refusal) => (refusal as InvalidRequest).details["reason"]);

describe("registering", () => {
  it.effect("again with the same key shows the secret again, for a day or until it is rotated", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks;
      const [accountId, stranger] = [yield* openAccount(), yield* openAccount()];
      const registered = (who: string, url: string, key: string) => webhooks.register(who, { url }, key);
      const first = yield* registered(accountId, HOOK, "k");
      assert.isNotNull(first.secret);
      yield* TestClock.adjust("23 hours");
      assert.deepStrictEqual(yield* registered(accountId, HOOK, "k"), first);
      assert.deepStrictEqual(yield* registered(accountId, HOOK, "other"), { ...first, secret: null });
      const conflict = yield* Effect.flip(registered(accountId, `${HOOK}/2`, "k"));
      assert.strictEqual(conflict._tag, "Conflict");
      assert.notStrictEqual((yield* registered(stranger, HOOK, "k")).secret, first.secret);
      yield* webhooks.rotateSecret(stranger, (yield* webhooks.list(stranger))[0]?.id ?? "");
      assert.isNull((yield* registered(stranger, HOOK, "k")).secret);
      yield* TestClock.adjust("1 hour");
      assert.deepStrictEqual(yield* registered(accountId, HOOK, "k"), { ...first, secret: null });
      assert.lengthOf(yield* webhooks.list(accountId), 1);
    }).pipe(Effect.provide(world()))
  );

  it.effect("again with the same key is answered even if its host has no address any more", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks;
      const accountId = yield* openAccount();
      const id = derivedId("whe", accountId, "k");
      yield* registered(accountId, { id, url: "https://gone.invalid/hook" });
      const register = (url: string) => webhooks.register(accountId, { url }, "k");
      assert.strictEqual((yield* register("https://GONE.invalid:443/hook#top")).endpoint.id, id);
      for (const other of ["https://gone.invalid/other", "no URL"]) {
        assert.deepStrictEqual(yield* Effect.flip(register(other)), keyOfOtherBody());
      }
    }).pipe(Effect.provide(world()))
  );

  it.effect("with the key of a removed endpoint registers nothing again", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks;
      const accountId = yield* openAccount();
      const { endpoint } = yield* webhooks.register(accountId, { url: HOOK }, "k");
      yield* webhooks.remove(accountId, endpoint.id);
      const repeated = yield* Effect.flip(webhooks.register(accountId, { url: HOOK }, "k"));
      assert.deepStrictEqual(repeated, keyOfDeleted("endpoint_deleted"));
      assert.lengthOf(yield* webhooks.list(accountId), 0);
    }).pipe(Effect.provide(world()))
  );

  it.effect("two concurrent URLs with one key are one endpoint and one conflict", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks;
      const accountId = yield* openAccount();
      const ends = yield* Effect.forEach(
        [`${HOOK}/1`, `${HOOK}/2`],
        (url) => Effect.result(webhooks.register(accountId, { url }, "k")),
        { concurrency: 2 }
      );
      const refusals = ends.flatMap((end) => (end._tag === "Failure" ? [end.failure._tag] : []));
      assert.deepStrictEqual(refusals, ["Conflict"]);
      assert.lengthOf(yield* webhooks.list(accountId), 1);
    }).pipe(Effect.provide(world()))
  );

  it.effect(
    "refuses URLs that are not https, not public, unresolvable, invalid or too long, and too many",
    () =>
      Effect.gen(function* () {
        const accountId = yield* openAccount();
        for (const [url, reason] of [
          ["http://hooks.example/", "not_https"],
          ["https://user:secret@hooks.example/", "invalid_url"],
          ["https://10.0.0.1/", "host_not_public"],
          ["https://gone.invalid/", "unresolvable"],
          ["hooks", "invalid_url"],
          [`https://hooks.example/${"x".repeat(3_000)}`, "invalid_url"],
          // Short as given, but long in its encoded form.
          [`https://hooks.example/${"\u65e5".repeat(300)}`, "invalid_url"]
        ] as const) {
          const refused = yield* Effect.flip(register(accountId, url));
          assert.deepInclude(refused, { details: { param: "url", reason } });
          const ofRun = yield* Effect.flip(submit(accountId, { url: ARTICLE, webhookUrl: url }));
          assert.deepInclude(ofRun, { details: { param: "webhookUrl", reason } });
          assert.strictEqual(ofRun.message, refused.message.replace("`url`", "`webhookUrl`"));
        }
        for (let index = 0; index < WEBHOOK_ENDPOINTS_MAX; index++)
          yield* register(accountId, `${HOOK}${index}`);
        assert.strictEqual(yield* reasonOf(register(accountId)), "too_many_endpoints");
        const unknown = Webhooks.use((webhooks) =>
          webhooks.register(accountId, { url: HOOK, secret: "mine" })
        );
        assert.strictEqual(yield* reasonOf(unknown), "unknown_field");
      }).pipe(Effect.provide(world()))
  );

  it.effect("another account's endpoint is not found, and an invalid id is not looked up", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks;
      const { endpoint } = yield* register(yield* openAccount());
      const stranger = yield* openAccount();
      for (const id of [endpoint.id, "whe_\0", "nonsense"]) {
        for (const call of [webhooks.get, webhooks.remove, webhooks.rotateSecret, webhooks.enable]) {
          const refusal = yield* Effect.flip(call(stranger, id) as Effect.Effect<unknown, unknown>);
          assert.deepInclude(refusal, { _tag: "NotFound" });
        }
        assert.strictEqual((yield* Effect.flip(webhooks.sendTest(stranger, id)))._tag, "NotFound");
        assert.strictEqual((yield* Effect.flip(webhooks.delivery(stranger, id)))._tag, "NotFound");
        assert.strictEqual((yield* Effect.flip(webhooks.redeliver(stranger, id)))._tag, "NotFound");
      }
    }).pipe(Effect.provide(world()))
  );
});

describe("an event", () => {
  it.effect("reaches endpoint and per-run URL with the result as the API returns it", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      yield* register(accountId);
      const webhookUrl = "https://own.example/run?id=1";
      const { extraction } = yield* submit(accountId, { url: VIDEO, webhookUrl });
      yield* Worker.use((worker) =>
        worker.execute({ accountId, extractionId: extraction.id, traceparent: null })
      );
      const done = yield* read(accountId, extraction.id);
      yield* dispatched;
      const received = yield* inbox;
      assert.sameMembers(
        received.map(({ url }) => url),
        [HOOK, webhookUrl]
      );
      const data = JSON.parse(JSON.stringify(resultView(done, "http://127.0.0.1:8787")));
      for (const each of received)
        assert.deepStrictEqual(bodyOf(each), { event: "extraction.completed", data });
    }).pipe(Effect.provide(world()))
  );

  it.effect("is also sent for a reused result, a failure and a cancelled run, once each", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      yield* register(accountId);
      const fresh = yield* runToEnd(accountId, { url: ARTICLE });
      const reused = (yield* submit(accountId, { url: ARTICLE })).extraction;
      const failed = yield* runToEnd(accountId, { url: UNSEEN });
      const cancelled = (yield* submit(accountId, { url: VIDEO })).extraction;
      yield* Runs.use((runs) => runs.cancel(accountId, cancelled.id));
      yield* Runs.use((runs) => runs.cancel(accountId, cancelled.id));
      yield* dispatched;
      const events = (yield* inbox)
        .map(bodyOf)
        .map(({ event, data }) => [event, data.id, data.failure?.reason]);
      assert.sameDeepMembers(events, [
        ["extraction.completed", fresh.id, undefined],
        ["extraction.completed", reused.id, undefined],
        ["extraction.failed", failed.id, failed.failure?.reason],
        ["extraction.failed", cancelled.id, "cancelled"]
      ]);
    }).pipe(Effect.provide(world({ sources: { ...SOURCES, [UNSEEN]: FakeDownloader.refuses("private") } })))
  );

  it.effect("to a per-run URL that is registered, in any spelling, is sent once", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      yield* register(accountId);
      yield* runToEnd(accountId, { url: ARTICLE, webhookUrl: "https://HOOKS.example:443/one" });
      yield* dispatched;
      assert.lengthOf(yield* inbox, 1);
    }).pipe(Effect.provide(world()))
  );

  it.effect("to a forbidden URL costs nothing: the submit is refused before any debit", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const before = yield* balanceOf(accountId);
      const refusal = yield* Effect.flip(
        submit(accountId, { url: ARTICLE, webhookUrl: "https://192.168.1.1/" }, "key")
      );
      const details = { param: "webhookUrl", reason: "host_not_public" };
      assert.deepInclude(refusal, { _tag: "InvalidRequest", details });
      assert.strictEqual(yield* balanceOf(accountId), before);
      const { replayed } = yield* submit(accountId, { url: ARTICLE }, "key");
      assert.isFalse(replayed);
    }).pipe(Effect.provide(world()))
  );
});

describe("a delivery", () => {
  it.effect("is signed with the secret of its endpoint, and with both for a day after a rotation", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks;
      const accountId = yield* openAccount();
      const { endpoint } = yield* register(accountId);
      const signatures = Effect.gen(function* () {
        yield* webhooks.sendTest(accountId, endpoint.id);
        yield* dispatched;
        const signature = (yield* inbox).at(-1)?.headers["X-Service-Signature"] ?? "";
        return signature.split(",").filter((part) => part.startsWith("v1=")).length;
      });
      assert.strictEqual(yield* signatures, 1);
      const rotation = yield* webhooks.rotateSecret(accountId, endpoint.id);
      assert.match(rotation.secret, /^whsec_/u);
      assert.strictEqual(yield* signatures, 2);
      yield* TestClock.adjust("24 hours");
      assert.strictEqual(yield* signatures, 1);
    }).pipe(Effect.provide(world()))
  );

  it.effect("is signed with both secrets after two concurrent rotations", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks;
      const accountId = yield* openAccount();
      const { endpoint } = yield* register(accountId);
      const rotations = yield* Effect.forEach([1, 2], () => webhooks.rotateSecret(accountId, endpoint.id), {
        concurrency: 2
      });
      const found = yield* WebhookEndpoints.use((endpoints) => endpoints.get(accountId, endpoint.id));
      assert.sameMembers(
        [...Option.toArray(found)].flatMap((after) => signingSecrets(after, 0)),
        rotations.map(({ secret }) => secret)
      );
    }).pipe(Effect.provide(Layer.provideMerge(engine(), Layer.provideMerge(unhurriedEndpoints, ports()))))
  );

  it.effect("to a per-run URL is signed by the account's first endpoint, if there is one", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const webhookUrl = "https://own.example/";
      const signed = Effect.gen(function* () {
        yield* runToEnd(accountId, { url: ARTICLE, webhookUrl, force: true });
        yield* dispatched;
        const own = (yield* inbox).filter(({ url }) => url === webhookUrl);
        return own.at(-1)?.headers["X-Service-Signature"] !== undefined;
      });
      assert.isFalse(yield* signed);
      yield* register(accountId);
      assert.isTrue(yield* signed);
    }).pipe(Effect.provide(world()))
  );

  it.effect("is listed by status, page by page, and read with its attempts", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks;
      const accountId = yield* openAccount();
      const { endpoint } = yield* register(accountId);
      for (let index = 0; index < 3; index++) yield* webhooks.sendTest(accountId, endpoint.id);
      yield* dispatched;
      const first = yield* webhooks.deliveries(accountId, { limit: 2, cursor: null, status: "delivered" });
      const { nextCursor } = first;
      const rest = yield* webhooks.deliveries(accountId, {
        limit: 2,
        cursor: nextCursor,
        status: "delivered"
      });
      const ids = [...first.rows, ...rest.rows].map(({ id }) => id);
      assert.lengthOf(new Set(ids), 3);
      assert.isNull(rest.nextCursor);
      const none = yield* webhooks.deliveries(accountId, { limit: 2, cursor: null, status: "failed" });
      assert.deepStrictEqual(none, { rows: [], nextCursor: null });
      const stolen = webhooks.deliveries(yield* openAccount(), {
        limit: 2,
        cursor: nextCursor,
        status: null
      });
      assert.deepInclude((yield* Effect.flip(stolen)).details, { param: "cursor" });
      const { attempts } = yield* webhooks.delivery(accountId, ids[0] ?? "");
      assert.deepStrictEqual(
        attempts.map(({ status, error }) => [status, error]),
        [[204, null]]
      );
    }).pipe(Effect.provide(world()))
  );

  it.effect("can be redelivered byte for byte until its extraction is deleted", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks;
      const accountId = yield* openAccount();
      yield* register(accountId);
      const { id } = yield* runToEnd(accountId, { url: ARTICLE });
      yield* dispatched;
      const page = { limit: 10, cursor: null, status: null };
      const [delivery] = (yield* webhooks.deliveries(accountId, page)).rows;
      yield* TestClock.adjust("1 minute");
      yield* webhooks.redeliver(accountId, delivery?.id ?? "");
      yield* dispatched;
      const [first, second] = yield* inbox;
      assert.deepStrictEqual(first?.body, second?.body);
      assert.strictEqual(first?.headers["X-Service-Delivery"], second?.headers["X-Service-Delivery"]);
      assert.notStrictEqual(first?.headers["X-Service-Signature"], second?.headers["X-Service-Signature"]);
      yield* Runs.use((runs) => runs.remove(accountId, id));
      const again = webhooks.redeliver(accountId, delivery?.id ?? "");
      assert.strictEqual(yield* reasonOf(again), "not_sendable");
    }).pipe(Effect.provide(world()))
  );
});
