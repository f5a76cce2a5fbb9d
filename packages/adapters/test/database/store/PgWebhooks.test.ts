// @module-tag long
import { assert, layer as withLayer } from "@effect/vitest";
import { Store } from "@winnow/core/ports/Store";
import { WebhookOutbox, type InFlightDelivery } from "@winnow/core/ports/WebhookOutbox";
import { sampleSubmit, uniqueId } from "@winnow/testing/samples/samples";
import { COST, openAccount, runThrough, submit } from "@winnow/testing/samples/StoreSteps";
import { suite as endpoints } from "@winnow/testing/suites/WebhookEndpointsSuite";
import { suite as outbox } from "@winnow/testing/suites/WebhookOutboxSuite";
import { clear, insert, NOW_MS, read, registered } from "@winnow/testing/samples/webhookSteps";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as Schedule from "effect/Schedule";
import * as SqlClient from "effect/sql/SqlClient";
import * as PgWebhookEndpoints from "../../../src/database/store/PgWebhookEndpoints.ts";
import * as PgWebhookOutbox from "../../../src/database/store/PgWebhookOutbox.ts";
import { storeLayer } from "./TestPostgres.ts";

const layer = Layer.mergeAll(PgWebhookEndpoints.layer, PgWebhookOutbox.layer).pipe(
  Layer.provideMerge(storeLayer)
);

endpoints("PostgreSQL", layer);
outbox("PostgreSQL", layer);

/** Longer than an unblocked statement takes, even on a busy machine. */
const STATEMENT_TIMEOUT = "30 seconds";

const BACKLOG = 20_000;

/** Pages that a claim reads, from memory or disk. */
const blocksOfClaim = Effect.fnUntraced(function* (inFlight: ReadonlyArray<InFlightDelivery>) {
  const sql = yield* SqlClient.SqlClient;
  const [row] = yield* sql.unsafe<{
    readonly "QUERY PLAN": readonly [{ readonly Plan: Record<string, number> }];
  }>(`explain (analyze, buffers, format json) ${PgWebhookOutbox.CLAIM_DUE}`, [
    String(NOW_MS),
    "30000",
    JSON.stringify(inFlight),
    4,
    16,
    64
  ]);
  const plan = row!["QUERY PLAN"][0].Plan;
  return plan["Shared Hit Blocks"]! + plan["Shared Read Blocks"]!;
});

/** Runs the effect while another transaction holds what the query locks. */
const whileHeld = Effect.fnUntraced(function* <A, E, R>(
  lock: (sql: SqlClient.SqlClient) => Effect.Effect<unknown, unknown>,
  effect: Effect.Effect<A, E, R>
) {
  const sql = yield* SqlClient.SqlClient;
  const [held, over] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()];
  const holding = Effect.orDie(lock(sql)).pipe(
    Effect.andThen(Deferred.succeed(held, undefined)),
    Effect.andThen(Deferred.await(over))
  );
  yield* Effect.forkScoped(Effect.orDie(sql.withTransaction(holding)));
  yield* Deferred.await(held);
  const done = yield* Effect.timeoutOption(effect, STATEMENT_TIMEOUT);
  yield* Deferred.succeed(over, undefined);
  return done;
}, Effect.scoped);

/** Waits, within a transaction, until a statement with this text on another connection waits for a lock. */
const waitsForLock = Effect.fnUntraced(function* (text: string) {
  const sql = yield* SqlClient.SqlClient;
  // A transaction keeps its snapshot of the statistics unless it is cleared.
  const look = Effect.andThen(
    sql`select pg_stat_clear_snapshot()`,
    sql`select 1 from pg_stat_activity where wait_event_type = 'Lock'
      and query like ${`%${text}%`} and datname = current_database()`
  );
  yield* Effect.repeat(look, { until: (rows) => rows.length > 0, schedule: Schedule.spaced("5 millis") });
});

withLayer(layer, { excludeTestServices: true })("PgWebhookOutbox", (it) => {
  it.effect("a deletion waits for an endpoint that is being disabled, without a deadlock", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient;
      const store = yield* Store;
      const accountId = yield* openAccount({ balance: COST });
      const { extraction } = yield* submit(accountId, sampleSubmit(accountId));
      yield* runThrough(accountId, extraction.id);
      const [failing, well] = [yield* registered(accountId), yield* registered(accountId)];
      const [early, late] = [uniqueId("whd_a"), uniqueId("whd_z")];
      yield* insert(accountId, { id: early, endpointId: failing.id, extractionId: extraction.id });
      yield* insert(accountId, { id: late, endpointId: well.id, extractionId: extraction.id });
      // As record_webhook_attempts does with a batch for both endpoints: the given one first, then the rest.
      const holds = yield* Deferred.make<void>();
      const givingUp = Effect.gen(function* () {
        yield* sql`select 1 from winnow.webhook_endpoint where id = ${failing.id} for no key update`;
        yield* sql`select 1 from winnow.webhook_delivery where id = ${late} for update`;
        yield* Deferred.succeed(holds, undefined);
        yield* waitsForLock("delete_extraction");
        yield* sql`select winnow.call_off_webhooks(${failing.id}, 'Given up.')`;
      });
      const givenUp = yield* Effect.forkChild(sql.withTransaction(givingUp));
      yield* Deferred.await(holds);
      assert.isTrue(Option.isSome(yield* store.deleteExtraction(accountId, extraction.id)));
      yield* Fiber.join(givenUp);
      for (const id of [early, late])
        assert.strictEqual((yield* read(accountId, id)).delivery.status, "failed");
    })
  );

  it.effect("a claim does not read the backlog of a receiver, even on a table without statistics", () =>
    Effect.gen(function* () {
      yield* clear;
      const sql = yield* SqlClient.SqlClient;
      const accountId = yield* openAccount();
      const { id } = yield* insert(accountId, { endpointId: "whe_dead" });
      const attempt = { accountId, receiver: "whe_dead" };
      const full = Array.from({ length: 4 }, () => attempt);
      const before = yield* blocksOfClaim(full);
      yield* sql`insert into winnow.webhook_delivery
        (id, account_id, event, endpoint_id, url, receiver, body, status, attempt_count, attempts_left,
          next_attempt_at_ms, due_at_ms, created_at_ms)
        select d.id || n, d.account_id, d.event, d.endpoint_id, d.url, d.receiver, d.body, d.status,
          d.attempt_count, d.attempts_left, d.next_attempt_at_ms, d.next_attempt_at_ms, d.created_at_ms
        from winnow.webhook_delivery d, generate_series(1, ${BACKLOG}::integer) n where d.id = ${id}`;
      assert.isBelow(yield* blocksOfClaim(full), before + BACKLOG / 200);
      assert.isBelow(yield* blocksOfClaim([]), before + BACKLOG / 50, "with the changes of four deliveries");
      yield* sql`delete from winnow.webhook_delivery where account_id = ${accountId}`;
    })
  );

  it.effect("the sweep of old deliveries skips a locked one", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const held = yield* insert(accountId, { createdAtMs: 1 });
      yield* insert(accountId, { createdAtMs: 2 });
      const swept = WebhookOutbox.use(({ removeOld }) => removeOld(3, 10));
      const removed = yield* whileHeld(
        (sql) => sql`select 1 from winnow.webhook_delivery where id = ${held.id} for update`,
        swept
      );
      assert.deepStrictEqual(removed, Option.some(1));
      assert.strictEqual(yield* swept, 1);
    })
  );
});
