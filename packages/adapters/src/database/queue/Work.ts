/** A worker: claims jobs while it has room, executes them and renews their leases. Tests: PgJobQueue.test.ts, TakeOver.test.ts. */
import type { RunJob } from "@winnow/core/domain/run/Decision";
import * as Cause from "effect/Cause";
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Fiber from "effect/Fiber";
import * as Latch from "effect/Latch";
import type { ClaimedJob, JobTable } from "./JobTable.ts";
import { afterResponse, canTakeOver, NO_CONTACT, type Contact } from "./Outage.ts";

/** How often a worker with room looks for jobs: those without a message, and those of dead workers. */
export const POLL_INTERVAL_MS = 5_000;

/** After an outage of the database too: then, every lease must be renewed within RECOVERY_SECONDS. */
export const RENEWALS_PER_LEASE = 6;

/** Delay before a job whose handler failed is delivered again; long enough not to spin on a permanent fault. */
const RETRY_DELAY_SECONDS = 1;

export interface Worker {
  readonly hasRoom: () => boolean;
  /** There may be a job. */
  readonly wake: () => void;
}

export interface WorkServices {
  readonly jobs: JobTable;
  /** The workers of this process. */
  readonly workers: Set<Worker>;
  /** Wakes a worker, after a job was released. */
  readonly announce: Effect.Effect<void>;
  readonly leaseSeconds: number;
}

/** Of consecutive failures, reports the first; null if it failed. */
const makeTolerant = (message: string) => {
  let isFailing = false;
  return <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A | null, never, R> =>
    Effect.exit(effect).pipe(
      Effect.flatMap((exit) => {
        const isFirst = !isFailing;
        isFailing = Exit.isFailure(exit);
        if (Exit.isSuccess(exit)) return Effect.succeed(exit.value);
        return Effect.as(isFirst ? Effect.logWarning(message, exit.cause) : Effect.void, null);
      })
    );
};

/** What to do with a job, by how its handler ended. Nothing if the job was taken from the worker. */
const settleWith = ({ jobs, announce }: WorkServices) => {
  const release = (job: ClaimedJob, delaySeconds: number) =>
    Effect.flatMap(jobs.release(job, delaySeconds), (isReleased) => (isReleased ? announce : Effect.void));
  return Effect.fnUntraced(function* (job: ClaimedJob, exit: Exit.Exit<void, unknown>) {
    if (Exit.isSuccess(exit)) return (yield* jobs.end(job)) ? undefined : yield* release(job, 0);
    if (Cause.hasInterrupts(exit.cause)) return yield* release(job, 0);
    yield* Effect.logWarning("A job failed and will be retried", exit.cause);
    yield* release(job, RETRY_DELAY_SECONDS);
  });
};

/** One worker. */
interface State {
  readonly concurrency: number;
  readonly held: Map<ClaimedJob, Fiber.Fiber<void>>;
  /** Open while fewer jobs are held than may be. */
  readonly room: Latch.Latch;
  /** Open while there may be a job. */
  readonly news: Latch.Latch;
  contact: Contact;
}

/** A statement, whose response shows that the database is available. */
const respond = <A, E>(state: State, statement: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.tap(Effect.withTracerEnabled(statement, false), () =>
    Effect.map(Clock.currentTimeMillis, (nowMs) => {
      state.contact = afterResponse(state.contact, nowMs);
    })
  );

/** Runs forever; stops the handlers of jobs that were taken away. */
const renewForever = ({ jobs, leaseSeconds }: WorkServices, state: State): Effect.Effect<never> => {
  const renew = Effect.gen(function* () {
    const renewed = [...state.held];
    if (renewed.length === 0) return;
    const kept = yield* respond(state, jobs.renew(renewed.map(([claimed]) => claimed)));
    for (const [claimed, fiber] of renewed) if (!kept.has(claimed.claim)) fiber.interruptUnsafe();
  });
  const tolerant = makeTolerant("The leases of a worker could not be renewed");
  return Effect.sleep((leaseSeconds * 1_000) / RENEWALS_PER_LEASE).pipe(
    // In parallel, because a broken connection may delay one of them.
    Effect.andThen(Effect.forkChild(tolerant(renew))),
    Effect.forever
  );
};

/** Runs forever; executes what it claims, each job in its own fiber. */
const claimForever = <R>(
  { jobs }: WorkServices,
  state: State,
  execute: (claimed: ClaimedJob) => Effect.Effect<void, never, R>
): Effect.Effect<never, never, R> => {
  const { concurrency, held, room, news } = state;
  const start = (claimed: ClaimedJob) =>
    Effect.map(Effect.forkDetach(execute(claimed), { uninterruptible: true }), (fiber) => {
      held.set(claimed, fiber);
      if (held.size === concurrency) room.closeUnsafe();
    });
  const tolerant = makeTolerant("The job queue could not be polled");
  const claim = Effect.gen(function* () {
    news.closeUnsafe();
    const count = concurrency - held.size;
    const mayTakeOver = canTakeOver(state.contact, yield* Clock.currentTimeMillis);
    const claimed = (yield* tolerant(respond(state, jobs.claim(count, mayTakeOver)))) ?? [];
    yield* Effect.forEach(claimed, start, { discard: true });
    // There may be more.
    if (claimed.length === count) news.openUnsafe();
  });
  const untilNews = Effect.andThen(room.await, Effect.timeoutOption(news.await, POLL_INTERVAL_MS));
  return Effect.forever(Effect.uninterruptibleMask((restore) => Effect.andThen(restore(untilNews), claim)));
};

/** Works until the scope closes, which interrupts the handlers and waits until their jobs are settled. */
export const workFor = (services: WorkServices) => {
  const { workers } = services;
  const settle = settleWith(services);
  return Effect.fnUntraced(function* <E, R>(
    concurrency: number,
    handler: (job: RunJob) => Effect.Effect<void, E, R>
  ) {
    // News at the start: of jobs from before this process.
    const [room, news] = [yield* Latch.make(true), yield* Latch.make(true)];
    const state: State = { concurrency, held: new Map(), room, news, contact: NO_CONTACT };
    const { held } = state;
    const execute = (claimed: ClaimedJob) =>
      Effect.exit(Effect.interruptible(handler(claimed.job))).pipe(
        // Held until then: a worker that waits for the database is still alive.
        Effect.flatMap((exit) => settle(claimed, exit)),
        // Its lease is not renewed any more, so it will be delivered again.
        Effect.catchCause((cause) => Effect.logWarning("A job could not be settled", cause)),
        Effect.ensuring(
          Effect.suspend(() => {
            held.delete(claimed);
            return room.open;
          })
        )
      );
    const worker: Worker = { hasRoom: () => held.size < concurrency, wake: () => void news.openUnsafe() };
    // Ends in reverse: no more jobs, then the handlers, and only then the renewals.
    yield* Effect.forkScoped(renewForever(services, state));
    yield* Effect.addFinalizer(() => Effect.suspend(() => Fiber.interruptAll([...held.values()])));
    yield* Effect.forkScoped(claimForever(services, state, execute));
    yield* Effect.acquireRelease(
      Effect.sync(() => workers.add(worker)),
      () => Effect.sync(() => workers.delete(worker))
    );
  });
};
