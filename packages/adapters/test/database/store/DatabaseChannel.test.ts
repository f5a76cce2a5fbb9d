// @module-tag long
import * as PgClient from "@effect/sql-pg/PgClient";
import { assert, layer as withLayer } from "@effect/vitest";
import { JobQueue } from "@winnow/core/ports/JobQueue";
import { RunFeed } from "@winnow/core/ports/RunFeed";
import { sampleEvent } from "@winnow/testing/suites/RunFeedSuite";
import { uniqueId } from "@winnow/testing/samples/samples";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Queue from "effect/Queue";
import * as PgJobQueue from "../../../src/database/queue/PgJobQueue.ts";
import { AccountTransactions } from "../../../src/database/store/AccountTransactions.ts";
import { DatabaseChannel } from "../../../src/database/store/DatabaseChannel.ts";
import * as PgConnection from "../../../src/database/store/PgConnection.ts";
import * as PgRunFeed from "../../../src/database/store/PgRunFeed.ts";
import { TestPostgres } from "./TestPostgres.ts";

/** A process with a queue and a feed, and a record of all notifications of its database. */
const eavesdropped = Effect.gen(function* () {
  const { migratedDatabase } = yield* TestPostgres;
  const { url } = yield* migratedDatabase;
  const context = yield* Layer.build(
    Layer.merge(PgRunFeed.layer, PgJobQueue.layer()).pipe(Layer.provideMerge(PgConnection.layer({ url })))
  );
  const use = Effect.provideContext(context);
  const pg = yield* use(PgClient.PgClient);
  const heard = yield* pg.listen("winnow_runs");
  const next = Effect.map(
    Queue.take(heard),
    ({ payload }): unknown => (JSON.parse(payload) as { topic: string }).topic
  );
  return { use, pg, next };
});

withLayer(TestPostgres.layer, { excludeTestServices: true })("DatabaseChannel", (it) => {
  it.effect("a listener hears other processes, and not its own", () =>
    Effect.gen(function* () {
      const { use, pg, next } = yield* eavesdropped;
      const { listen, send } = yield* use(DatabaseChannel);
      const heard = yield* Queue.unbounded<string>();
      yield* listen("topic", (message) => Effect.asVoid(Queue.offer(heard, message)));
      yield* send("topic", "own");
      assert.strictEqual(yield* next, "topic");
      const other = JSON.stringify({ from: "another", topic: "topic", message: "of another" });
      yield* pg`select pg_notify('winnow_runs', ${other})`;
      assert.strictEqual(yield* Queue.take(heard), "of another");
    })
  );

  it.effect("announces a job after its commit, and none that is rolled back", () =>
    Effect.gen(function* () {
      const { use, next } = yield* eavesdropped;
      const transactions = yield* use(AccountTransactions);
      const { enqueue } = yield* use(JobQueue);
      const { publish } = yield* use(RunFeed);
      const job = () => ({ accountId: "acc", extractionId: uniqueId("ext"), traceparent: null });
      yield* Effect.flip(transactions.run("acc", Effect.andThen(enqueue(job()), Effect.fail("refused"))));
      yield* publish("ext_1", sampleEvent(1));
      assert.strictEqual(yield* next, "feed");
      const twice = Effect.andThen(enqueue(job()), enqueue(job()));
      yield* transactions.run("acc", Effect.andThen(twice, publish("ext_1", sampleEvent(2))));
      assert.strictEqual(yield* next, "feed");
      assert.strictEqual(yield* next, "jobs");
      yield* publish("ext_1", sampleEvent(3));
      assert.strictEqual(yield* next, "feed");
    })
  );

  it.effect("announces a job if the workers of this process have no room for it", () =>
    Effect.gen(function* () {
      const { use, next } = yield* eavesdropped;
      const { enqueue, work } = yield* use(JobQueue);
      const { publish } = yield* use(RunFeed);
      const job = () => ({ accountId: "acc", extractionId: uniqueId("ext"), traceparent: null });
      const taken = yield* Deferred.make<void>();
      yield* work(1, () => Effect.andThen(Deferred.succeed(taken, undefined), Effect.never));
      yield* enqueue(job());
      yield* Deferred.await(taken);
      yield* publish("ext_1", sampleEvent(1));
      // The worker may have claimed the first job before it was announced, which then was too.
      yield* Effect.repeat(next, { until: (topic) => topic === "feed" });
      yield* enqueue(job());
      assert.strictEqual(yield* next, "jobs");
    })
  );
});
