/** Part of WebhookOutboxSuite: who may send what, and when. */
import { assert } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { WebhookEndpoints } from "@winnow/core/ports/WebhookEndpoints";
import { WebhookOutbox } from "@winnow/core/ports/WebhookOutbox";
import { uniqueId } from "../samples/samples.ts";
import { openAccount } from "../samples/StoreSteps.ts";
import {
  ARRIVED,
  claim,
  claimOne,
  clear,
  decideDeliveries,
  insert,
  LEASE_MS,
  NOW_MS,
  read,
  receivers,
  record,
  registered,
  sampleDelivery,
  type WebhookTests
} from "../samples/webhookSteps.ts";

const leases = (it: WebhookTests): void => {
  it.effect("a delivery written by a decision is due at its time, with its exact body", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const body = JSON.stringify({ title: "\u0000 \ud800 ' $1 \u{1f600}" });
      const deliveries = [sampleDelivery(accountId, { body }), sampleDelivery(accountId, { body })];
      yield* decideDeliveries(accountId, deliveries);
      assert.lengthOf(yield* claim([accountId], { nowMs: NOW_MS - 1 }), 0);
      const claimed = yield* claim([accountId]);
      assert.sameDeepMembers(
        claimed.map(({ delivery }) => delivery),
        deliveries
      );
    })
  );

  it.effect("concurrent claims never take the same delivery", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const deliveries = Array.from({ length: 40 }, () => sampleDelivery(accountId));
      yield* decideDeliveries(accountId, deliveries);
      const claims = yield* Effect.forEach(
        Array.from({ length: 8 }),
        () => claim([accountId], { limit: 10 }),
        { concurrency: 8 }
      );
      const ids = [...claims.flat(), ...(yield* claim([accountId]))].map(({ delivery }) => delivery.id);
      assert.sameMembers(
        ids,
        deliveries.map(({ id }) => id)
      );
    })
  );

  it.effect(
    "a claim holds until its lease ends; then another process gets the delivery, and only that claim counts",
    () =>
      Effect.gen(function* () {
        const accountId = yield* openAccount();
        const { id } = yield* insert(accountId);
        const dead = yield* claimOne(accountId);
        assert.lengthOf(yield* claim([accountId], { nowMs: NOW_MS + LEASE_MS - 1 }), 0);
        const claimed = yield* claimOne(accountId, NOW_MS + LEASE_MS);
        assert.deepStrictEqual(claimed.delivery, dead.delivery);
        assert.isAbove(claimed.claim, dead.claim);
        assert.isNull(yield* record(dead, ARRIVED));
        assert.strictEqual((yield* read(accountId, id)).delivery.status, "pending");
        assert.strictEqual((yield* record(claimed, ARRIVED))?.status, "delivered");
        assert.isNull(yield* record(claimed, ARRIVED), "an attempt is recorded once");
        assert.lengthOf((yield* read(accountId, id)).attempts, 1);
        assert.lengthOf(yield* claim([accountId], { nowMs: NOW_MS + 10 * LEASE_MS }), 0);
      })
  );

  it.effect("a returned claim is due as before; returning a lost claim changes nothing", () =>
    Effect.gen(function* () {
      const outbox = yield* WebhookOutbox;
      const accountId = yield* openAccount();
      yield* insert(accountId);
      const first = yield* claimOne(accountId);
      yield* outbox.release([first]);
      const second = yield* claimOne(accountId);
      yield* outbox.release([first]);
      assert.lengthOf(yield* claim([accountId]), 0);
      yield* record(second, {}, NOW_MS + 5);
      yield* outbox.release([second]);
      assert.lengthOf(yield* claim([accountId], { nowMs: NOW_MS + 30_004 }), 0);
      assert.lengthOf(yield* claim([accountId], { nowMs: NOW_MS + 30_005 }), 1);
    })
  );
};

const signers = (it: WebhookTests): void => {
  it.effect(
    "a delivery is signed with its endpoint's secret, one to a per-run URL with that of the account's first endpoint",
    () =>
      Effect.gen(function* () {
        const endpoints = yield* WebhookEndpoints;
        const accountId = yield* openAccount();
        yield* insert(accountId);
        assert.isNull((yield* claimOne(accountId)).signer);
        const first = yield* registered(accountId, { id: "whe_z" + uniqueId("x") });
        const second = yield* registered(accountId, { id: "whe_a" + uniqueId("x") });
        yield* insert(accountId, { endpointId: second.id, url: second.url });
        yield* insert(accountId);
        const claimed = yield* claim([accountId]);
        assert.sameDeepMembers(
          claimed.map(({ delivery, signer }) => [delivery.endpointId, signer]),
          [
            [second.id, second],
            [null, first]
          ]
        );
        yield* endpoints.remove(accountId, first.id);
        const again = yield* claim([accountId], { nowMs: NOW_MS + LEASE_MS });
        assert.deepStrictEqual(
          again.map(({ signer }) => signer),
          [second, second, second]
        );
      })
  );
};

export const claims = (it: WebhookTests): void => {
  leases(it);
  signers(it);
};

/** Deliveries to one registered receiver, oldest first. */
const backlog = Effect.fnUntraced(function* (accountId: string, length: number) {
  const { id, url } = yield* registered(accountId);
  const deliveries = Array.from({ length }, (_, index) =>
    sampleDelivery(accountId, { endpointId: id, url, nextAttemptAtMs: NOW_MS - 1_000 + index })
  );
  yield* decideDeliveries(accountId, deliveries);
  return deliveries;
});

export const turns = (it: WebhookTests): void => {
  it.effect("a receiver gets at most its limit of concurrent deliveries, oldest first", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const deliveries = yield* backlog(accountId, 10);
      const receiver = deliveries[0]?.endpointId ?? "";
      const attempt = { accountId, receiver };
      const first = yield* claim([accountId], { receiverMax: 4, inFlight: [attempt] });
      assert.sameMembers(
        first.map(({ delivery }) => delivery.id),
        deliveries.slice(0, 3).map(({ id }) => id)
      );
      const none = yield* claim([accountId], {
        receiverMax: 4,
        inFlight: [attempt, attempt, attempt, attempt]
      });
      assert.lengthOf(none, 0);
    })
  );

  it.effect("per-run URLs that differ only in their parameters are one receiver", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const path = `https://example.com/${uniqueId("path")}`;
      for (const query of ["", "?run=1", "?run=2"]) yield* insert(accountId, { url: `${path}${query}` });
      assert.lengthOf(yield* claim([accountId], { receiverMax: 2 }), 2);
    })
  );

  it.effect("an account gets at most its limit of concurrent deliveries", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      for (let index = 0; index < 6; index++) yield* insert(accountId);
      const inFlight = [accountId, accountId, uniqueId("acc")].map((of) => ({
        accountId: of,
        receiver: uniqueId("whe")
      }));
      assert.lengthOf(yield* claim([accountId], { accountMax: 5, inFlight }), 3);
    })
  );

  it.effect("receivers and accounts take turns: a long, old backlog does not delay others", () =>
    Effect.gen(function* () {
      yield* clear;
      const [busy, other] = [yield* openAccount(), yield* openAccount()];
      yield* backlog(busy, 50);
      const sibling = yield* insert(busy, { nextAttemptAtMs: NOW_MS - 1 });
      const lonely = yield* insert(other);
      const claimed = yield* claim([busy, other], { limit: 3, receiverMax: 50 });
      const ids = claimed.map(({ delivery }) => delivery.id);
      assert.include(ids, lonely.id);
      assert.include(ids, sibling.id);
      assert.lengthOf(new Set(receivers(claimed)), 3);
    })
  );

  it.effect("receivers that are at their limit or have nothing due are skipped", () =>
    Effect.gen(function* () {
      yield* clear;
      const [busy, other] = [yield* openAccount(), yield* openAccount()];
      const old = Array.from({ length: 60 }, () => sampleDelivery(busy, { nextAttemptAtMs: NOW_MS - 1_000 }));
      yield* decideDeliveries(busy, old);
      const first = yield* claim([busy], { limit: 30 });
      for (const claimed of first) yield* record(claimed, ARRIVED);
      const lonely = yield* insert(other);
      const claimed = yield* claim([busy, other], {
        nowMs: NOW_MS + LEASE_MS,
        limit: 3,
        accountMax: 2,
        inFlight: [1, 2].map(() => ({ accountId: busy, receiver: uniqueId("whe") }))
      });
      assert.deepStrictEqual(
        claimed.map(({ delivery }) => delivery.id),
        [lonely.id]
      );
      const rest = yield* claim([busy], { nowMs: NOW_MS + LEASE_MS });
      assert.sameMembers(
        rest.map(({ delivery }) => delivery.id),
        old.map(({ id }) => id).filter((id) => first.every(({ delivery }) => delivery.id !== id))
      );
    })
  );
};
