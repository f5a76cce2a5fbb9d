/**
 * The JobQueue on pg-boss, in the database of the store.
 *
 * pg-boss's "exclusive" policy keeps at most one waiting or active job per extraction, so two workers never execute
 * the same run while both live. An extraction enqueued while its job is active is recorded on that job and enqueued
 * when it ends. An unfinished job is completed and a new one enqueued, in one transaction; pg-boss itself only
 * retries jobs of dead workers.
 *
 * Accounts take turns (start-time fair queueing): a job is assigned a turn when it is enqueued, one after the last
 * of its account's waiting jobs, and never before those that are active. pg-boss delivers by priority, which is the
 * negated turn, then by age.
 */
import type { RunJob } from "@winnow/core/domain/run/Decision";
import { JobQueue, type QueueDepth } from "@winnow/core/ports/JobQueue";
import * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Layer from "effect/Layer";
import * as SqlClient from "effect/sql/SqlClient";
import type { Db, Job, PgBoss } from "pg-boss";
import { heartbeatIntervalSeconds, makeBoss, QUEUE, SCHEMA, type BossOptions } from "./Boss.ts";
import { JobAnnouncements } from "./JobAnnouncements.ts";
import { runJobOf, workFor } from "./Work.ts";
import { afterwards, committed } from "../store/AccountTransactions.ts";
import { DatabaseChannel } from "../store/DatabaseChannel.ts";
import { orUnavailable } from "../store/StorageFault.ts";

/** Delay before a job whose handler failed is delivered again; long enough not to spin on a permanent fault. */
const RETRY_DELAY_SECONDS = 1;

/** The predicate of pg-boss's unique index for the policy, so that look-ups use the index. */
const LIVE = "policy = 'exclusive' and state <= 'active'";

/**
 * Records on a job that its extraction was enqueued again. A waiting job is not changed but locked until the
 * transaction ends, so that no worker starts before it sees the transaction's writes.
 */
const MARK_REPEATED = `update ${SCHEMA}.job
  set data = case when state = 'active' then data || '{"again": true}' else data end
  where name = '${QUEUE}' and coalesce(singleton_key, '') = $1 and ${LIVE} returning id`;

/** Locks a job that this worker still holds. */
const LOCK_HELD = `select coalesce((data ->> 'again')::boolean, false) as again from ${SCHEMA}.job
  where name = '${QUEUE}' and id = $1 and retry_count = $2 and state = 'active' for update`;

/** The turn of an account's next job. Each part reads a few entries of one index. */
const NEXT_TURN = `select greatest(0,
    (select max(-priority) from ${SCHEMA}.job
      where name = '${QUEUE}' and state = 'active' and group_id is not null),
    (select -priority - 1 from ${SCHEMA}.job where name = '${QUEUE}' and state < 'active' and not blocked
      order by priority desc limit 1),
    (select max(-priority) + 1 from ${SCHEMA}.job
      where name = '${QUEUE}' and state = 'active' and group_id is not null and group_id = $1),
    (select max(-priority) + 1 from ${SCHEMA}.job
      where name = '${QUEUE}' and state < 'active' and not blocked and group_id = $1)) as turn`;

const DEPTH = `select (count(*) filter (where state < 'active'))::integer as waiting,
  (count(*) filter (where state = 'active'))::integer as active,
  coalesce(extract(epoch from now() - min(created_on) filter (where state < 'active')), 0)::float8
    as "oldestWaitingSeconds"
  from ${SCHEMA}.job where name = '${QUEUE}' and ${LIVE}`;

/**
 * For most jobs: still held by this worker and not enqueued again. One statement, where the others need a
 * transaction.
 */
const COMPLETE = `update ${SCHEMA}.job set state = 'completed', completed_on = ${SCHEMA}.job_now()
  where name = '${QUEUE}' and id = $1 and retry_count = $2 and state = 'active'
    and not coalesce((data ->> 'again')::boolean, false) returning id`;

/** Runs pg-boss's statements in the transaction of the calling fiber, if there is one. */
const ambientDb = (sql: SqlClient.SqlClient): Effect.Effect<Db> =>
  Effect.map(Effect.context<never>(), (context) => ({
    executeSql: async (text, values) => ({
      rows: [...(await Effect.runPromiseWith(context)(sql.unsafe<object>(text, values ?? [])))]
    })
  }));

const makeEnqueue = (sql: SqlClient.SqlClient, boss: PgBoss, announcements: JobAnnouncements) => {
  /** False if the extraction already has a live job. Uninterruptible, because a rollback must not overtake it. */
  const send = Effect.fnUntraced(function* (job: RunJob, delaySeconds: number) {
    const db = yield* ambientDb(sql);
    const [next] = yield* orUnavailable(sql.unsafe<{ readonly turn: number }>(NEXT_TURN, [job.accountId]));
    const options = {
      db,
      singletonKey: job.extractionId,
      startAfter: delaySeconds,
      group: { id: job.accountId },
      priority: -(next?.turn ?? 0)
    };
    const id = yield* Effect.promise(() => boss.send(QUEUE, runJobOf(job), options));
    return id !== null;
  }, Effect.uninterruptible);

  return Effect.fnUntraced(function* (job: RunJob, delaySeconds = 0) {
    while (!(yield* send(job, delaySeconds))) {
      const repeated = yield* orUnavailable(sql.unsafe(MARK_REPEATED, [job.extractionId]));
      // None: the job ended between the two statements, so the new one can be enqueued.
      if (repeated.length > 0) return;
    }
    yield* delaySeconds > 0 ? announcements.announceLater(delaySeconds) : afterwards(announcements.announce);
  });
};

type Enqueue = ReturnType<typeof makeEnqueue>;

/**
 * Releases a job from its worker, and enqueues the extraction again if requested or recorded. Does nothing if the
 * job was taken from the worker.
 */
const makeSettle = (sql: SqlClient.SqlClient, boss: PgBoss, enqueue: Enqueue) => {
  const inTransaction = Effect.fnUntraced(
    function* (job: Job<RunJob>, againInSeconds: number | null) {
      const [jobRow] = yield* sql.unsafe<{ readonly again: boolean }>(LOCK_HELD, [job.id, job.retryCount]);
      if (jobRow === undefined) return;
      const db = yield* ambientDb(sql);
      yield* Effect.promise(() => boss.complete(QUEUE, job, null, { db }));
      if (againInSeconds !== null) yield* enqueue(job.data, againInSeconds);
      else if (jobRow.again) yield* enqueue(job.data);
    },
    (settling) => committed(sql, settling),
    orUnavailable
  );
  return Effect.fnUntraced(function* (job: Job<RunJob>, againInSeconds: number | null) {
    const done =
      againInSeconds === null
        ? yield* orUnavailable(sql.unsafe<object>(COMPLETE, [job.id, job.retryCount]))
        : [];
    if (done.length === 0) yield* inTransaction(job, againInSeconds);
  });
};

type Settle = ReturnType<typeof makeSettle>;

/** What to do with a job, by how its handler ended. */
const settleAfter = (settle: Settle) =>
  Effect.fnUntraced(function* <E>(job: Job<RunJob>, exit: Exit.Exit<void, E>) {
    if (Exit.isSuccess(exit)) return yield* settle(job, null);
    if (Cause.hasInterrupts(exit.cause)) return yield* settle(job, 0);
    yield* Effect.logWarning("A job failed and will be retried", exit.cause);
    yield* settle(job, RETRY_DELAY_SECONDS);
  });

/** Requires the store's connection pool, whose transactions the jobs join. */
export const layer = (
  options: BossOptions
): Layer.Layer<JobQueue, never, SqlClient.SqlClient | DatabaseChannel> =>
  Layer.effect(
    JobQueue,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient;
      const boss = yield* makeBoss(options);
      const announcements = new JobAnnouncements(yield* DatabaseChannel, yield* Effect.scope);
      const enqueue = makeEnqueue(sql, boss, announcements);
      return JobQueue.of({
        enqueue: (job) => enqueue(job),
        work: workFor({
          boss,
          db: yield* Effect.withTracerEnabled(ambientDb(sql), false),
          announcements,
          settle: settleAfter(makeSettle(sql, boss, enqueue)),
          heartbeatIntervalSeconds: heartbeatIntervalSeconds(options)
        }),
        depth: sql.unsafe<QueueDepth>(DEPTH).pipe(
          Effect.map(([depth]) => depth ?? { waiting: 0, active: 0, oldestWaitingSeconds: 0 }),
          orUnavailable
        )
      });
    })
  );
