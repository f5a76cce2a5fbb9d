/**
 * A process's places for jobs, each of which fetches one after another. Not pg-boss's own workers: these look for a
 * job after each one, with a statement that is planned anew each time, and complete once more what was completed with
 * its transaction.
 */
import type { RunJob } from "@winnow/core/domain/Decision";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Fiber from "effect/Fiber";
import type { Db, Job, PgBoss } from "pg-boss";
import type { Announced, Place } from "./Announced.ts";
import { QUEUE, SCHEMA } from "./Boss.ts";
import { superviseForEver } from "./Supervision.ts";

export interface WorkServices {
  readonly boss: PgBoss;
  /** Where jobs are fetched. */
  readonly db: Db;
  readonly announced: Announced;
  /** What becomes of a job, by how its handler ended; dies when it cannot be settled. */
  readonly settle: (job: Job<RunJob>, exit: Exit.Exit<void, unknown>) => Effect.Effect<void>;
  /** How often a worker says that it lives. */
  readonly beatSeconds: number;
}

/** Without what the queue notes in it. */
export const runJobOf = ({ accountId, extractionId, traceparent }: RunJob): RunJob => ({
  accountId,
  extractionId,
  ...(traceparent === undefined ? {} : { traceparent })
});

const report = (message: string, detail: unknown) => Effect.logWarning(message, detail);

type Held = ReadonlyMap<Job<RunJob>, Fiber.Fiber<void, unknown>>;

/** Answers those that are still this worker's. */
const BEAT = `update ${SCHEMA}.job j set heartbeat_on = ${SCHEMA}.job_now()
  from json_to_recordset($1::json) held (id uuid, attempt integer)
  where j.name = '${QUEUE}' and j.id = held.id and j.retry_count = held.attempt and j.state = 'active'
  returning j.id`;

/** Says of all held jobs that their worker lives, and stops the handlers of those that were taken from it. */
const beat = Effect.fnUntraced(
  function* (boss: PgBoss, held: Held) {
    if (held.size === 0) return;
    const jobs = [...held.keys()];
    const beating = JSON.stringify(jobs.map(({ id, retryCount }) => ({ id, attempt: retryCount })));
    const { rows } = yield* Effect.promise(() => boss.getDb().executeSql(BEAT, [beating]));
    const kept = new Set(rows.map(({ id }: { readonly id: string }) => id));
    // One that has ended meanwhile is not held any more.
    for (const job of jobs) if (!kept.has(job.id)) held.get(job)?.interruptUnsafe();
  },
  Effect.catchCause((cause) => report("The job queue could not be told that a worker lives", cause))
);

/** One does not wait for the other, which a connection may hold up that went dead. */
const beatForEver = ({ beatSeconds, boss }: WorkServices, held: Held): Effect.Effect<never> =>
  Effect.forkChild(beat(boss, held)).pipe(Effect.delay(beatSeconds * 1_000), Effect.forever);

/** Until the scope closes, which interrupts the handlers and waits until their jobs are settled. */
export const workFor = (services: WorkServices) =>
  Effect.fnUntraced(function* <E, R>(
    concurrency: number,
    handler: (job: RunJob) => Effect.Effect<void, E, R>
  ) {
    const { announced, boss, db, settle } = services;
    const fork = Effect.runForkWith(yield* Effect.context<R>());
    const held = new Map<Job<RunJob>, Fiber.Fiber<void, E>>();
    let closing = false;

    /** Null where none waits, or nobody can say. */
    const find = Effect.gen(function* () {
      const { asOf } = announced;
      const [job] = yield* Effect.promise(() => boss.fetch<RunJob>(QUEUE, { db }));
      if (job === undefined) announced.foundNone(asOf);
      return job ?? null;
    }).pipe(
      // Supervision looks for jobs that wait, once the database answers again.
      Effect.tapCause(() => Effect.sync(() => announced.foundNone(announced.asOf))),
      Effect.catchCause((cause) => Effect.as(report("The job queue could not be asked", cause), null))
    );

    const carryOut = Effect.fnUntraced(function* (job: Job<RunJob>) {
      if (closing) return yield* settle(job, Exit.interrupt());
      announced.passOn();
      const fiber = fork(handler(runJobOf(job.data)));
      held.set(job, fiber);
      const exit = yield* Fiber.await(fiber);
      // Held until then: who waits for the database still lives.
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
        // Nobody says any more that its worker lives: it is handed out again.
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
