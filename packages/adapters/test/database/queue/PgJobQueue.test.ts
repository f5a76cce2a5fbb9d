// @module-tag long
import { assert, layer as withLayer } from "@effect/vitest";
import { JobQueue } from "@winnow/core/ports/JobQueue";
import { uniqueId } from "@winnow/testing/samples/samples";
import { suite } from "@winnow/testing/suites/JobQueueSuite";
import * as Effect from "effect/Effect";
import * as Schedule from "effect/Schedule";
import * as SqlClient from "effect/sql/SqlClient";
import { queueLayer } from "../store/TestPostgres.ts";

suite("PostgreSQL", queueLayer);

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
