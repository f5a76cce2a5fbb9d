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
  /** Registers a listener that looks like another process. */
  const listenTo = (topic: string) =>
    pg`insert into winnow.listener (process, topic, until) values ('other', ${topic}, now() + interval '1 h')`;
  const next = Effect.map(
    Queue.take(heard),
    ({ payload }): unknown => (JSON.parse(payload) as { topic: string }).topic
  );
  return { use, listenTo, next };
});

withLayer(TestPostgres.layer, { excludeTestServices: true })("DatabaseChannel", (it) => {
  it.effect("sends nothing without a listener in another process", () =>
    Effect.gen(function* () {
      const { use, listenTo, next } = yield* eavesdropped;
      const { publish, watch } = yield* use(RunFeed);
      const id = uniqueId("ext");
      yield* publish(id, sampleEvent(1));
      yield* watch(id);
      yield* publish(id, sampleEvent(2));
      yield* use(JobQueue.use((queue) => queue.enqueue({ accountId: "acc", extractionId: id })));
      yield* listenTo("jobs");
      yield* publish(id, sampleEvent(3));
      yield* use(JobQueue.use((queue) => queue.enqueue({ accountId: "acc", extractionId: uniqueId("ext") })));
      assert.strictEqual(yield* next, "jobs");
    })
  );

  it.effect("announces a job after its commit, and none that is rolled back", () =>
    Effect.gen(function* () {
      const { use, listenTo, next } = yield* eavesdropped;
      const transactions = yield* use(AccountTransactions);
      const { enqueue } = yield* use(JobQueue);
      const { publish } = yield* use(RunFeed);
      yield* listenTo("jobs");
      yield* listenTo("feed");
      const job = () => ({ accountId: "acc", extractionId: uniqueId("ext") });
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
      const { use, listenTo, next } = yield* eavesdropped;
      const { enqueue, work } = yield* use(JobQueue);
      const { publish } = yield* use(RunFeed);
      yield* listenTo("jobs");
      yield* listenTo("feed");
      const job = () => ({ accountId: "acc", extractionId: uniqueId("ext") });
      const taken = yield* Deferred.make<void>();
      yield* work(1, () => Effect.andThen(Deferred.succeed(taken, undefined), Effect.never));
      yield* enqueue(job());
      yield* Deferred.await(taken);
      yield* publish("ext_1", sampleEvent(1));
      assert.strictEqual(yield* next, "feed");
      yield* enqueue(job());
      assert.strictEqual(yield* next, "jobs");
    })
  );
});
