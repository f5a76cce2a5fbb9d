// @module-tag long
import { assert, layer as withLayer } from "@effect/vitest";
import { RunFeed } from "@winnow/core/ports/RunFeed";
import { sampleEvent, suite } from "@winnow/testing/suites/RunFeedSuite";
import { uniqueId } from "@winnow/testing/samples/samples";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Redacted from "effect/Redacted";
import * as Schedule from "effect/Schedule";
import * as SqlClient from "effect/sql/SqlClient";
import * as Stream from "effect/Stream";
import * as PgConnection from "../../../src/database/store/PgConnection.ts";
import * as PgRunFeed from "../../../src/database/store/PgRunFeed.ts";
import { connectionLayer, TestPostgres } from "./TestPostgres.ts";

suite("PostgreSQL", Layer.provide(PgRunFeed.layer, connectionLayer));

/** The feed of one process, and its database. */
const processOn = (url: Redacted.Redacted) =>
  Effect.map(
    Layer.build(
      Layer.fresh(PgRunFeed.layer.pipe(Layer.provideMerge(PgConnection.layer({ url, connectionsMax: 2 }))))
    ),
    (context) => ({ feed: Context.get(context, RunFeed), sql: Context.get(context, SqlClient.SqlClient) })
  );

const twoProcesses = Effect.gen(function* () {
  const { migratedDatabase } = yield* TestPostgres;
  const { url } = yield* migratedDatabase;
  return [yield* processOn(url), yield* processOn(url)] as const;
});

/** Listening connections that have completed their commands. */
const listeners = (sql: SqlClient.SqlClient) =>
  sql<{ pid: number }>`select pid from pg_stat_activity
    where datname = current_database() and query ilike 'listen%' and state = 'idle'`;

/** A little less than the maximum time that a watcher waits for the connection. */
const WAIT_MS = 950;

/** The process id of another listening connection; waits for it as long as necessary. */
const listening = (sql: SqlClient.SqlClient, otherThan = 0) =>
  listeners(sql).pipe(
    Effect.map((found) => found.find(({ pid }) => pid !== otherThan)?.pid ?? null),
    Effect.repeat({ schedule: Schedule.spaced("20 millis"), until: (pid) => pid !== null })
  );

withLayer(TestPostgres.layer, { excludeTestServices: true })("PgRunFeed", (it) => {
  it.effect("a watcher receives events of another process in order, and its own once", () =>
    Effect.gen(function* () {
      const [one, two] = yield* twoProcesses;
      const id = uniqueId("ext");
      const watched = yield* one.feed.watch(id);
      yield* listening(two.sql);
      for (const index of [1, 2, 3]) yield* two.feed.publish(id, sampleEvent(index));
      assert.deepStrictEqual(
        [...(yield* Stream.runCollect(Stream.take(watched, 3)))],
        [1, 2, 3].map((index) => sampleEvent(index))
      );
      yield* one.feed.publish(id, sampleEvent(4));
      yield* two.feed.publish(id, sampleEvent(5));
      const rest = yield* Stream.runCollect(Stream.take(watched, 2));
      assert.sameDeepMembers([...rest], [sampleEvent(4), sampleEvent(5)]);
    })
  );

  it.effect("listens while there are watchers, on one connection for all of them", () =>
    Effect.gen(function* () {
      const [{ feed, sql }] = yield* twoProcesses;
      yield* feed.publish(uniqueId("ext"), sampleEvent(1));
      assert.isEmpty(yield* listeners(sql));
      const startMs = performance.now();
      yield* Effect.forEach([1, 2, 3], () => feed.watch(uniqueId("ext")), { concurrency: 3 });
      // The watchers have waited for the connection, unless that took a second.
      if (performance.now() - startMs < WAIT_MS) assert.lengthOf(yield* listeners(sql), 1);
      yield* listening(sql);
      assert.lengthOf(yield* listeners(sql), 1);
    })
  );

  it.effect("a broken connection is reopened, and later events arrive", () =>
    Effect.gen(function* () {
      const [one, two] = yield* twoProcesses;
      const id = uniqueId("ext");
      const watched = yield* one.feed.watch(id);
      const broken = yield* listening(two.sql);
      yield* two.sql`select pg_terminate_backend(${broken})`;
      yield* listening(two.sql, broken ?? 0);
      yield* two.feed.publish(id, sampleEvent(7));
      assert.deepStrictEqual([...(yield* Stream.runCollect(Stream.take(watched, 1)))], [sampleEvent(7)]);
    })
  );

  it.effect("foreign notifications are ignored", () =>
    Effect.gen(function* () {
      const [one, two] = yield* twoProcesses;
      const id = uniqueId("ext");
      const watched = yield* one.feed.watch(id);
      yield* listening(two.sql);
      for (const payload of ["", "{", '{"from":1}', JSON.stringify({ extractionId: id, event: {} })]) {
        yield* two.sql`select pg_notify('winnow_runs', ${payload})`;
      }
      yield* two.feed.publish(id, sampleEvent(1));
      assert.deepStrictEqual([...(yield* Stream.runCollect(Stream.take(watched, 1)))], [sampleEvent(1)]);
    })
  );

  it.effect(
    "without a database, watchers in the same process still receive events, and nothing waits for it",
    () =>
      Effect.gen(function* () {
        const { feed } = yield* processOn(Redacted.make("postgres://nobody:nothing@127.0.0.1:1/none"));
        const id = uniqueId("ext");
        // A watcher that waited for this database would never return.
        const watched = yield* Effect.uninterruptible(feed.watch(id));
        yield* feed.publish(id, sampleEvent(1));
        assert.deepStrictEqual([...(yield* Stream.runCollect(Stream.take(watched, 1)))], [sampleEvent(1)]);
      })
  );
});
