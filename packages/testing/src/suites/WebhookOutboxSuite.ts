/**
 * What every implementation of WebhookOutbox promises, together with its Store and endpoints.
 * Run by MemoryWebhooks.test.ts, PgWebhooks.test.ts.
 */
import { assert, layer as withLayer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import { ENDPOINT_DISABLED } from "@winnow/core/domain/webhook/WebhookDelivery";
import { FAILING_MS_MAX } from "@winnow/core/domain/webhook/WebhookEndpoint";
import { WebhookEndpoints } from "@winnow/core/ports/WebhookEndpoints";
import { openAccount } from "../samples/StoreSteps.ts";
import {
  ARRIVED,
  claim,
  claimOne,
  insert,
  NOW_MS,
  read,
  record,
  registered,
  sampleAttempt,
  targetsOf,
  type WebhookTests
} from "../samples/webhookSteps.ts";
import type * as Layer from "effect/Layer";
import type { Store } from "@winnow/core/ports/Store";
import { WebhookOutbox } from "@winnow/core/ports/WebhookOutbox";
import { claims, turns } from "./OutboxClaims.ts";
import { log, redeliveries } from "./OutboxLog.ts";

// What an attempt leaves behind, in the log and for its endpoint.

const attempts = (it: WebhookTests): void => {
  it.effect("retries follow after 30 s, 2 min and 10 min; the fourth failure is final", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { id } = yield* insert(accountId);
      let dueAtMs = NOW_MS;
      for (const waitMs of [30_000, 120_000, 600_000]) {
        const claimed = yield* claimOne(accountId, dueAtMs);
        const endedAtMs = dueAtMs + 10;
        dueAtMs = endedAtMs + waitMs;
        const recorded = yield* record(claimed, {}, endedAtMs);
        assert.deepInclude(recorded, { status: "pending", nextAttemptAtMs: dueAtMs });
        assert.lengthOf(yield* claim([accountId], { nowMs: dueAtMs - 1 }), 0);
      }
      const last = yield* record(yield* claimOne(accountId, dueAtMs), {}, dueAtMs);
      const ended = { status: "failed" as const, attemptCount: 4, attemptsLeft: 0, nextAttemptAtMs: null };
      assert.deepInclude(last, ended);
      const { delivery, attempts } = yield* read(accountId, id);
      assert.deepStrictEqual(delivery, last);
      assert.lengthOf(attempts, 4);
      assert.lengthOf(yield* claim([accountId], { nowMs: dueAtMs * 2 }), 0);
    })
  );

  it.effect("the log has all attempts in order, with the exact response", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { id } = yield* insert(accountId);
      const silent = { status: null, error: "No answer ' \u0000 \ud800", responseSnippet: null };
      const odd = { ...ARRIVED, responseSnippet: "\u0000 \ud800 ' \" $1 \u{1f600}", durationMs: 9_999 };
      const unanswered = yield* record(yield* claimOne(accountId), silent);
      assert.strictEqual(unanswered?.lastStatus, null);
      yield* record(yield* claimOne(accountId, NOW_MS + 30_000), odd, NOW_MS + 30_001);
      const { delivery, attempts } = yield* read(accountId, id);
      assert.deepStrictEqual(attempts, [
        sampleAttempt(silent),
        sampleAttempt({ ...odd, atMs: NOW_MS + 30_001 })
      ]);
      const ended = { status: "delivered" as const, attemptCount: 2, nextAttemptAtMs: null };
      assert.deepInclude(delivery, { ...ended, lastStatus: 204 });
      const { body: _body, ...summary } = delivery;
      const listed = yield* WebhookOutbox.use((outbox) =>
        outbox.list(accountId, { after: null, limit: 1, status: null })
      );
      assert.deepStrictEqual(listed, [summary]);
    })
  );
};

const together = (it: WebhookTests): void => {
  it.effect("attempts that end concurrently are recorded independently, even if some are rejected", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { id: endpointId } = yield* registered(accountId);
      const deliveries = yield* Effect.forEach(Array.from({ length: 150 }), () =>
        insert(accountId, { endpointId })
      );
      const stale = yield* claim([accountId]);
      const late = NOW_MS + 1_000_000;
      const current = yield* claim([accountId], { nowMs: late });
      assert.lengthOf(current, deliveries.length);
      const recorded = yield* Effect.forEach(
        [...current, ...stale],
        (claimed, index) => record(claimed, index % 2 === 0 ? ARRIVED : {}, late),
        { concurrency: "unbounded" }
      );
      assert.deepStrictEqual(
        recorded.map((delivery) => delivery?.status ?? null),
        [...current.map((_, index) => (index % 2 === 0 ? "delivered" : "pending")), ...stale.map(() => null)]
      );
      for (const { id } of deliveries) assert.lengthOf((yield* read(accountId, id)).attempts, 1);
    })
  );
};

/** Fails a delivery permanently; its last attempt ends at the given time. */
const failForGood = Effect.fnUntraced(function* (accountId: string, endpointId: string, atMs: number) {
  yield* insert(accountId, { endpointId, attemptsLeft: 1, nextAttemptAtMs: atMs });
  return yield* record(yield* claimOne(accountId, atMs), {}, atMs);
});

const givingUp = (it: WebhookTests): void => {
  const stateOf = (accountId: string, id: string) =>
    WebhookEndpoints.use((endpoints) =>
      Effect.map(endpoints.get(accountId, id), (found) => {
        const { failingSinceMs, disabledAtMs } = Option.getOrThrow(found);
        return { failingSinceMs, disabledAtMs };
      })
    );

  it.effect("an endpoint counts as failing from its first failure until a delivery succeeds", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { id } = yield* registered(accountId);
      yield* insert(accountId, { endpointId: id });
      yield* record(yield* claimOne(accountId), {}, NOW_MS + 1);
      yield* record(yield* claimOne(accountId, NOW_MS + 30_001), {}, NOW_MS + 30_001);
      const failing = { failingSinceMs: NOW_MS + 1, disabledAtMs: null };
      assert.deepStrictEqual(yield* stateOf(accountId, id), failing);
      yield* record(yield* claimOne(accountId, NOW_MS + 150_001), ARRIVED, NOW_MS + 150_001);
      const working = { failingSinceMs: null, disabledAtMs: null };
      assert.deepStrictEqual(yield* stateOf(accountId, id), working);
    })
  );

  it.effect("an endpoint without a success for five days is disabled, and its pending deliveries fail", () =>
    Effect.gen(function* () {
      const endpoints = yield* WebhookEndpoints;
      const accountId = yield* openAccount();
      const [{ id }, other] = [yield* registered(accountId), yield* registered(accountId)];
      yield* failForGood(accountId, id, NOW_MS);
      const almost = NOW_MS + FAILING_MS_MAX - 1;
      yield* failForGood(accountId, id, almost);
      assert.strictEqual((yield* stateOf(accountId, id)).disabledAtMs, null);
      const waiting = yield* insert(accountId, { endpointId: id, nextAttemptAtMs: almost * 2 });
      const elsewhere = yield* insert(accountId, { endpointId: other.id, nextAttemptAtMs: almost * 2 });
      yield* failForGood(accountId, id, almost + 1);
      const givenUp = { failingSinceMs: NOW_MS, disabledAtMs: almost + 1 };
      assert.deepStrictEqual(yield* stateOf(accountId, id), givenUp);
      const { delivery } = yield* read(accountId, waiting.id);
      assert.deepInclude(delivery, { status: "failed", failureNote: ENDPOINT_DISABLED });
      assert.strictEqual((yield* read(accountId, elsewhere.id)).delivery.status, "pending");
      assert.deepStrictEqual(yield* targetsOf(accountId), [{ id: other.id, url: other.url }]);
      yield* endpoints.enable(accountId, id);
      const enabled = { failingSinceMs: null, disabledAtMs: null };
      assert.deepStrictEqual(yield* stateOf(accountId, id), enabled);
      assert.lengthOf(yield* targetsOf(accountId), 2);
    })
  );

  it.effect("a failed attempt does not disable the endpoint while retries remain", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { id } = yield* registered(accountId);
      yield* failForGood(accountId, id, NOW_MS);
      const late = NOW_MS + 2 * FAILING_MS_MAX;
      yield* insert(accountId, { endpointId: id, nextAttemptAtMs: late });
      yield* record(yield* claimOne(accountId, late), {}, late);
      assert.strictEqual((yield* stateOf(accountId, id)).disabledAtMs, null);
    })
  );
};

const PARTS: ReadonlyArray<(it: WebhookTests) => void> = [
  claims,
  turns,
  attempts,
  together,
  givingUp,
  redeliveries,
  log
];

export const suite = <E>(
  name: string,
  layer: Layer.Layer<Store | WebhookEndpoints | WebhookOutbox, E>
): void =>
  withLayer(layer, { excludeTestServices: true })(`WebhookOutbox: ${name}`, (it) => {
    for (const part of PARTS) part(it);
  });
