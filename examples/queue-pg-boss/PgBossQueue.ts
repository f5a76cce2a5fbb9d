/**
 * A JobQueue on pg-boss, in the database of Winnow's store, by pg-boss's public interface only. README.md says what
 * it promises less than Winnow's own.
 */
import type { RunJob } from "@winnow/core/domain/run/Decision";
import { JobQueue, type QueueDepth } from "@winnow/core/ports/JobQueue";
import * as Cause from "effect/Cause";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import type * as Scope from "effect/Scope";
import * as SqlClient from "effect/sql/SqlClient";
import { PgBoss, type Db, type Job } from "pg-boss";

export interface PgBossQueueOptions {
  /** Of the database that Winnow uses. Its role must be allowed to create the schema `pgboss`. */
  readonly connectionString: string;
  /** Jobs of one account that are processed at once, in all processes together; otherwise only its plan limits them. */
  readonly jobsPerAccountMax?: number;
}

const QUEUE = "winnow-runs";

/**
 * A dead worker is noticed within 22 s: when its heartbeat is late, at the next supervision but one at the latest. That
 * is within the 60 s of the port even if the next worker dies too.
 */
const HEARTBEAT_SECONDS = 12;
const HEARTBEAT_REFRESH_SECONDS = 2;
const SUPERVISION_SECONDS = 5;

const JOBS = {
  policy: "singleton", // one active job for each singletonKey, which is the extraction
  heartbeatSeconds: HEARTBEAT_SECONDS,
  expireInSeconds: 86_400, // the most that pg-boss allows, and a run may take
  retryLimit: 2_147_483_647, // no limit: the store counts the attempts of a run
  retryDelay: 1
} as const;

/** The least that pg-boss allows. */
const POLL_SECONDS = 0.5;

/** The most jobs that `findJobs` returns. */
const FOUND_MAX = 100_000;

/** Connections of pg-boss in each process; their statements take milliseconds. */
const CONNECTIONS_MAX = 4;

/** Statements in the transaction that is open in the context, if one is. */
const statementsOf = (sql: SqlClient.SqlClient, context: Context.Context<never>): Db => ({
  executeSql: async (text, values) => ({
    rows: [...(await Effect.runPromiseWith(context)(sql.unsafe(text, values)))]
  })
});

/** A waiting job is found by its key and stays in its place, locked until the transaction ends. */
const enqueueOn = (boss: PgBoss) =>
  Effect.fnUntraced(function* (job: RunJob) {
    const context = yield* Effect.context<never>();
    const sql = Option.getOrNull(yield* Effect.serviceOption(SqlClient.SqlClient));
    const options = { singletonKey: job.extractionId, group: { id: job.accountId } };
    const db = sql === null ? {} : { db: statementsOf(sql, context) };
    yield* Effect.promise(() => boss.upsert(QUEUE, job, { ...options, ...db }));
  }, Effect.uninterruptible);

const logged = Effect.tapCause((cause: Cause.Cause<unknown>) =>
  Cause.hasInterrupts(cause) ? Effect.void : Effect.logWarning("A job failed and will be retried", cause)
);

const workOn = (boss: PgBoss, { jobsPerAccountMax: groupConcurrency }: PgBossQueueOptions) =>
  Effect.fnUntraced(function* <E, R>(
    concurrency: number,
    handler: (job: RunJob) => Effect.Effect<void, E, R>
  ) {
    const run = Effect.runPromiseExitWith(yield* Effect.context<R | Scope.Scope>());
    const stopping = new AbortController();
    /** The signal of a job aborts when its claim is lost. */
    const deliver = async ([job]: ReadonlyArray<Job<RunJob>>): Promise<void> => {
      if (job === undefined) return;
      stopping.signal.throwIfAborted();
      const signal = AbortSignal.any([job.signal, stopping.signal]);
      const exit = await run(logged(handler(job.data)), { signal });
      const { extractionId: key } = job.data;
      const isDone =
        Exit.isSuccess(exit) || (await boss.findJobs(QUEUE, { key, queued: true, limit: 1 })).length > 0;
      if (!isDone) throw Cause.squash(exit.cause);
      await boss.deleteJob(QUEUE, job); // instead of keeping it as completed
    };
    const options = {
      localConcurrency: concurrency,
      pollingIntervalSeconds: POLL_SECONDS,
      heartbeatRefreshSeconds: HEARTBEAT_REFRESH_SECONDS,
      ...(groupConcurrency === undefined ? {} : { groupConcurrency })
    };
    yield* Effect.acquireRelease(
      Effect.promise(() => boss.work<RunJob>(QUEUE, options, deliver)),
      (id) =>
        Effect.promise(() => {
          stopping.abort();
          return boss.offWork(QUEUE, { id, wait: true });
        })
    );
  });

/** Counted by reading all jobs: the counts of pg-boss are a minute old. */
const depthOf = (boss: PgBoss) =>
  Effect.promise(async (): Promise<QueueDepth> => {
    const jobs = await boss.findJobs<RunJob>(QUEUE, { limit: FOUND_MAX });
    const waiting = jobs.filter(({ state }) => state === "created" || state === "retry");
    const sinceMs = waiting[0]?.startAfter.getTime() ?? Infinity;
    return {
      waiting: waiting.length,
      active: jobs.filter(({ state }) => state === "active").length,
      oldestWaitingSeconds: Math.max(0, (Date.now() - sinceMs) / 1_000)
    };
  });

/** Rejects the start of the server if the database does not respond. */
export const layer = (options: PgBossQueueOptions): Layer.Layer<JobQueue> =>
  Layer.effect(
    JobQueue,
    Effect.gen(function* () {
      const log = Effect.runForkWith(yield* Effect.context<never>());
      const boss = yield* Effect.acquireRelease(
        Effect.sync(
          () =>
            new PgBoss({
              connectionString: options.connectionString,
              max: CONNECTIONS_MAX,
              superviseIntervalSeconds: SUPERVISION_SECONDS,
              monitorIntervalSeconds: SUPERVISION_SECONDS,
              schedule: false
            })
        ),
        (started) => Effect.promise(() => started.stop())
      );
      boss.on("error", (error) => log(Effect.logWarning("pg-boss", error)));
      boss.on("warning", ({ message, data }) => log(Effect.logWarning(`pg-boss: ${message}`, data)));
      yield* Effect.promise(() => boss.start());
      yield* Effect.promise(() => boss.createQueue(QUEUE, JOBS));
      return { enqueue: enqueueOn(boss), work: workOn(boss, options), depth: depthOf(boss) };
    })
  );
