// @module-tag long
/** What happens to jobs when transactions roll back and when workers die, stop or renew no lease. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { assert, layer as withLayer } from "@effect/vitest";
import type { RunJob } from "@winnow/core/domain/run/Decision";
import { JobQueue } from "@winnow/core/ports/JobQueue";
import { uniqueId } from "@winnow/testing/samples/samples";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Layer from "effect/Layer";
import * as Redacted from "effect/Redacted";
import * as Schedule from "effect/Schedule";
import * as Scope from "effect/Scope";
import * as SqlClient from "effect/sql/SqlClient";
import * as PgJobQueue from "../../../src/database/queue/PgJobQueue.ts";
import { POLL_INTERVAL_MS } from "../../../src/database/queue/Work.ts";
import * as PgConnection from "../../../src/database/store/PgConnection.ts";
import { TestPostgres } from "../store/TestPostgres.ts";

/** The margin is for a slow machine. */
const TAKE_OVER_MS = 45_000;
/** Maximum time until a released job is delivered: a poll, plus a margin for a busy machine. */
const AT_ONCE_MS = 30_000;
const TEST_MS = 2 * TAKE_OVER_MS;

/** Far longer than `AT_ONCE_MS`, so that a job delivered within it was not taken over because its lease ran out. */
const PATIENT = { leaseSeconds: 3_600 };

const newJob = (): RunJob => ({
  accountId: uniqueId("acc"),
  extractionId: uniqueId("ext"),
  traceparent: null
});

const within = <A, E, R>(limitMs: number, effect: Effect.Effect<A, E, R>) =>
  Effect.timeoutOrElse(effect, {
    duration: limitMs,
    orElse: () => Effect.die(new Error(`Nothing happened within ${limitMs} ms`))
  });

/** Queue and connections on their own database, without jobs of other tests. */
const queueWith =
  (options: PgJobQueue.JobQueueOptions) =>
  <A, E, R>(use: (url: Redacted.Redacted) => Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      const { url } = yield* Effect.flatMap(TestPostgres, (server) => server.migratedDatabase);
      const layer = Layer.provideMerge(PgJobQueue.layer(options), PgConnection.layer({ url }));
      return yield* Effect.provide(Effect.scoped(use(url)), layer);
    });

const onNewDatabase = queueWith(PATIENT);

/** The least a worker needs to renew it on a busy machine. */
const SHORT = { leaseSeconds: 3 };

/** For tests of leases. */
const withLeases = queueWith(SHORT);

/** A worker in its own scope, which the test can close early. */
const startWorker = Effect.fnUntraced(function* (handler: (job: RunJob) => Effect.Effect<void>) {
  const queue = yield* JobQueue;
  const scope = yield* Scope.fork(yield* Scope.Scope);
  yield* Scope.provide(queue.work(1, handler), scope);
  return Scope.close(scope, Exit.void);
});

/** Resolves with the job once it is delivered. */
const awaitJob = Effect.gen(function* () {
  const taken = yield* Deferred.make<RunJob>();
  return {
    take: (job: RunJob) => Effect.asVoid(Deferred.succeed(taken, job)),
    taken: (limitMs = AT_ONCE_MS) => within(limitMs, Deferred.await(taken))
  };
});

const becomesIdle = Effect.repeat(
  JobQueue.use((queue) => queue.depth),
  { until: ({ waiting, active }) => waiting + active === 0, schedule: Schedule.spaced("10 millis") }
);

withLayer(TestPostgres.layer, { excludeTestServices: true })("PgJobQueue", (it) => {
  it.effect("a job of a transaction that rolls back is never there", () =>
    onNewDatabase(() =>
      Effect.gen(function* () {
        const queue = yield* JobQueue;
        const sql = yield* SqlClient.SqlClient;
        const enqueueAndFail = Effect.andThen(queue.enqueue(newJob()), Effect.fail("refused"));
        yield* Effect.flip(sql.withTransaction(enqueueAndFail));
        assert.deepInclude(yield* queue.depth, { waiting: 0, active: 0 });
      })
    )
  );

  it.effect("a job of a transaction is handed out after its commit, not before", () =>
    onNewDatabase(() =>
      Effect.gen(function* () {
        const queue = yield* JobQueue;
        const sql = yield* SqlClient.SqlClient;
        const { take, taken } = yield* awaitJob;
        const [inside, marker] = [newJob(), newJob()];
        const order: Array<string> = [];
        const sawMarker = yield* Deferred.make<void>();
        yield* queue.work(1, (job) =>
          Effect.gen(function* () {
            order.push(job.extractionId);
            yield* job.extractionId === marker.extractionId
              ? Deferred.succeed(sawMarker, undefined)
              : take(job);
          })
        );
        const enqueueBoth = Effect.gen(function* () {
          yield* queue.enqueue(inside);
          // Enqueued later, on another connection, but delivered first.
          yield* Effect.promise(() => Effect.runPromise(queue.enqueue(marker)));
          yield* within(AT_ONCE_MS, Deferred.await(sawMarker));
        });
        yield* sql.withTransaction(enqueueBoth);
        assert.deepStrictEqual(yield* taken(), inside);
        assert.deepStrictEqual(order, [marker.extractionId, inside.extractionId]);
      })
    )
  );

  it.effect("an extraction is never executed twice at once, however often it is enqueued", () =>
    onNewDatabase(() =>
      Effect.gen(function* () {
        const queue = yield* JobQueue;
        const job = newJob();
        const other = newJob();
        let atOnce = 0;
        let runs = 0;
        const overlaps: Array<number> = [];
        const first = yield* Deferred.make<void>();
        const sawOther = yield* Deferred.make<void>();
        const second = yield* Deferred.make<void>();
        yield* queue.enqueue(job);
        yield* queue.work(3, (taken) =>
          Effect.gen(function* () {
            if (taken.extractionId === other.extractionId) {
              return yield* Effect.asVoid(Deferred.succeed(sawOther, undefined));
            }
            atOnce += 1;
            runs += 1;
            overlaps.push(atOnce);
            if (runs === 1) {
              yield* Deferred.succeed(first, undefined);
              yield* Deferred.await(sawOther);
            } else yield* Deferred.succeed(second, undefined);
            atOnce -= 1;
          })
        );
        yield* within(AT_ONCE_MS, Deferred.await(first));
        yield* Effect.forEach([job, job, job], queue.enqueue, { concurrency: 3 });
        assert.deepInclude(yield* queue.depth, { waiting: 0, active: 1 });
        yield* queue.enqueue(other);
        yield* within(AT_ONCE_MS, Deferred.await(second));
        yield* within(AT_ONCE_MS, becomesIdle);
        assert.deepStrictEqual(overlaps, [1, 1]);
      })
    )
  );

  it.effect(
    "a stopping worker's job, requeued by its finalizer, goes to another worker at once and once",
    () =>
      onNewDatabase(() =>
        Effect.gen(function* () {
          const queue = yield* JobQueue;
          const sql = yield* SqlClient.SqlClient;
          const job = newJob();
          const stopping = yield* awaitJob;
          const next = yield* awaitJob;
          let runs = 0;
          yield* queue.enqueue(job);
          const stop = yield* startWorker((taken) =>
            Effect.andThen(stopping.take(taken), Effect.never).pipe(
              Effect.onInterrupt(() => Effect.orDie(sql.withTransaction(queue.enqueue(taken))))
            )
          );
          yield* stopping.taken();
          yield* startWorker((taken) =>
            Effect.suspend(() => {
              runs += 1;
              return next.take(taken);
            })
          );
          yield* within(AT_ONCE_MS, stop);
          assert.deepStrictEqual(yield* next.taken(), job);
          yield* within(AT_ONCE_MS, becomesIdle);
          assert.strictEqual(runs, 1);
        })
      )
  );

  it.effect(
    "a worker that lost its job is interrupted, and cannot end the job of the next one",
    () =>
      withLeases(() =>
        Effect.gen(function* () {
          const queue = yield* JobQueue;
          const sql = yield* SqlClient.SqlClient;
          const job = newJob();
          const [silent, next] = [yield* awaitJob, yield* awaitJob];
          const interrupted = yield* Deferred.make<void>();
          const finish = yield* Deferred.make<void>();
          yield* queue.enqueue(job);
          yield* startWorker((taken) =>
            Effect.andThen(silent.take(taken), Effect.never).pipe(
              Effect.onInterrupt(() => Deferred.succeed(interrupted, undefined))
            )
          );
          yield* silent.taken();
          // As if it had been silent for too long.
          yield* sql`update winnow.job set claim = null, lease_until = null`;
          yield* startWorker((taken) => Effect.andThen(next.take(taken), Deferred.await(finish)));
          assert.deepStrictEqual(yield* next.taken(), job);
          yield* within(TAKE_OVER_MS, Deferred.await(interrupted));
          assert.deepInclude(yield* queue.depth, { waiting: 0, active: 1 });
          yield* Deferred.succeed(finish, undefined);
          yield* within(AT_ONCE_MS, becomesIdle);
        })
      ),
    TEST_MS
  );

  it("a dead worker is noticed within 60 s, even if the next one dies too", () => {
    assert.isBelow(2 * (PgJobQueue.LEASE_SECONDS_DEFAULT + POLL_INTERVAL_MS / 1_000), 60);
  });

  it.effect(
    "the job of a killed process is handed out again after its lease",
    () =>
      withLeases((url) =>
        Effect.gen(function* () {
          const queue = yield* JobQueue;
          const job = newJob();
          yield* queue.enqueue(job);
          const child = spawn(process.execPath, [fileURLToPath(new URL("deadWorker.ts", import.meta.url))], {
            env: {
              ...process.env,
              TEST_DATABASE_URL: Redacted.value(url),
              TEST_LEASE_SECONDS: String(SHORT.leaseSeconds)
            },
            stdio: ["ignore", "pipe", "inherit"]
          });
          yield* Effect.addFinalizer(() => Effect.sync(() => child.kill("SIGKILL")));
          const [firstLine] = yield* Effect.promise(() => once(createInterface(child.stdout), "line"));
          assert.strictEqual(firstLine, `took ${job.extractionId}`);
          child.kill("SIGKILL");
          const { take, taken } = yield* awaitJob;
          yield* queue.work(2, take);
          assert.deepStrictEqual(yield* taken(TAKE_OVER_MS), job);
        })
      ),
    TEST_MS
  );
});
