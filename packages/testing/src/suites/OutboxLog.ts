/** Part of WebhookOutboxSuite: reading and redelivering deliveries, and their removal. */
import { assert } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import type { CursorPosition } from "@winnow/core/domain/request/Cursor";
import {
  EXTRACTION_DELETED,
  type DeliverySummary,
  type WebhookDelivery
} from "@winnow/core/domain/webhook/WebhookDelivery";
import { FAILING_MS_MAX } from "@winnow/core/domain/webhook/WebhookEndpoint";
import { Store } from "@winnow/core/ports/Store";
import { WebhookEndpoints } from "@winnow/core/ports/WebhookEndpoints";
import { WebhookOutbox } from "@winnow/core/ports/WebhookOutbox";
import { sampleExtraction, uniqueId } from "../samples/samples.ts";
import { openAccount, write } from "../samples/StoreSteps.ts";
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
  record,
  registered,
  sampleDelivery,
  type WebhookTests
} from "../samples/webhookSteps.ts";

const FAILED = { status: "failed", attemptCount: 4, attemptsLeft: 0, nextAttemptAtMs: null } as const;
const LATER_MS = NOW_MS + 9_000_000;
const AGAIN = { status: "pending", attemptCount: 4, attemptsLeft: 4, nextAttemptAtMs: LATER_MS } as const;

const redeliver = (accountId: string, id: string) =>
  WebhookOutbox.use((outbox) => outbox.redeliver(accountId, id, LATER_MS));

const disable = Effect.fnUntraced(function* (accountId: string, endpointId: string) {
  for (const atMs of [NOW_MS - FAILING_MS_MAX, NOW_MS]) {
    yield* insert(accountId, { endpointId, attemptsLeft: 1, nextAttemptAtMs: atMs });
    yield* record(yield* claimOne(accountId, atMs), {}, atMs);
  }
});

export const redeliveries = (it: WebhookTests): void => {
  it.effect("a redelivered delivery is due again with a fresh schedule, and keeps its log", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const failed = yield* insert(accountId, FAILED);
      const arrived = yield* insert(accountId, { ...FAILED, status: "delivered", attemptsLeft: 2 });
      for (const { id } of [failed, arrived]) {
        const redelivery = yield* redeliver(accountId, id);
        assert.strictEqual(redelivery._tag, "pending");
        const { delivery } = yield* read(accountId, id);
        assert.deepInclude(delivery, AGAIN);
      }
      const [first] = yield* claim([accountId], { nowMs: LATER_MS });
      const recorded = first === undefined ? null : yield* record(first, {}, LATER_MS);
      const next = { attemptCount: 5, attemptsLeft: 3, nextAttemptAtMs: LATER_MS + 30_000 };
      assert.deepInclude(recorded, next);
    })
  );

  it.effect("a delivery in flight is not sent a second time", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { id } = yield* insert(accountId, { nextAttemptAtMs: LATER_MS - 1 });
      yield* claimOne(accountId, LATER_MS - 1);
      assert.strictEqual((yield* redeliver(accountId, id))._tag, "pending");
      assert.lengthOf(yield* claim([accountId], { nowMs: LATER_MS }), 0);
      assert.lengthOf(yield* claim([accountId], { nowMs: LATER_MS + LEASE_MS }), 1);
    })
  );

  it.effect("redelivering during the last attempt gives a fresh schedule if that attempt fails", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { id } = yield* insert(accountId, { attemptsLeft: 1, nextAttemptAtMs: LATER_MS - 1 });
      const last = yield* claimOne(accountId, LATER_MS - 1);
      assert.strictEqual((yield* redeliver(accountId, id))._tag, "pending");
      const recorded = yield* record(last, {}, LATER_MS);
      const retrying = { status: "pending", attemptsLeft: 3, nextAttemptAtMs: LATER_MS + 30_000 } as const;
      assert.deepInclude(recorded, retrying);
      assert.deepStrictEqual((yield* read(accountId, id)).delivery, recorded);
      yield* redeliver(accountId, id);
      const arrived = yield* record(yield* claimOne(accountId, LATER_MS), ARRIVED, LATER_MS);
      assert.deepInclude(arrived, { status: "delivered", nextAttemptAtMs: null });
      assert.deepStrictEqual((yield* read(accountId, id)).delivery, arrived);
    })
  );

  it.effect(
    "unknown deliveries, those of other accounts and those of removed or disabled endpoints are not redelivered",
    () =>
      Effect.gen(function* () {
        const endpoints = yield* WebhookEndpoints;
        const accountId = yield* openAccount();
        const [removed, disabled] = [yield* registered(accountId), yield* registered(accountId)];
        const undeliverable = yield* insert(accountId, { ...FAILED, endpointId: removed.id });
        const stopped = yield* insert(accountId, { ...FAILED, endpointId: disabled.id });
        const empty = yield* insert(accountId, { ...FAILED, body: null });
        yield* endpoints.remove(accountId, removed.id);
        yield* disable(accountId, disabled.id);
        const tagOf = (id: string, account = accountId) =>
          Effect.map(redeliver(account, id), ({ _tag }) => _tag);
        assert.strictEqual(yield* tagOf(undeliverable.id), "unsendable");
        assert.strictEqual(yield* tagOf(empty.id), "unsendable");
        assert.strictEqual(yield* tagOf(stopped.id), "disabled");
        assert.strictEqual(yield* tagOf(uniqueId("whd")), "gone");
        assert.strictEqual(yield* tagOf(stopped.id, yield* openAccount()), "gone");
        const outbox = yield* WebhookOutbox;
        assert.strictEqual(yield* outbox.redeliverFailed(accountId, 0, LATER_MS), 0);
        assert.lengthOf(yield* claim([accountId], { nowMs: LATER_MS }), 0);
      })
  );

  it.effect("all deliveries of an account that failed since a time are due again, and no others", () =>
    Effect.gen(function* () {
      const outbox = yield* WebhookOutbox;
      const [accountId, other] = [yield* openAccount(), yield* openAccount()];
      const failed = yield* Effect.forEach([0, 1, 2], (offset) =>
        insert(accountId, { ...FAILED, createdAtMs: NOW_MS + offset })
      );
      yield* insert(accountId, { ...FAILED, createdAtMs: NOW_MS - 1 });
      yield* insert(accountId, { ...FAILED, status: "delivered" });
      yield* insert(other, FAILED);
      assert.strictEqual(yield* outbox.redeliverFailed(accountId, NOW_MS, LATER_MS), 3);
      assert.strictEqual(yield* outbox.redeliverFailed(accountId, NOW_MS, LATER_MS), 0);
      const claimed = yield* claim([accountId, other], { nowMs: LATER_MS });
      assert.sameMembers(
        claimed.map(({ delivery }) => delivery.id),
        failed.map(({ id }) => id)
      );
    })
  );
};

const manyRedeliveries = (it: WebhookTests): void => {
  it.effect("all deliveries of a long outage are redelivered, except those that cannot be", () =>
    Effect.gen(function* () {
      const outbox = yield* WebhookOutbox;
      const accountId = yield* openAccount();
      const failed = Array.from({ length: 1_200 }, (_, index) =>
        sampleDelivery(accountId, {
          ...FAILED,
          createdAtMs: NOW_MS + (index % 7),
          ...(index % 2 === 0 ? { body: null } : {})
        })
      );
      yield* decideDeliveries(accountId, failed);
      assert.strictEqual(yield* outbox.redeliverFailed(accountId, NOW_MS, LATER_MS), 600);
      assert.strictEqual(yield* outbox.redeliverFailed(accountId, NOW_MS, LATER_MS), 0);
      assert.lengthOf(yield* claim([accountId], { nowMs: LATER_MS }), 600);
    })
  );
};

const summaryOf = ({ body: _body, ...summary }: WebhookDelivery): DeliverySummary => summary;

const pages = (it: WebhookTests): void => {
  it.effect("pages are ordered newest first, also with equal timestamps, for one status or all", () =>
    Effect.gen(function* () {
      const outbox = yield* WebhookOutbox;
      const accountId = yield* openAccount();
      const made = yield* Effect.forEach(Array.from({ length: 11 }), (_, index) =>
        insert(accountId, { ...(index % 2 === 0 ? FAILED : {}), createdAtMs: NOW_MS + ((index * 7) % 3) })
      );
      yield* insert(yield* openAccount());
      const newestFirst = made
        .map(summaryOf)
        .sort((left, right) => right.createdAtMs - left.createdAtMs || (left.id < right.id ? 1 : -1));
      for (const status of [null, "failed", "pending", "delivered"] as const) {
        const seen: Array<DeliverySummary> = [];
        let after: CursorPosition | null = null;
        for (let page = 0; page < 10; page++) {
          const rows: ReadonlyArray<DeliverySummary> = yield* outbox.list(accountId, {
            after,
            limit: 3,
            status
          });
          seen.push(...rows);
          after = rows.at(-1) ?? after;
        }
        assert.deepStrictEqual(
          seen,
          newestFirst.filter((each) => status === null || each.status === status)
        );
      }
    })
  );

  it.effect("another account's delivery is not found, and a duplicate id is a defect", () =>
    Effect.gen(function* () {
      const outbox = yield* WebhookOutbox;
      const delivery = yield* insert(yield* openAccount());
      assert.deepStrictEqual(yield* outbox.get(yield* openAccount(), delivery.id), Option.none());
      assert.isTrue((yield* Effect.exit(outbox.insert(delivery)))._tag === "Failure");
    })
  );
};

const endings = (it: WebhookTests): void => {
  it.effect("deleting an extraction deletes bodies and responses, and fails its pending deliveries", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const accountId = yield* openAccount();
      const extraction = sampleExtraction(accountId, { status: "failed", completedAtMs: NOW_MS });
      yield* write(accountId, { inserted: [extraction] });
      const arrived = yield* insert(accountId, { extractionId: extraction.id });
      yield* record(yield* claimOne(accountId), { ...ARRIVED, responseSnippet: "secret" });
      const waiting = yield* insert(accountId, { extractionId: extraction.id });
      const claimed = yield* claimOne(accountId);
      yield* store.deleteExtraction(accountId, extraction.id);
      const after = yield* read(accountId, arrived.id);
      assert.deepInclude(after.delivery, { status: "delivered", body: null, failureNote: null });
      assert.strictEqual(after.attempts[0]?.responseSnippet, null);
      const { delivery } = yield* read(accountId, waiting.id);
      const abandoned = { status: "failed" as const, body: null, nextAttemptAtMs: null };
      assert.deepInclude(delivery, { ...abandoned, failureNote: EXTRACTION_DELETED });
      assert.isNull(yield* record(claimed, ARRIVED));
    })
  );

  it.effect("old deliveries are deleted in batches, with their attempts", () =>
    Effect.gen(function* () {
      const outbox = yield* WebhookOutbox;
      const accountId = yield* openAccount();
      const old = yield* Effect.forEach([1, 2, 3], (createdAtMs) => insert(accountId, { createdAtMs }));
      yield* Effect.forEach(yield* claim([accountId]), (claimed) => record(claimed));
      const remaining = yield* insert(accountId, { createdAtMs: 4 });
      assert.strictEqual(yield* outbox.removeOld(4, 2), 2);
      assert.strictEqual(yield* outbox.removeOld(4, 2), 1);
      assert.strictEqual(yield* outbox.removeOld(4, 2), 0);
      for (const { id } of old) assert.deepStrictEqual(yield* outbox.get(accountId, id), Option.none());
      assert.strictEqual((yield* read(accountId, remaining.id)).delivery.id, remaining.id);
    })
  );

  it.effect("depth counts pending deliveries and measures how long the oldest has been due", () =>
    Effect.gen(function* () {
      const outbox = yield* WebhookOutbox;
      yield* clear;
      const before = yield* outbox.depth(NOW_MS);
      assert.strictEqual(before.oldestDueSeconds, 0);
      const accountId = yield* openAccount();
      yield* insert(accountId, { nextAttemptAtMs: NOW_MS - 2_500 });
      yield* insert(accountId, { nextAttemptAtMs: NOW_MS + 60_000 });
      yield* insert(accountId, FAILED);
      assert.deepStrictEqual(yield* outbox.depth(NOW_MS), {
        pending: before.pending + 2,
        oldestDueSeconds: 2.5
      });
      yield* claimOne(accountId);
      assert.strictEqual((yield* outbox.depth(NOW_MS)).oldestDueSeconds, 0);
    })
  );
};

export const log = (it: WebhookTests): void => {
  manyRedeliveries(it);
  pages(it);
  endings(it);
};
