/**
 * A job queue within one process: the reference for what workers may rely on.
 *
 * One extraction is never worked on twice at once: enqueued meanwhile, it is handed out afterwards.
 */
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Latch from "effect/Latch";
import * as Layer from "effect/Layer";
import * as Scope from "effect/Scope";
import type { RunJob } from "../domain/Decision.ts";
import { JobQueue } from "../ports/JobQueue.ts";

/** Wait before a job whose handler failed is handed out again; long enough not to spin on a lasting fault. */
export const RETRY_DELAY_MS = 1_000;

const make = Effect.gen(function* () {
  const queueScope = yield* Effect.scope;
  /** Jobs to hand out by extraction, oldest first. */
  const ready = new Map<string, RunJob>();
  /** Extractions whose job waits for its retry. */
  const delayed = new Set<string>();
  /** Extractions being worked on, and whether they were enqueued again meanwhile. */
  const active = new Map<string, { again: boolean }>();
  /** Open while there are ready jobs. A level, not a signal: a worker interrupted here loses nothing. */
  const someReady = yield* Latch.make(false);

  const enqueue = (job: RunJob): Effect.Effect<void> =>
    Effect.suspend(() => {
      const working = active.get(job.extractionId);
      if (working !== undefined) working.again = true;
      if (working !== undefined || ready.has(job.extractionId) || delayed.has(job.extractionId)) {
        return Effect.void;
      }
      ready.set(job.extractionId, job);
      return someReady.open;
    });

  const enqueueLater = Effect.fnUntraced(function* (job: RunJob) {
    delayed.add(job.extractionId);
    const release = Effect.suspend(() => {
      delayed.delete(job.extractionId);
      return enqueue(job);
    });
    yield* Effect.forkIn(Effect.andThen(Effect.sleep(RETRY_DELAY_MS), release), queueScope);
  });

  const takeUp = (): RunJob | undefined => {
    const [job] = ready.values();
    if (job !== undefined) {
      ready.delete(job.extractionId);
      active.set(job.extractionId, { again: false });
    }
    if (ready.size === 0) someReady.closeUnsafe();
    return job;
  };

  const giveBack = Effect.fnUntraced(function* <E>(job: RunJob, exit: Exit.Exit<void, E>) {
    const again = active.get(job.extractionId)?.again === true;
    active.delete(job.extractionId);
    if (Exit.isSuccess(exit)) return again ? yield* enqueue(job) : undefined;
    if (Exit.hasInterrupts(exit)) return yield* enqueue(job);
    yield* Effect.logWarning("A job failed and will be handed out again", exit.cause);
    yield* enqueueLater(job);
  });

  /** Takes one job up and sees it through; between the two nothing can interrupt. */
  const workOne = <E, R>(
    handler: (job: RunJob) => Effect.Effect<void, E, R>,
    isClosing: () => boolean
  ): Effect.Effect<void, never, R> =>
    Effect.uninterruptibleMask(
      Effect.fnUntraced(function* (restore) {
        yield* restore(someReady.await);
        const job = isClosing() ? undefined : takeUp();
        if (job !== undefined) yield* giveBack(job, yield* Effect.exit(restore(handler(job))));
      })
    );

  const work = Effect.fnUntraced(function* <E, R>(
    concurrency: number,
    handler: (job: RunJob) => Effect.Effect<void, E, R>
  ) {
    const scope = yield* Scope.Scope;
    let closing = false;
    const worker = Effect.whileLoop({
      while: () => !closing,
      body: () => workOne(handler, () => closing),
      step: () => {}
    });
    yield* Effect.forEach(Array.from({ length: concurrency }), () => Effect.forkIn(worker, scope));
    // Added last, so run first: no worker takes up what its neighbour was just interrupted in.
    yield* Scope.addFinalizer(
      scope,
      Effect.sync(() => {
        closing = true;
      })
    );
  });

  return JobQueue.of({
    enqueue,
    work,
    depth: Effect.sync(() => ({ waiting: ready.size + delayed.size, active: active.size }))
  });
});

export const layer: Layer.Layer<JobQueue> = Layer.effect(JobQueue, make);
