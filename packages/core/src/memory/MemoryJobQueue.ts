/**
 * A job queue within one process: the reference implementation.
 *
 * An extraction never has two concurrent runs: if it is enqueued during a run, it is delivered afterwards.
 */
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Latch from "effect/Latch";
import * as Layer from "effect/Layer";
import * as Scope from "effect/Scope";
import type { RunJob } from "../domain/run/Decision.ts";
import { makeFairQueue } from "../domain/run/FairQueue.ts";
import { JobQueue } from "../ports/JobQueue.ts";

/** Delay before a job whose handler failed is delivered again; long enough not to spin on a permanent fault. */
const RETRY_DELAY_MS = 1_000;

/** The jobs, their states and transitions. */
const makeJobs = Effect.gen(function* () {
  const queueScope = yield* Effect.scope;
  /** Jobs to deliver, by extraction. */
  const ready = new Map<string, RunJob>();
  /** Their extractions, by account. */
  const line = makeFairQueue<string>();
  /** Extractions whose job is waiting for its retry. */
  const delayed = new Set<string>();
  /** When the jobs of both were enqueued. */
  const waitingSinceMs = new Map<string, number>();
  /** Running extractions, and whether they were enqueued again meanwhile. */
  const active = new Map<string, { again: boolean }>();
  /** Open while there are ready jobs. A level, not a signal: a worker interrupted here loses nothing. */
  const someReady = yield* Latch.make(false);

  const enqueue = (job: RunJob): Effect.Effect<void> =>
    Effect.flatMap(Clock.currentTimeMillis, (nowMs) => {
      const working = active.get(job.extractionId);
      if (working !== undefined) working.again = true;
      if (working !== undefined || ready.has(job.extractionId) || delayed.has(job.extractionId)) {
        return Effect.void;
      }
      ready.set(job.extractionId, job);
      line.enqueue(job.accountId, job.extractionId);
      if (!waitingSinceMs.has(job.extractionId)) waitingSinceMs.set(job.extractionId, nowMs);
      return someReady.open;
    });

  const enqueueLater = Effect.fnUntraced(function* (job: RunJob) {
    delayed.add(job.extractionId);
    waitingSinceMs.set(job.extractionId, yield* Clock.currentTimeMillis);
    const release = Effect.suspend(() => {
      delayed.delete(job.extractionId);
      return enqueue(job);
    });
    yield* Effect.forkIn(Effect.andThen(Effect.sleep(RETRY_DELAY_MS), release), queueScope);
  });

  const takeNext = (): RunJob | undefined => {
    const job = ready.get(line.dequeue()?.item ?? "");
    if (job !== undefined) {
      ready.delete(job.extractionId);
      waitingSinceMs.delete(job.extractionId);
      active.set(job.extractionId, { again: false });
    }
    if (ready.size === 0) someReady.closeUnsafe();
    return job;
  };

  const finish = Effect.fnUntraced(function* <E>(job: RunJob, exit: Exit.Exit<void, E>) {
    const again = active.get(job.extractionId)?.again === true;
    active.delete(job.extractionId);
    line.release(job.accountId);
    if (Exit.isSuccess(exit)) return again ? yield* enqueue(job) : undefined;
    if (Exit.hasInterrupts(exit)) return yield* enqueue(job);
    yield* Effect.logWarning("A job failed and will be retried", exit.cause);
    yield* enqueueLater(job);
  });

  const depth = Effect.map(Clock.currentTimeMillis, (nowMs) => {
    const oldestMs = [...waitingSinceMs.values()].reduce((least, sinceMs) => Math.min(least, sinceMs), nowMs);
    const oldestWaitingSeconds = (nowMs - oldestMs) / 1_000;
    return { waiting: ready.size + delayed.size, active: active.size, oldestWaitingSeconds };
  });

  return { enqueue, takeNext, finish, awaitReady: someReady.await, depth };
});

type Jobs = Effect.Success<typeof makeJobs>;
type Handler<E, R> = (job: RunJob) => Effect.Effect<void, E, R>;

/** Takes one job and runs it, without an interruption point in between. */
const workOne = <E, R>(
  jobs: Jobs,
  handler: Handler<E, R>,
  isClosing: () => boolean
): Effect.Effect<void, never, R> =>
  Effect.uninterruptibleMask(
    Effect.fnUntraced(function* (restore) {
      yield* restore(jobs.awaitReady);
      const job = isClosing() ? undefined : jobs.takeNext();
      if (job !== undefined) yield* jobs.finish(job, yield* Effect.exit(restore(handler(job))));
    })
  );

const work = Effect.fnUntraced(function* <E, R>(jobs: Jobs, concurrency: number, handler: Handler<E, R>) {
  const scope = yield* Scope.Scope;
  let closing = false;
  const worker = Effect.whileLoop({
    while: () => !closing,
    body: () => workOne(jobs, handler, () => closing),
    step: () => {}
  });
  yield* Effect.forEach(Array.from({ length: concurrency }), () => Effect.forkIn(worker, scope));
  // Added last, so it runs first: no worker takes the job that another one was just interrupted in.
  yield* Scope.addFinalizer(
    scope,
    Effect.sync(() => {
      closing = true;
    })
  );
});

export const layer: Layer.Layer<JobQueue> = Layer.effect(
  JobQueue,
  Effect.map(makeJobs, (jobs) =>
    JobQueue.of({
      enqueue: jobs.enqueue,
      work: (concurrency, handler) => work(jobs, concurrency, handler),
      depth: jobs.depth
    })
  )
);
