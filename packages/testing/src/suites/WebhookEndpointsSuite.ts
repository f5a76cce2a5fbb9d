/**
 * What every implementation of WebhookEndpoints promises, together with its Store and outbox.
 * Run by MemoryWebhooks.test.ts, PgWebhooks.test.ts.
 */
import { assert, layer as withLayer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import type * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import { NotFound } from "@winnow/core/domain/request/Refusal";
import { ENDPOINT_REMOVED } from "@winnow/core/domain/webhook/WebhookDelivery";
import type { Store } from "@winnow/core/ports/Store";
import { WebhookEndpoints } from "@winnow/core/ports/WebhookEndpoints";
import type { WebhookOutbox } from "@winnow/core/ports/WebhookOutbox";
import { uniqueId } from "../samples/samples.ts";
import { openAccount } from "../samples/StoreSteps.ts";
import {
  insert,
  NOW_MS,
  read,
  register,
  registered,
  sampleEndpoint,
  targetsOf,
  type WebhookTests
} from "../samples/webhookSteps.ts";

const registering = (it: WebhookTests): void => {
  it.effect("endpoints are read as they were registered, in that order", () =>
    Effect.gen(function* () {
      const endpoints = yield* WebhookEndpoints;
      const accountId = yield* openAccount();
      // Equal times, and ids that sort differently: only the order of registration counts.
      const first = yield* registered(accountId, { id: "whe_z" + uniqueId("x") });
      const second = yield* registered(accountId, { id: "whe_a" + uniqueId("x") });
      assert.deepStrictEqual(yield* endpoints.list(accountId), [first, second]);
      assert.deepStrictEqual(yield* endpoints.get(accountId, first.id), Option.some(first));
      assert.deepStrictEqual(
        first,
        sampleEndpoint(accountId, { id: first.id, url: first.url, secret: first.secret })
      );
    })
  );

  it.effect("registering an existing URL returns its endpoint unchanged, even at the limit", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const endpoint = yield* registered(accountId);
      const again = yield* register(accountId, { url: endpoint.url }, 1);
      assert.deepStrictEqual(again, { _tag: "known", endpoint });
      const other = yield* register(yield* openAccount(), { url: endpoint.url });
      assert.strictEqual(other._tag, "registered", "another account may register the same URL");
    })
  );

  it.effect("registering the same id again returns the first registration, even with another URL", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const [endpoint, other] = [yield* registered(accountId), yield* registered(accountId)];
      const { id, url } = endpoint;
      for (const requestedUrl of [url, `${url}/new`, other.url]) {
        const again = yield* register(accountId, { id, url: requestedUrl, secret: "whsec_other" });
        assert.deepStrictEqual(again, { _tag: "known", endpoint });
      }
      assert.deepStrictEqual(yield* WebhookEndpoints.use(({ list }) => list(accountId)), [endpoint, other]);
    })
  );

  it.effect("concurrent registrations do not exceed the limit", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const registrations = yield* Effect.forEach(
        Array.from({ length: 12 }),
        () => register(accountId, {}, 5),
        { concurrency: 12 }
      );
      const count = (tag: string) => registrations.filter(({ _tag }) => _tag === tag).length;
      assert.deepStrictEqual([count("registered"), count("full")], [5, 7]);
      assert.lengthOf(yield* (yield* WebhookEndpoints).list(accountId), 5);
    })
  );

  it.effect("an unknown account is rejected", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(register(uniqueId("acc")));
      assert.deepStrictEqual(failure, NotFound.of("account"));
    })
  );

  it.effect("another account's endpoint cannot be read, changed or removed", () =>
    Effect.gen(function* () {
      const endpoints = yield* WebhookEndpoints;
      const [owner, otherAccount] = [yield* openAccount(), yield* openAccount()];
      const endpoint = yield* registered(owner);
      const secrets = { secret: "whsec_stolen", previousSecret: null };
      assert.deepStrictEqual(yield* endpoints.get(otherAccount, endpoint.id), Option.none());
      const stolen = yield* endpoints.setSecrets(otherAccount, endpoint.id, endpoint.secret, secrets);
      assert.deepStrictEqual(stolen, Option.none());
      assert.deepStrictEqual(yield* endpoints.enable(otherAccount, endpoint.id), Option.none());
      assert.isFalse(yield* endpoints.remove(otherAccount, endpoint.id));
      assert.deepStrictEqual(yield* endpoints.list(otherAccount), []);
      assert.deepStrictEqual(yield* endpoints.list(owner), [endpoint]);
    })
  );
};

const changing = (it: WebhookTests): void => {
  it.effect("both secrets are changed together, and the old one can be cleared", () =>
    Effect.gen(function* () {
      const endpoints = yield* WebhookEndpoints;
      const accountId = yield* openAccount();
      const { id, secret } = yield* registered(accountId);
      const previousSecret = { secret, expiresAtMs: NOW_MS + 86_400_000 };
      const second = { secret: "whsec_2", previousSecret };
      const rotated = yield* endpoints.setSecrets(accountId, id, secret, second);
      assert.deepInclude(Option.getOrThrow(rotated), second);
      assert.deepStrictEqual(yield* endpoints.get(accountId, id), rotated);
      const third = { secret: "whsec_3", previousSecret: null };
      const last = yield* endpoints.setSecrets(accountId, id, "whsec_2", third);
      assert.deepInclude(Option.getOrThrow(last), third);
    })
  );

  it.effect("secrets that were changed concurrently are not overwritten", () =>
    Effect.gen(function* () {
      const endpoints = yield* WebhookEndpoints;
      const accountId = yield* openAccount();
      const { id, secret } = yield* registered(accountId);
      const changes = yield* Effect.forEach(
        ["whsec_2", "whsec_3", "whsec_4"],
        (next) => endpoints.setSecrets(accountId, id, secret, { secret: next, previousSecret: null }),
        { concurrency: "unbounded" }
      );
      const made = changes.flatMap(Option.toArray);
      assert.lengthOf(made, 1);
      assert.deepStrictEqual(yield* endpoints.get(accountId, id), Option.fromUndefinedOr(made[0]));
    })
  );

  it.effect("decisions see the registered endpoints in registration order", () =>
    Effect.gen(function* () {
      const endpoints = yield* WebhookEndpoints;
      const accountId = yield* openAccount();
      assert.deepStrictEqual(yield* targetsOf(accountId), []);
      const [first, second] = [yield* registered(accountId), yield* registered(accountId)];
      yield* registered(yield* openAccount());
      const targets = [first, second].map(({ id, url }) => ({ id, url }));
      assert.deepStrictEqual(yield* targetsOf(accountId), targets);
      yield* endpoints.remove(accountId, first.id);
      assert.deepStrictEqual(yield* targetsOf(accountId), targets.slice(1));
    })
  );

  it.effect("removing an endpoint fails its pending deliveries and keeps ended ones", () =>
    Effect.gen(function* () {
      const endpoints = yield* WebhookEndpoints;
      const accountId = yield* openAccount();
      const [removed, remaining] = [yield* registered(accountId), yield* registered(accountId)];
      const waiting = yield* insert(accountId, { endpointId: removed.id });
      const arrived = yield* insert(accountId, {
        endpointId: removed.id,
        status: "delivered",
        nextAttemptAtMs: null
      });
      const other = yield* insert(accountId, { endpointId: remaining.id });
      assert.isTrue(yield* endpoints.remove(accountId, removed.id));
      assert.isFalse(yield* endpoints.remove(accountId, removed.id));
      const again = yield* register(accountId, { id: removed.id, url: removed.url });
      assert.deepStrictEqual(again, { _tag: "removed" });
      const { delivery } = yield* read(accountId, waiting.id);
      assert.deepInclude(delivery, {
        status: "failed",
        failureNote: ENDPOINT_REMOVED,
        nextAttemptAtMs: null
      });
      assert.deepStrictEqual((yield* read(accountId, arrived.id)).delivery, arrived);
      assert.deepStrictEqual((yield* read(accountId, other.id)).delivery, other);
    })
  );
};

export const suite = <E>(
  name: string,
  layer: Layer.Layer<Store | WebhookEndpoints | WebhookOutbox, E>
): void =>
  withLayer(layer, { excludeTestServices: true })(`WebhookEndpoints: ${name}`, (it) => {
    registering(it);
    changing(it);
  });
