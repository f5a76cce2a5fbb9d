// @module-tag long
import { assert, layer as withLayer } from "@effect/vitest";
import { JobQueue } from "@winnow/core/ports/JobQueue";
import { uniqueId } from "@winnow/testing/samples/samples";
import { suite } from "@winnow/testing/suites/JobQueueSuite";
import * as Effect from "effect/Effect";
import * as Schedule from "effect/Schedule";
import * as SqlClient from "effect/sql/SqlClient";
import { makeJobTable } from "../../../src/database/queue/JobTable.ts";
import { WorkerConnections } from "../../../src/database/store/PgConnection.ts";
import { queueLayer } from "../store/TestPostgres.ts";

suite("PostgreSQL", queueLayer);

/** Enough that the database keeps its plans. */
const TIMES = 10;
const JOBS = 2_000;

withLayer(queueLayer, { excludeTestServices: true })("a worker", (it) => {
  it.effect(
    "reads a few rows to claim and renew, by plans that were made while no job waited, and are kept",
    () =>
      Effect.gen(function* () {
        const sql = yield* WorkerConnections;
        const jobs = makeJobTable(sql, sql, 60);
        const rowsRead = Effect.map(
          sql<{ readonly rows: number }>`select (coalesce(idx_tup_fetch, 0) + seq_tup_read)::integer as rows
          from pg_stat_xact_user_tables where schemaname = 'winnow' and relname = 'job'`,
          ([counted]) => counted?.rows ?? Number.NaN
        );
        const plansKept = sql<{ readonly kept: number }>`
        select generic_plans::integer as kept from pg_prepared_statements where statement ~ '^(with abandoned|update winnow.job j)'`;
        const none = { job: { extractionId: "ext", accountId: "acc", traceparent: null }, claim: 0 };
        yield* sql`vacuum analyze winnow.job`.unprepared;
        yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* Effect.repeat(Effect.andThen(jobs.claim(1, true), jobs.renew([none])), { times: TIMES });
            assert.deepStrictEqual(
              (yield* plansKept).map(({ kept }) => kept > 0),
              [true, true]
            );
            yield* sql`insert into winnow.job (extraction_id, account_id, turn)
            select 'ext_' || n, 'acc', n from generate_series(1, ${JOBS}::integer) n`;
            const before = yield* rowsRead;
            const held = yield* jobs.claim(1, true);
            assert.strictEqual((yield* jobs.renew(held)).size, 1);
            assert.isAtMost((yield* rowsRead) - before, 10);
            yield* sql`delete from winnow.job`;
          })
        );
      })
  );
});

withLayer(queueLayer, { excludeTestServices: true })("the upkeep of the queue", (it) => {
  it.effect("counts the rows of former jobs, and the seconds of the oldest transaction", () =>
    Effect.gen(function* () {
      const queue = yield* JobQueue;
      const sql = yield* SqlClient.SqlClient;
      const enqueue = Effect.suspend(() =>
        queue.enqueue({ accountId: uniqueId("acc"), extractionId: uniqueId("ext"), traceparent: null })
      );
      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* enqueue;
          // On another connection, once the database has counted what the test's transactions changed.
          const elsewhere = Effect.promise(() => Effect.runPromise(queue.depth));
          yield* Effect.repeat(elsewhere, {
            until: ({ upkeep }) => (upkeep?.oldestTransactionSeconds ?? 0) > 1,
            schedule: Schedule.spaced("50 millis")
          });
        })
      );
      yield* sql`delete from winnow.job`;
      const { upkeep } = yield* Effect.repeat(Effect.andThen(sql`select 1`, queue.depth), {
        until: (depth) => depth.upkeep?.deadRows === 1,
        schedule: Schedule.spaced("50 millis")
      });
      assert.strictEqual(upkeep?.oldestTransactionSeconds, 0);
    })
  );
});
