/**
 * The pg-boss instance of this process: its tables, its own small pool, and its settings.
 *
 * pg-boss creates and migrates its schema itself, under its own advisory lock.
 */
import * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";
import * as Redacted from "effect/Redacted";
import type * as Scope from "effect/Scope";
import { PgBoss } from "pg-boss";
import { CONNECTION_TIMEOUTS } from "../store/PgConnection.ts";

/** Not the default `pgboss`: another program on the same database may use it, with another version of pg-boss. */
export const SCHEMA = "winnow_jobs";
export const QUEUE = "run";

/** Workers fetch jobs and send heartbeats through it; everything else uses the store's connections. */
const CONNECTIONS_MAX = 4;

/** An idle process keeps few connections. */
const CONNECTION_IDLE_MS = 4_000;

/**
 * Settings of pg-boss's pool. As in PgConnection, but with a longer lock timeout, because processes that start
 * simultaneously wait for each other.
 */
const TIMEOUTS = {
  idle_in_transaction_session_timeout: CONNECTION_TIMEOUTS.idleInTransactionMs,
  lock_timeout: 30_000,
  statement_timeout: 60_000
};

const POOL = { keepAlive: true, idleTimeoutMillis: CONNECTION_IDLE_MS };

/**
 * A job whose worker has sent no heartbeat for this long is delivered again, within a second (Supervision). A dead
 * worker must be noticed within 60 s, even if the next one dies too. A busy event loop may miss three heartbeats.
 */
export const HEARTBEAT_SECONDS_DEFAULT = 12;
const HEARTBEATS_PER_TIMEOUT = 4;

/** Across all processes, timed-out jobs are reclaimed this often, if Supervision found any. */
const MONITOR_INTERVAL_SECONDS = 1;

/** How long pg-boss caches the queue's settings, which never change while a process runs. */
const QUEUE_CACHE_SECONDS = 60 * 60;

/** pg-boss's maximum: the engine, not the queue, limits the duration of a run. */
const HANDLER_TIMEOUT_SECONDS = 24 * 60 * 60;

/** Never reached: domain/run/Settlement limits the starts of a run. */
const RETRIES_MAX = 1_000_000;

/** Finished jobs are kept for diagnosis, then deleted. */
const DONE_KEPT_SECONDS = 60 * 60;
export const CLEAN_INTERVAL_SECONDS = 10 * 60;

/** Never reached: queue depth is a metric, not a log line at every check. */
const BACKLOG_WARNED = 1_000_000_000;

export interface BossOptions {
  /** URL as in PgConnection. */
  readonly url: Redacted.Redacted;
  /** Whether `url` names a transaction pooler, which accepts no timeouts; those of the role apply. */
  readonly isPooled?: boolean;
  /** At least 10, which is pg-boss's minimum. */
  readonly heartbeatSeconds?: number;
}

export const heartbeatIntervalSeconds = (options: BossOptions): number =>
  (options.heartbeatSeconds ?? HEARTBEAT_SECONDS_DEFAULT) / HEARTBEATS_PER_TIMEOUT;

/** A warning of pg-boss, or an error in its background work, which continues. */
const reportTo = (log: (message: string, detail: unknown) => void) => (boss: PgBoss) => {
  boss.on("error", (error) => log("Background error of the job queue", error));
  boss.on("warning", (warning) => log("Warning of the job queue", warning));
  return boss;
};

/** Serialises the statement below among processes that start simultaneously: "turns" in ASCII. */
const INDEX_LOCK_KEY = 0x7475726e73;

const NO_JOB = "00000000-0000-0000-0000-000000000000";

const INDEX_NAME = "winnow_waiting_of_account";

/**
 * Index of an account's waiting jobs, which pg-boss does not have (for PgBossQueue's turns).
 *
 * Checks before it creates, because `if not exists` locks the table against writes even if the index exists: a start
 * would wait for the transactions of running processes, and could deadlock with one.
 */
const INDEX_BY_ACCOUNT = `do $$ begin
  perform pg_advisory_xact_lock(${INDEX_LOCK_KEY});
  if to_regclass('${SCHEMA}.${INDEX_NAME}') is null then
    create index ${INDEX_NAME} on ${SCHEMA}.job (name, group_id, priority)
      where state < 'active' and not blocked and group_id is not null;
  end if;
end $$`;

const start = async (boss: PgBoss, options: BossOptions): Promise<void> => {
  await boss.start();
  const settings = {
    // PgBossQueue notifies after the commit: a NOTIFY within a transaction makes all commits wait for each other.
    notify: false,
    heartbeatSeconds: options.heartbeatSeconds ?? HEARTBEAT_SECONDS_DEFAULT,
    expireInSeconds: HANDLER_TIMEOUT_SECONDS,
    retryLimit: RETRIES_MAX,
    warningQueueSize: BACKLOG_WARNED,
    deleteAfterSeconds: DONE_KEPT_SECONDS
  };
  await boss.createQueue(QUEUE, { policy: "exclusive", ...settings });
  // Updates the settings of a queue created by an earlier version.
  await boss.updateQueue(QUEUE, settings);
  // pg-boss would reload them at the next use, possibly within a transaction: behind a small pooler, open
  // transactions would hold every connection and wait for one.
  await boss.getJobById(QUEUE, NO_JOB);
  await boss.getDb().executeSql(INDEX_BY_ACCOUNT);
};

const stop = (boss: PgBoss) => Effect.promise(() => boss.stop({ graceful: false, close: true }));

/** Started; stops with the scope. Workers must have stopped before. */
export const makeBoss = (options: BossOptions): Effect.Effect<PgBoss, never, Scope.Scope> =>
  Effect.gen(function* () {
    const fork = Effect.runForkWith(yield* Effect.context<never>());
    const report = reportTo((message, detail) =>
      fork(Effect.logWarning(message, detail instanceof Error ? Cause.fail(detail) : detail))
    );
    const create = Effect.sync(() =>
      report(
        new PgBoss({
          connectionString: Redacted.value(options.url),
          application_name: "winnow-jobs",
          schema: SCHEMA,
          max: CONNECTIONS_MAX,
          ...POOL,
          ...(options.isPooled === true ? {} : TIMEOUTS),
          queueCacheIntervalSeconds: QUEUE_CACHE_SECONDS,
          schedule: false,
          supervise: false,
          monitorIntervalSeconds: MONITOR_INTERVAL_SECONDS,
          maintenanceIntervalSeconds: CLEAN_INTERVAL_SECONDS
        })
      )
    );
    const boss = yield* Effect.acquireRelease(
      Effect.tap(create, (made) =>
        Effect.promise(() => start(made, options)).pipe(Effect.onError(() => stop(made)))
      ),
      stop
    );
    return boss;
  });
