/**
 * Polls the database every few seconds with one statement: whether jobs are waiting without a notification, and
 * whether heartbeats are missing. After a database outage, pg-boss's own timer would take every job from every
 * worker, because no heartbeat could be recorded; here workers first get time to send one. This is the only load of
 * an idle queue.
 */
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import type { PgBoss } from "pg-boss";
import { CLEAN_INTERVAL_SECONDS, QUEUE, SCHEMA } from "./Boss.ts";

/** How often each process polls, unless something is expected earlier. */
export const POLL_INTERVAL_MS = 5_000;

/** The shortest pause: after a failed poll, and while a job is overdue, which another process may be reclaiming. */
export const POLL_RETRY_MS = 1_000;

/** After an outage, workers get this time to send a heartbeat: they retry every second, on a new connection. */
export const GRACE_MS = 10_000;

/** A longer interval between polls means that the database or this process was stalled. */
const STALLED_MS = 3 * POLL_INTERVAL_MS;

/** Each has a partial index of pg-boss: the first ends at its first row, the second has a few for each process. */
const LIVE = `j.name = '${QUEUE}' and j.policy = 'exclusive' and j.state <= 'active'`;
const ACTIVE = `j.name = '${QUEUE}' and j.state = 'active' and j.group_id is not null`;
const POLL = `select
    extract(epoch from clock_timestamp() - pg_postmaster_start_time())::float8 * 1000 as up_ms,
    exists (select 1 from ${SCHEMA}.job j where ${LIVE} and j.state < 'active' and not j.blocked
      and j.start_after <= now()) as has_waiting_job,
    (select extract(epoch from min(least(j.heartbeat_on + j.heartbeat_seconds * interval '1 s',
        j.started_on + j.expire_seconds * interval '1 s')) - now())::float8 * 1000
      from ${SCHEMA}.job j where ${ACTIVE}) as timeout_in_ms,
    exists (select 1 from ${SCHEMA}.queue q
      where coalesce(q.maintain_on, '-infinity') < now() - interval '${CLEAN_INTERVAL_SECONDS} s') as needs_cleaning`;

interface PollRow {
  /** Uptime of the database server, in milliseconds. */
  readonly up_ms: number;
  /** A job is ready to be fetched. */
  readonly has_waiting_job: boolean;
  /** Time until the first active job is reclaimed from its worker without a heartbeat; null if no job is active. */
  readonly timeout_in_ms: number | null;
  /** pg-boss has finished jobs to delete. */
  readonly needs_cleaning: boolean;
}

/** What this process knows about the database's availability, by its own clock. */
export interface DatabaseHealth {
  /** Time of the last successful poll; null before the first. */
  readonly polledAtMs: number | null;
  /** Time of the last poll that indicated an outage; null if none did. */
  readonly outageAtMs: number | null;
}

export const NEVER_POLLED: DatabaseHealth = { polledAtMs: null, outageAtMs: null };

/** `upMs`: uptime of the database server; null if it did not respond. */
export const healthAfterPoll = (
  before: DatabaseHealth,
  nowMs: number,
  upMs: number | null
): DatabaseHealth => {
  if (upMs === null) return { ...before, outageAtMs: nowMs };
  const wasStalled = before.polledAtMs !== null && nowMs - before.polledAtMs > STALLED_MS;
  // A server that was up before the first poll is not suspect, unless it has just started.
  const startedAtMs = upMs < GRACE_MS ? nowMs - upMs : null;
  const outageAtMs = wasStalled ? nowMs : Math.max(before.outageAtMs ?? 0, startedAtMs ?? 0);
  return { polledAtMs: nowMs, outageAtMs: outageAtMs === 0 ? null : outageAtMs };
};

/** Whether a missing heartbeat means a dead worker: not right after an outage. */
export const canTrustHeartbeats = ({ outageAtMs }: DatabaseHealth, nowMs: number): boolean =>
  outageAtMs === null || nowMs - outageAtMs >= GRACE_MS;

/** Whether a job must be reclaimed from its worker. */
const isOverdue = (timeoutInMs: number | null): boolean => timeoutInMs !== null && timeoutInMs < 0;

/**
 * Time until the next poll: when the first job times out, so that a dead worker delays its job by no more than the
 * timeout. A live worker sends a heartbeat long before.
 *
 * @param timeoutInMs from the latest poll; undefined if that failed
 */
export const nextPollInMs = (
  health: DatabaseHealth,
  nowMs: number,
  timeoutInMs: number | null | undefined
): number => {
  if (timeoutInMs === undefined) return POLL_RETRY_MS;
  if (timeoutInMs === null) return POLL_INTERVAL_MS;
  const graceLeftMs = health.outageAtMs === null ? 0 : health.outageAtMs + GRACE_MS - nowMs;
  return Math.min(POLL_INTERVAL_MS, Math.max(POLL_RETRY_MS, timeoutInMs, graceLeftMs));
};

/** Runs forever; `wake` notifies this process's workers of a waiting job. Failures are reported and retried. */
export const superviseQueue = (
  boss: PgBoss,
  wake: Effect.Effect<void>,
  report: (message: string, detail: unknown) => Effect.Effect<void>
): Effect.Effect<never> =>
  Effect.suspend(() => {
    let health = NEVER_POLLED;
    const poll = Effect.tryPromise(() => boss.getDb().executeSql(POLL, [])).pipe(
      Effect.map(({ rows }) => (rows[0] as PollRow | undefined) ?? null),
      Effect.orElseSucceed(() => null)
    );
    const supervise = Effect.tryPromise(() => boss.supervise()).pipe(
      Effect.catch((error) => report("The job queue could not be supervised", error.cause))
    );
    const once = Effect.gen(function* () {
      const row = yield* poll;
      const nowMs = yield* Clock.currentTimeMillis;
      health = healthAfterPoll(health, nowMs, row?.up_ms ?? null);
      const isDue =
        row !== null &&
        (row.needs_cleaning || isOverdue(row.timeout_in_ms)) &&
        canTrustHeartbeats(health, nowMs);
      if (isDue) yield* supervise;
      if (isDue || row?.has_waiting_job === true) yield* wake;
      return nextPollInMs(health, nowMs, row?.timeout_in_ms);
    });
    // Immediately: a process often replaces one that was killed, and may be the only one.
    return once.pipe(Effect.flatMap(Effect.sleep), Effect.forever);
  });
