// @module-tag long
/** PgBossQueue.ts keeps the promises of its port but for one, and its jobs commit with the debits that they are for. */
import { rm } from "node:fs/promises";
import type { RunJob } from "@winnow/core/domain/run/Decision";
import { JobQueue } from "@winnow/core/ports/JobQueue";
import { createWinnow, type WinnowOptions } from "@winnow/server";
import { FakeDownloader, sampleFacts } from "@winnow/testing";
import { JobQueueSuite } from "@winnow/testing/suites";
import { uniqueId } from "@winnow/testing/samples/samples";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Schedule from "effect/Schedule";
import type * as Scope from "effect/Scope";
import { PgBoss } from "pg-boss";
import { assert, it, onTestFinished, vi } from "vitest";
import * as PgBossQueue from "../queue-pg-boss/PgBossQueue.ts";
import { newFolder } from "./newFolder.ts";
import { newDatabaseUrl } from "./SharedServer.ts";
import { TIMEOUTS } from "./Stage.ts";

vi.setConfig(TIMEOUTS);

const TALK = "https://video.example/watch/talk";

/** A new database, and the queue in it. */
const newQueue = async () => {
  const databaseUrl = (await newDatabaseUrl()) ?? assert.fail("there is no database");
  return { databaseUrl, queue: PgBossQueue.layer({ connectionString: databaseUrl }) };
};

JobQueueSuite.suite("pg-boss", Layer.unwrap(Effect.map(Effect.promise(newQueue), ({ queue }) => queue)), [
  "accounts take turns"
]);

/** A server with these options, which fetches {@link TALK}, and the client of an account. */
const start = async ({ queue, ...options }: WinnowOptions & { readonly queue: Layer.Layer<JobQueue> }) => {
  const dataDir = await newFolder("pg-boss");
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const downloader = FakeDownloader.layer({ [TALK]: { facts: sampleFacts() } });
  const winnow = await createWinnow({ ...options, dataDir, layers: [downloader, queue] });
  onTestFinished(winnow.close);
  const { id } = await winnow.admin.accounts.create({ name: "Me" });
  await winnow.admin.topUps.create(id, { credits: 1_000 });
  return winnow.client(id);
};

it("a server completes a run that pg-boss delivered", async () => {
  const client = await start(await newQueue());
  assert.strictEqual((await client.extract({ url: TALK })).status, "complete");
});

it("a submit that fails once its job was enqueued leaves neither the job nor a debit", async () => {
  const { databaseUrl, queue } = await newQueue();
  const failing = Layer.effect(
    JobQueue,
    Effect.map(JobQueue, (inner) => ({
      ...inner,
      enqueue: (job: Parameters<typeof inner.enqueue>[0]) =>
        Effect.andThen(inner.enqueue(job), Effect.die(new Error("broken")))
    }))
  ).pipe(Layer.provide(queue));
  const client = await start({ databaseUrl, role: "api", queue: failing });
  const { balance } = await client.account();
  await client.submit({ url: TALK }).then(
    () => assert.fail("it was accepted"),
    () => undefined
  );
  assert.strictEqual((await client.account()).balance, balance);
  const depth = JobQueue.use((jobs) => jobs.depth);
  assert.deepInclude(await Effect.runPromise(Effect.provide(depth, queue)), { waiting: 0, active: 0 });
});

const newJob = (accountId: string): RunJob => ({
  accountId,
  extractionId: uniqueId("ext"),
  traceparent: null
});

/** On a queue of its own. */
const onQueue = async <A>(
  use: (jobs: JobQueue["Service"], databaseUrl: string) => Effect.Effect<A, never, Scope.Scope>,
  options: Partial<PgBossQueue.PgBossQueueOptions> = {}
): Promise<A> => {
  const { databaseUrl } = await newQueue();
  const queue = PgBossQueue.layer({ ...options, connectionString: databaseUrl });
  const used = JobQueue.use((jobs) => Effect.scoped(use(jobs, databaseUrl)));
  return Effect.runPromise(Effect.provide(used, queue));
};

it("a job that was enqueued again while it failed is delivered once more, not twice", () =>
  onQueue(
    Effect.fnUntraced(function* (jobs) {
      let count = 0;
      yield* jobs.enqueue(newJob("acc_1"));
      yield* jobs.work(2, (job) =>
        Effect.suspend(() => {
          count += 1;
          return count > 1 ? Effect.void : Effect.andThen(jobs.enqueue(job), Effect.fail("refused"));
        })
      );
      const isIdle = Effect.map(jobs.depth, ({ waiting, active }) => waiting + active === 0);
      yield* Effect.repeat(isIdle, { until: (idle) => idle, schedule: Schedule.spaced("50 millis") });
      assert.strictEqual(count, 2);
    })
  ));

it("no more jobs of one account than jobsPerAccountMax are processed at once", () =>
  onQueue(
    Effect.fnUntraced(function* (jobs) {
      const [first, second, other] = [newJob("acc_1"), newJob("acc_1"), newJob("acc_2")];
      const order: Array<RunJob> = [];
      const [started, passed, end, ended] = [
        yield* Deferred.make<void>(),
        yield* Deferred.make<void>(),
        yield* Deferred.make<void>(),
        yield* Deferred.make<void>()
      ];
      const steps = new Map([
        [first.extractionId, Effect.andThen(Deferred.succeed(started, undefined), Deferred.await(end))],
        [other.extractionId, Effect.asVoid(Deferred.succeed(passed, undefined))],
        [second.extractionId, Effect.asVoid(Deferred.succeed(ended, undefined))]
      ]);
      yield* jobs.enqueue(first);
      yield* jobs.work(2, (job) =>
        Effect.suspend(() => {
          order.push(job);
          return steps.get(job.extractionId) ?? Effect.void;
        })
      );
      yield* Deferred.await(started);
      yield* jobs.enqueue(second);
      yield* jobs.enqueue(other);
      yield* Deferred.await(passed);
      yield* Deferred.succeed(end, undefined);
      yield* Deferred.await(ended);
      assert.deepStrictEqual(order, [first, other, second]);
    }),
    { jobsPerAccountMax: 1 }
  ));

it("a worker that loses its job stops working on it", () =>
  onQueue(
    Effect.fnUntraced(function* (jobs, databaseUrl) {
      const [started, stopped] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()];
      yield* jobs.enqueue(newJob("acc_1"));
      yield* jobs.work(1, () =>
        Effect.andThen(Deferred.succeed(started, undefined), Effect.never).pipe(
          Effect.onInterrupt(() => Deferred.succeed(stopped, undefined))
        )
      );
      yield* Deferred.await(started);
      yield* Effect.promise(async () => {
        const operator = await new PgBoss(databaseUrl).start();
        const [job] = await operator.findJobs("winnow-runs");
        await operator.cancel("winnow-runs", job?.id ?? assert.fail("there is no job"));
        await operator.stop();
      });
      yield* Deferred.await(stopped);
    })
  ));
