// @module-tag long
/** PgBossQueue.ts keeps the promises of its port but for one, and its jobs commit with the debits that they are for. */
import { rm } from "node:fs/promises";
import { JobQueue } from "@winnow/core/ports/JobQueue";
import { createWinnow, type WinnowOptions } from "@winnow/server";
import { FakeDownloader, sampleFacts } from "@winnow/testing";
import { JobQueueSuite } from "@winnow/testing/suites";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Schedule from "effect/Schedule";
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

it("a job that was enqueued again while it failed is delivered once more, not twice", async () => {
  const { queue } = await newQueue();
  const job = { accountId: "acc_1", extractionId: "ext_1", traceparent: null };
  const deliveries = Effect.gen(function* () {
    const jobs = yield* JobQueue;
    let count = 0;
    yield* jobs.enqueue(job);
    yield* jobs.work(2, (received) =>
      Effect.suspend(() => {
        count += 1;
        return count > 1 ? Effect.void : Effect.andThen(jobs.enqueue(received), Effect.fail("refused"));
      })
    );
    const isIdle = Effect.map(jobs.depth, ({ waiting, active }) => waiting + active === 0);
    yield* Effect.repeat(isIdle, { until: (idle) => idle, schedule: Schedule.spaced("50 millis") });
    return count;
  });
  assert.strictEqual(await Effect.runPromise(Effect.provide(Effect.scoped(deliveries), queue)), 2);
});
