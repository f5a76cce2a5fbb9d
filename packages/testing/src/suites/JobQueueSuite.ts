/**
 * What every implementation of JobQueue promises.
 *
 * Runs in real time against a queue that no one else works on. Tests wait on what happens, within a
 * limit that covers a lease, and pass over jobs that are not their own. Run by MemoryJobQueue.test.ts, PgJobQueue.test.ts.
 */
import { assert, layer as withLayer } from "@effect/vitest";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import type * as Layer from "effect/Layer";
import * as Schedule from "effect/Schedule";
import type { RunJob } from "@winnow/core/domain/run/Decision";
import { JobQueue } from "@winnow/core/ports/JobQueue";
import { uniqueId } from "../samples/samples.ts";

/** Maximum wait for a job: a dead worker is detected within 60 s, plus a margin for a slow machine. */
const WAIT_MS = 90_000;
const TEST_MS = 2 * WAIT_MS;
const POLL_MS = 20;

const newJob = (): RunJob => ({
  accountId: uniqueId("acc"),
  extractionId: uniqueId("ext"),
  traceparent: null
});

const enqueue = (job: RunJob) => JobQueue.use((queue) => queue.enqueue(job));

const within = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.timeoutOrElse(effect, {
    duration: WAIT_MS,
    orElse: () => Effect.die(new Error(`Nothing happened within ${WAIT_MS} ms`))
  });

/** A handler that immediately completes jobs left over by another test. */
const only =
  <R>(jobs: ReadonlyArray<RunJob>, handler: (job: RunJob) => Effect.Effect<unknown, unknown, R>) =>
  (received: RunJob): Effect.Effect<void, unknown, R> =>
    jobs.some((job) => job.extractionId === received.extractionId)
      ? Effect.asVoid(handler(received))
      : Effect.void;

/** Runs jobs until none is waiting or active. */
const drain = Effect.gen(function* () {
  const queue = yield* JobQueue;
  yield* queue.work(4, () => Effect.void);
  const isIdle = Effect.map(queue.depth, ({ waiting, active }) => waiting + active === 0);
  yield* within(Effect.repeat(isIdle, { until: (idle) => idle, schedule: Schedule.spaced(POLL_MS) }));
}).pipe(Effect.scoped);

/** Starts of jobs, and the tests that await them. */
const makeSightings = () => {
  const seen: Array<string> = [];
  const waiters = new Set<() => void>();
  const countOf = (job: RunJob): number => seen.filter((id) => id === job.extractionId).length;
  const awaitUntil = (reached: () => boolean) =>
    within(
      Effect.callback<void>((resume) => {
        const wake = () => {
          if (!reached()) return;
          waiters.delete(wake);
          resume(Effect.void);
        };
        waiters.add(wake);
        wake();
      })
    );
  return {
    countOf,
    record: (job: RunJob) =>
      Effect.sync(() => {
        seen.push(job.extractionId);
        for (const wake of waiters) wake();
      }),
    awaitAny: awaitUntil(() => seen.length > 0),
    /** Waits until the job has been delivered `times` in total. */
    awaitJob: (job: RunJob, times = 1) => awaitUntil(() => countOf(job) >= times)
  };
};

/** What a queue of somebody else's may not be able to promise. */
export type Clause = "accounts take turns";

/** `unpromised`: clauses whose tests are skipped, by name. */
export const suite = <E>(
  name: string,
  layer: Layer.Layer<JobQueue, E>,
  unpromised: ReadonlyArray<Clause> = []
): void =>
  withLayer(layer, { excludeTestServices: true })(`JobQueue: ${name}`, (it) => {
    it.effect(
      "a job reaches a worker that starts before or after it is enqueued",
      () =>
        Effect.gen(function* () {
          const queue = yield* JobQueue;
          const sightings = makeSightings();
          const [before, after] = [newJob(), newJob()];
          yield* enqueue(before);
          yield* queue.work(1, sightings.record);
          yield* sightings.awaitJob(before);
          yield* enqueue(after);
          yield* sightings.awaitJob(after);
        }),
      TEST_MS
    );

    it.effect(
      "the handler gets the job unchanged",
      () =>
        Effect.gen(function* () {
          const queue = yield* JobQueue;
          const job = newJob();
          const firstJob = yield* Deferred.make<RunJob>();
          yield* enqueue(job);
          yield* queue.work(
            1,
            only([job], (received) => Deferred.succeed(firstJob, received))
          );
          assert.deepStrictEqual(yield* within(Deferred.await(firstJob)), job);
        }),
      TEST_MS
    );

    it.effect(
      "enqueueing an extraction that is already waiting changes nothing",
      () =>
        Effect.gen(function* () {
          const queue = yield* JobQueue;
          const sightings = makeSightings();
          const [job, last] = [newJob(), newJob()];
          yield* Effect.forEach([job, job, job, last], enqueue);
          yield* queue.work(1, sightings.record);
          yield* sightings.awaitJob(last);
          yield* sightings.awaitJob(job);
          assert.strictEqual(sightings.countOf(job), 1);
        }),
      TEST_MS
    );

    it.effect(
      "an extraction enqueued during its run is delivered again after that run",
      () =>
        Effect.gen(function* () {
          const queue = yield* JobQueue;
          const sightings = makeSightings();
          const [job, marker] = [newJob(), newJob()];
          const finish = yield* Deferred.make<void>();
          yield* enqueue(job);
          const handler = (received: RunJob) =>
            Effect.andThen(
              sightings.record(received),
              received.extractionId === job.extractionId ? Deferred.await(finish) : Effect.void
            );
          yield* queue.work(2, only([job, marker], handler));
          yield* sightings.awaitJob(job);
          yield* enqueue(job);
          yield* enqueue(marker);
          yield* sightings.awaitJob(marker);
          assert.strictEqual(sightings.countOf(job), 1);
          yield* Deferred.succeed(finish, undefined);
          yield* sightings.awaitJob(job, 2);
        }),
      TEST_MS
    );

    it.effect(
      "no more jobs run concurrently than requested",
      () =>
        Effect.gen(function* () {
          const queue = yield* JobQueue;
          const sightings = makeSightings();
          const jobs = Array.from({ length: 6 }, newJob);
          const bothBusy = yield* Deferred.make<void>();
          let busy = 0;
          let most = 0;
          yield* Effect.forEach(jobs, enqueue);
          const handler = Effect.fnUntraced(function* (taken: RunJob) {
            busy += 1;
            most = Math.max(most, busy);
            if (busy === 2) yield* Deferred.succeed(bothBusy, undefined);
            yield* within(Deferred.await(bothBusy));
            yield* sightings.record(taken);
            busy -= 1;
          });
          yield* queue.work(2, only(jobs, handler));
          yield* Effect.forEach(jobs, (job) => sightings.awaitJob(job));
          assert.strictEqual(most, 2);
        }),
      TEST_MS
    );

    it.effect(
      "a job whose handler fails or dies is delivered again",
      () =>
        Effect.gen(function* () {
          const queue = yield* JobQueue;
          const sightings = makeSightings();
          const [failing, dying] = [newJob(), newJob()];
          yield* Effect.forEach([failing, dying], enqueue);
          const handler = Effect.fnUntraced(function* (taken: RunJob) {
            yield* sightings.record(taken);
            if (sightings.countOf(taken) > 1) return;
            if (taken.extractionId === failing.extractionId) yield* Effect.fail("refused");
            yield* Effect.die(new Error("broken"));
          });
          yield* queue.work(2, only([failing, dying], handler));
          yield* sightings.awaitJob(failing, 2);
          yield* sightings.awaitJob(dying, 2);
        }),
      TEST_MS
    );

    it.effect(
      "closing the scope interrupts the handler, awaits its finalizer and releases the job",
      () =>
        Effect.gen(function* () {
          const queue = yield* JobQueue;
          const sightings = makeSightings();
          const [job, next] = [newJob(), newJob()];
          let finalized = false;
          yield* enqueue(job);
          yield* Effect.scoped(
            Effect.gen(function* () {
              const handler = (received: RunJob) =>
                sightings.record(received).pipe(
                  Effect.andThen(Effect.never),
                  Effect.onInterrupt(() =>
                    Effect.sync(() => {
                      finalized = true;
                    })
                  )
                );
              yield* queue.work(1, only([job, next], handler));
              yield* sightings.awaitJob(job);
              yield* enqueue(next);
            })
          );
          assert.isTrue(finalized, "the finalizer had not run when the scope was closed");
          assert.strictEqual(sightings.countOf(next), 0, "a job was started while stopping");
          yield* queue.work(2, sightings.record);
          yield* sightings.awaitJob(next);
          yield* sightings.awaitJob(job, 2);
        }),
      TEST_MS
    );

    it.effect(
      "a job is delivered with the trace it was enqueued with, if any",
      () =>
        Effect.gen(function* () {
          const queue = yield* JobQueue;
          const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
          const traced: RunJob = { ...newJob(), traceparent };
          const untraced = newJob();
          const arrived: Array<RunJob> = [];
          const sightings = makeSightings();
          yield* queue.work(
            2,
            only([traced, untraced], (job) =>
              Effect.andThen(
                Effect.sync(() => arrived.push(job)),
                sightings.record(job)
              )
            )
          );
          yield* Effect.forEach([traced, untraced], enqueue);
          yield* Effect.forEach([traced, untraced], (job) => sightings.awaitJob(job));
          assert.sameDeepMembers(arrived, [traced, untraced]);
        }),
      TEST_MS
    );

    it.effect.skipIf(unpromised.includes("accounts take turns"))(
      "accounts take turns: many waiting jobs of one account do not delay the single job of another",
      () =>
        Effect.gen(function* () {
          const queue = yield* JobQueue;
          const sightings = makeSightings();
          const order: Array<string> = [];
          yield* drain;
          const busy = newJob();
          const many = [
            busy,
            ...Array.from({ length: 40 }, () => ({ ...newJob(), accountId: busy.accountId }))
          ];
          const single = Array.from({ length: 10 }, newJob);
          const begin = yield* Deferred.make<void>();
          yield* Effect.forEach(many, enqueue, { discard: true });
          yield* queue.work(1, (job) =>
            Effect.sync(() => order.push(job.accountId)).pipe(
              Effect.andThen(sightings.record(job)),
              Effect.andThen(Deferred.await(begin))
            )
          );
          yield* sightings.awaitJob(busy);
          yield* Effect.forEach(single, enqueue, { discard: true });
          yield* Deferred.succeed(begin, undefined);
          yield* Effect.forEach([...many, ...single], (job) => sightings.awaitJob(job), { discard: true });
          // The one that had started, then one of every other account, then the rest.
          const expected = [busy, ...single].map(({ accountId }) => accountId);
          assert.sameMembers(order.slice(0, expected.length), expected);
        }),
      TEST_MS
    );

    it.effect(
      "jobs of one account start in the order they were enqueued",
      () =>
        Effect.gen(function* () {
          const queue = yield* JobQueue;
          const sightings = makeSightings();
          const first = newJob();
          const jobs = [
            first,
            ...Array.from({ length: 5 }, () => ({ ...newJob(), accountId: first.accountId }))
          ];
          const order: Array<string> = [];
          yield* Effect.forEach(jobs, enqueue, { discard: true });
          yield* queue.work(
            1,
            only(jobs, (job) =>
              Effect.andThen(
                Effect.sync(() => order.push(job.extractionId)),
                sightings.record(job)
              )
            )
          );
          yield* Effect.forEach(jobs, (job) => sightings.awaitJob(job), { discard: true });
          assert.deepStrictEqual(
            order,
            jobs.map(({ extractionId }) => extractionId)
          );
        }),
      TEST_MS
    );

    it.effect(
      "depth counts waiting and active jobs",
      () =>
        Effect.gen(function* () {
          const queue = yield* JobQueue;
          const sightings = makeSightings();
          const jobs = Array.from({ length: 3 }, newJob);
          const finish = yield* Deferred.make<void>();
          yield* drain;
          assert.deepInclude(yield* queue.depth, { waiting: 0, active: 0, oldestWaitingSeconds: 0 });
          yield* Effect.forEach(jobs, enqueue);
          const { oldestWaitingSeconds: ageSeconds, ...depth } = yield* queue.depth;
          assert.deepInclude(depth, { waiting: 3, active: 0 });
          const grown = Effect.map(queue.depth, (later) => later.oldestWaitingSeconds > ageSeconds);
          yield* within(Effect.repeat(grown, { until: (yes) => yes, schedule: Schedule.spaced(POLL_MS) }));
          assert.isBelow((yield* queue.depth).oldestWaitingSeconds, WAIT_MS / 1_000);
          yield* queue.work(1, (received) =>
            Effect.andThen(sightings.record(received), Deferred.await(finish))
          );
          yield* sightings.awaitAny;
          assert.deepInclude(yield* queue.depth, { waiting: 2, active: 1 });
          yield* Deferred.succeed(finish, undefined);
          yield* Effect.forEach(jobs, (job) => sightings.awaitJob(job));
        }),
      TEST_MS
    );
  });
