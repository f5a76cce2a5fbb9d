/**
 * This process's job slots, each of which fetches and executes one job after another. Replaces pg-boss's own
 * workers, which poll after each job with an unprepared statement, and complete jobs again that were completed in
 * their transaction.
 */
import type { RunJob } from "@winnow/core/domain/Decision";
import type * as Cause from "effect/Cause";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Fiber from "effect/Fiber";
import type { Db, Job, PgBoss } from "pg-boss";
import type { Announced, Place } from "./Announced.ts";
import { QUEUE, SCHEMA } from "./Boss.ts";
import { superviseForEver } from "./Supervision.ts";

export interface WorkServices {
  readonly boss: PgBoss;
  /** Queue name. */
  readonly db: Db;
  readonly announced: Announced;
  /** What to do with a job, by how its handler ended; dies if it cannot be settled. */
  readonly settle: (job: Job<RunJob>, exit: Exit.Exit<void, unknown>) => Effect.Effect<void>;
  /** Heartbeat interval. */
  readonly beatSeconds: number;
}

/** Without the queue's own records. */
export const runJobOf = ({ accountId, extractionId, traceparent }: RunJob): RunJob => ({
  accountId,
  extractionId,
  ...(traceparent === undefined ? {} : { traceparent })
});

const report = (message: string, detail: unknown) => Effect.logWarning(message, detail);

type Held = ReadonlyMap<Job<RunJob>, Fiber.Fiber<void, unknown>>;

/** Returns those that this worker still holds. */
const BEAT = `update ${SCHEMA}.job j set heartbeat_on = ${SCHEMA}.job_now()
  from json_to_recordset($1::json) held (id uuid, attempt integer)
  where j.name = '${QUEUE}' and j.id = held.id and j.retry_count = held.attempt and j.state = 'active'
  returning j.id`;

/** After a beat that did not reach the database: others wait only so long (Supervision's grace) once it is back. */
export const BEAT_RETRY_MS = 1_000;

/** Sends a heartbeat for all held jobs, and stops the handlers of those that were taken away. */
const beat = Effect.fnUntraced(function* (boss: PgBoss, held: Held) {
  if (held.size === 0) return;
  const jobs = [...held.keys()];
  const beating = JSON.stringify(jobs.map(({ id, retryCount }) => ({ id, attempt: retryCount })));
  const { rows } = yield* Effect.promise(() => boss.getDb().executeSql(BEAT, [beating]));
  const kept = new Set(rows.map(({ id }: { readonly id: string }) => id));
  // Jobs that have just ended are no longer held.
  for (const job of jobs) if (!kept.has(job.id)) held.get(job)?.interruptUnsafe();
});

/** For ever; tells of the first of several failures. */
const beatForEver = ({ beatSeconds, boss }: WorkServices, held: Held): Effect.Effect<never> =>
  Effect.suspend(() => {
    let isHeard = true;
    const failed = Effect.fnUntraced(function* (cause: Cause.Cause<unknown>) {
      const isFirst = isHeard;
      isHeard = false;
      if (isFirst) yield* report("The heartbeat of a worker could not be sent", cause);
      yield* Effect.sleep(BEAT_RETRY_MS);
    });
    const once = Effect.fnUntraced(function* (again: Deferred.Deferred<void>) {
      const exit = yield* Effect.exit(beat(boss, held));
      if (Exit.isSuccess(exit)) return void (isHeard = true);
      yield* failed(exit.cause);
      yield* Deferred.succeed(again, undefined);
    });
    return Effect.gen(function* () {
      const again = yield* Deferred.make<void>();
      // In parallel, because a dead connection may delay one of them.
      yield* Effect.forkChild(once(again));
      yield* Effect.raceFirst(Effect.sleep(beatSeconds * 1_000), Deferred.await(again));
    }).pipe(Effect.forever);
  });

/** Runs until the scope closes, which interrupts the handlers and waits until their jobs are settled. */
export const workFor = (services: WorkServices) =>
  Effect.fnUntraced(function* <E, R>(
    concurrency: number,
    handler: (job: RunJob) => Effect.Effect<void, E, R>
  ) {
    const { announced, boss, db, settle } = services;
    const fork = Effect.runForkWith(yield* Effect.context<R>());
    const held = new Map<Job<RunJob>, Fiber.Fiber<void, E>>();
    let closing = false;

    /** Null if there is none, or the database does not respond. */
    const find = Effect.gen(function* () {
      const { asOf } = announced;
      const [job] = yield* Effect.promise(() => boss.fetch<RunJob>(QUEUE, { db }));
      if (job === undefined) announced.foundNone(asOf);
      return job ?? null;
    }).pipe(
      // Supervision looks for waiting jobs once the database responds again.
      Effect.tapCause(() => Effect.sync(() => announced.foundNone(announced.asOf))),
      Effect.catchCause((cause) => Effect.as(report("The job queue could not be polled", cause), null))
    );

    const carryOut = Effect.fnUntraced(function* (job: Job<RunJob>) {
      if (closing) return yield* settle(job, Exit.interrupt());
      announced.passOn();
      const fiber = fork(handler(runJobOf(job.data)));
      held.set(job, fiber);
      const exit = yield* Fiber.await(fiber);
      // Held until then: a worker that waits for the database is still alive.
      yield* Effect.ensuring(
        settle(job, exit),
        Effect.sync(() => held.delete(job))
      );
    });

    const once = Effect.fnUntraced(function* (place: Place) {
      yield* announced.rest(place);
      const job = closing ? null : yield* find;
      if (job === null) return;
      place.busy = true;
      yield* carryOut(job).pipe(
        // Heartbeats for it stop, so it will be delivered again.
        Effect.catchCause((cause) => report("A job could not be settled", cause))
      );
      place.busy = false;
    });

    const open = Effect.gen(function* () {
      const place: Place = { wake: null, busy: false };
      announced.add(place);
      const working = Effect.repeat(once(place), { while: () => !closing });
      return { place, fiber: yield* Effect.forkDetach(Effect.uninterruptible(working)) };
    });

    yield* Effect.acquireRelease(
      Effect.forEach(Array.from({ length: concurrency }), () => open),
      (opened) =>
        Effect.gen(function* () {
          closing = true;
          for (const { place } of opened) announced.remove(place);
          yield* Fiber.interruptAll(held.values());
          yield* Fiber.awaitAll(opened.map(({ fiber }) => fiber));
        })
    );
    yield* Effect.forkScoped(Effect.withTracerEnabled(beatForEver(services, held), false));
    yield* announced.hear;
    yield* Effect.forkScoped(Effect.withTracerEnabled(superviseForEver(boss, announced.wake, report), false));
  });
