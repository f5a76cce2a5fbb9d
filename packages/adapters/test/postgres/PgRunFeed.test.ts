import { assert, describe, it } from "@effect/vitest";
import { RunFeed } from "@winnow/core/ports/RunFeed";
import { sampleEvent, suite } from "@winnow/core/testing/RunFeedSuite";
import { uniqueId } from "@winnow/core/testing/samples";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Redacted from "effect/Redacted";
import * as Schedule from "effect/Schedule";
import * as SqlClient from "effect/sql/SqlClient";
import * as Stream from "effect/Stream";
import * as PgConnection from "../../src/postgres/PgConnection.ts";
import * as PgRunFeed from "../../src/postgres/PgRunFeed.ts";
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
  const { emptyDatabase } = yield* TestPostgres;
  const { url } = yield* emptyDatabase;
  return [yield* processOn(url), yield* processOn(url)] as const;
});

const listeners = (sql: SqlClient.SqlClient) =>
  sql<{ pid: number }>`select pid from pg_stat_activity
    where datname = current_database() and query ilike 'listen%'`;

describe("PgRunFeed", () => {
  it.live("a watcher hears another process, in order, and its own once", () =>
    Effect.gen(function* () {
      const [one, two] = yield* twoProcesses;
      const id = uniqueId("ext");
      const watched = yield* one.feed.watch(id);
      for (const sequence of [1, 2, 3]) yield* two.feed.publish(id, sampleEvent(sequence));
      assert.deepStrictEqual(
        [...(yield* Stream.runCollect(Stream.take(watched, 3)))],
        [1, 2, 3].map((sequence) => sampleEvent(sequence))
      );
      yield* one.feed.publish(id, sampleEvent(4));
      yield* two.feed.publish(id, sampleEvent(5));
      const rest = yield* Stream.runCollect(Stream.take(watched, 2));
      assert.sameDeepMembers([...rest], [sampleEvent(4), sampleEvent(5)]);
    }).pipe(Effect.scoped, Effect.provide(TestPostgres.layer), Effect.timeout("20 seconds"))
  );

  it.live("listens once somebody watches, on one connection, however many watch", () =>
    Effect.gen(function* () {
      const [{ feed, sql }] = yield* twoProcesses;
      yield* feed.publish(uniqueId("ext"), sampleEvent(1));
      assert.isEmpty(yield* listeners(sql));
      yield* Effect.forEach([1, 2, 3], () => feed.watch(uniqueId("ext")), { concurrency: 3 });
      assert.lengthOf(yield* listeners(sql), 1);
    }).pipe(Effect.scoped, Effect.provide(TestPostgres.layer), Effect.timeout("20 seconds"))
  );

  it.live("a connection that breaks is opened again, and what is told from then on arrives", () =>
    Effect.gen(function* () {
      const [one, two] = yield* twoProcesses;
      const id = uniqueId("ext");
      const watched = yield* one.feed.watch(id);
      const [broken] = yield* listeners(two.sql);
      yield* two.sql`select pg_terminate_backend(${broken?.pid ?? 0})`;
      yield* listeners(two.sql).pipe(
        Effect.repeat({
          schedule: Schedule.spaced("50 millis"),
          until: ([now]) => now !== undefined && now.pid !== broken?.pid
        })
      );
      yield* two.feed.publish(id, sampleEvent(7));
      assert.deepStrictEqual([...(yield* Stream.runCollect(Stream.take(watched, 1)))], [sampleEvent(7)]);
    }).pipe(Effect.scoped, Effect.provide(TestPostgres.layer), Effect.timeout("20 seconds"))
  );

  it.live("notifications that are not ours are passed over", () =>
    Effect.gen(function* () {
      const [one, two] = yield* twoProcesses;
      const id = uniqueId("ext");
      const watched = yield* one.feed.watch(id);
      for (const payload of ["", "{", '{"from":1}', JSON.stringify({ extractionId: id, event: {} })]) {
        yield* two.sql`select pg_notify('winnow_runs', ${payload})`;
      }
      yield* two.feed.publish(id, sampleEvent(1));
      assert.deepStrictEqual([...(yield* Stream.runCollect(Stream.take(watched, 1)))], [sampleEvent(1)]);
    }).pipe(Effect.scoped, Effect.provide(TestPostgres.layer), Effect.timeout("20 seconds"))
  );

  it.live("without a database, watchers of the process are told all the same, and nobody waits for it", () =>
    Effect.gen(function* () {
      const { feed } = yield* processOn(Redacted.make("postgres://nobody:nothing@127.0.0.1:1/none"));
      const id = uniqueId("ext");
      const startMs = performance.now();
      const watched = yield* Effect.uninterruptible(feed.watch(id));
      yield* feed.publish(id, sampleEvent(1));
      assert.deepStrictEqual([...(yield* Stream.runCollect(Stream.take(watched, 1)))], [sampleEvent(1)]);
      assert.isBelow(performance.now() - startMs, 5_000);
    }).pipe(Effect.scoped, Effect.timeout("20 seconds"))
  );
});
