/**
 * This process's job slots, each of which fetches and executes one job after another. Replaces pg-boss's own
 * workers, which poll after each job with an unprepared statement, and complete jobs again that were completed in
 * their transaction.
 */
import type { RunJob } from "@winnow/core/domain/run/Decision";
import type * as Cause from "effect/Cause";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Fiber from "effect/Fiber";
import type { Db, Job, PgBoss } from "pg-boss";
import { QUEUE, SCHEMA } from "./Boss.ts";
import type { JobAnnouncements, JobSlot } from "./JobAnnouncements.ts";
import { superviseQueue } from "./Supervision.ts";

export interface WorkServices {
  readonly boss: PgBoss;
  /** The connections through which jobs are fetched. */
  readonly db: Db;
  readonly announcements: JobAnnouncements;
  /** What to do with a job, by how its handler ended; dies if it cannot be settled. */
  readonly settle: (job: Job<RunJob>, exit: Exit.Exit<void, unknown>) => Effect.Effect<void>;
  readonly heartbeatIntervalSeconds: number;
}

/** The job without the queue's own records. */
export const runJobOf = ({ accountId, extractionId, traceparent }: RunJob): RunJob => ({
  accountId,
  extractionId,
  ...(traceparent === undefined ? {} : { traceparent })
});

const report = (message: string, detail: unknown) => Effect.logWarning(message, detail);

type ActiveJobs = ReadonlyMap<Job<RunJob>, Fiber.Fiber<void, unknown>>;

/** Returns the jobs that this worker still holds. */
const HEARTBEAT = `update ${SCHEMA}.job j set heartbeat_on = ${SCHEMA}.job_now()
  from json_to_recordset($1::json) held (id uuid, attempt integer)
  where j.name = '${QUEUE}' and j.id = held.id and j.retry_count = held.attempt and j.state = 'active'
  returning j.id`;

/** After a failed heartbeat. Once the database is back, other processes wait only for Supervision's GRACE_MS. */
export const HEARTBEAT_RETRY_MS = 1_000;

/** Sends a heartbeat for all held jobs, and stops the handlers of those that were taken away. */
const sendHeartbeat = Effect.fnUntraced(function* (boss: PgBoss, held: ActiveJobs) {
  if (held.size === 0) return;
  const jobs = [...held.keys()];
  const claims = JSON.stringify(jobs.map(({ id, retryCount }) => ({ id, attempt: retryCount })));
  const { rows } = yield* Effect.promise(() => boss.getDb().executeSql(HEARTBEAT, [claims]));
  const stillHeld = new Set(rows.map(({ id }: { readonly id: string }) => id));
  // Jobs that have just ended are no longer held.
  for (const job of jobs) if (!stillHeld.has(job.id)) held.get(job)?.interruptUnsafe();
});

/** Runs forever; of consecutive failures, reports the first. */
const sendHeartbeats = (
  { heartbeatIntervalSeconds, boss }: WorkServices,
  active: ActiveJobs
): Effect.Effect<never> =>
  Effect.suspend(() => {
    let isFailing = false;
    const failed = Effect.fnUntraced(function* (cause: Cause.Cause<unknown>) {
      const isFirst = !isFailing;
      isFailing = true;
      if (isFirst) yield* report("The heartbeat of a worker could not be sent", cause);
      yield* Effect.sleep(HEARTBEAT_RETRY_MS);
    });
    const once = Effect.fnUntraced(function* (again: Deferred.Deferred<void>) {
      const exit = yield* Effect.exit(sendHeartbeat(boss, active));
      if (Exit.isSuccess(exit)) return void (isFailing = false);
      yield* failed(exit.cause);
      yield* Deferred.succeed(again, undefined);
    });
    return Effect.gen(function* () {
      const again = yield* Deferred.make<void>();
      // In parallel, because a dead connection may delay one of them.
      yield* Effect.forkChild(once(again));
      yield* Effect.raceFirst(Effect.sleep(heartbeatIntervalSeconds * 1_000), Deferred.await(again));
    }).pipe(Effect.forever);
  });

/** Runs until the scope closes, which interrupts the handlers and waits until their jobs are settled. */
export const workFor = (services: WorkServices) =>
  Effect.fnUntraced(function* <E, R>(
    concurrency: number,
    handler: (job: RunJob) => Effect.Effect<void, E, R>
  ) {
    const { announcements, boss, db, settle } = services;
    const fork = Effect.runForkWith(yield* Effect.context<R>());
    const active = new Map<Job<RunJob>, Fiber.Fiber<void, E>>();
    let closing = false;

    /** Null if there is none, or the database does not respond. */
    const fetchJob = Effect.gen(function* () {
      const { position } = announcements;
      const [job] = yield* Effect.promise(() => boss.fetch<RunJob>(QUEUE, { db }));
      if (job === undefined) announcements.pollFoundNothing(position);
      return job ?? null;
    }).pipe(
      // Supervision polls for waiting jobs once the database responds again.
      Effect.tapCause(() => Effect.sync(() => announcements.pollFoundNothing(announcements.position))),
      Effect.catchCause((cause) => Effect.as(report("The job queue could not be polled", cause), null))
    );

    const execute = Effect.fnUntraced(function* (job: Job<RunJob>) {
      if (closing) return yield* settle(job, Exit.interrupt());
      announcements.wakeNext();
      const fiber = fork(handler(runJobOf(job.data)));
      active.set(job, fiber);
      const exit = yield* Fiber.await(fiber);
      // Held until then: a worker that waits for the database is still alive.
      yield* Effect.ensuring(
        settle(job, exit),
        Effect.sync(() => active.delete(job))
      );
    });

    const once = Effect.fnUntraced(function* (slot: JobSlot) {
      yield* announcements.awaitJob(slot);
      const job = closing ? null : yield* fetchJob;
      if (job === null) return;
      slot.busy = true;
      yield* execute(job).pipe(
        // Heartbeats for it stop, so it will be delivered again.
        Effect.catchCause((cause) => report("A job could not be settled", cause))
      );
      slot.busy = false;
    });

    const open = Effect.gen(function* () {
      const slot: JobSlot = { wake: null, busy: false };
      announcements.add(slot);
      const working = Effect.repeat(once(slot), { while: () => !closing });
      return { slot, fiber: yield* Effect.forkDetach(Effect.uninterruptible(working)) };
    });

    yield* Effect.acquireRelease(
      Effect.forEach(Array.from({ length: concurrency }), () => open),
      (opened) =>
        Effect.gen(function* () {
          closing = true;
          for (const { slot } of opened) announcements.remove(slot);
          yield* Fiber.interruptAll(active.values());
          yield* Fiber.awaitAll(opened.map(({ fiber }) => fiber));
        })
    );
    yield* Effect.forkScoped(Effect.withTracerEnabled(sendHeartbeats(services, active), false));
    yield* announcements.listen;
    yield* Effect.forkScoped(
      Effect.withTracerEnabled(superviseQueue(boss, announcements.wake, report), false)
    );
  });
