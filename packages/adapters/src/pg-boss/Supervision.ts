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

/** How often each of the processes looks, where nothing is expected earlier. */
export const LOOK_INTERVAL_MS = 5_000;

/** Where something is: a look that was not answered is tried again, and others may have been faster. */
export const LOOK_PAUSE_MS = 1_000;

/** After an outage: a worker that was not heard tries again every second, on a new connection, on a busy machine. */
export const GRACE_MS = 10_000;

/** A longer interval between polls means that the database or this process was stalled. */
const STOOD_STILL_MS = 3 * LOOK_INTERVAL_MS;

/** Each has a partial index of pg-boss: the first ends at its first row, the second has a few for each process. */
const LIVE = `j.name = '${QUEUE}' and j.policy = 'exclusive' and j.state <= 'active'`;
const ACTIVE = `j.name = '${QUEUE}' and j.state = 'active' and j.group_id is not null`;
const LOOK = `select
    extract(epoch from clock_timestamp() - pg_postmaster_start_time())::float8 * 1000 as up_ms,
    exists (select 1 from ${SCHEMA}.job j where ${LIVE} and j.state < 'active' and not j.blocked
      and j.start_after <= now()) as waiting,
    (select extract(epoch from min(least(j.heartbeat_on + j.heartbeat_seconds * interval '1 s',
        j.started_on + j.expire_seconds * interval '1 s')) - now())::float8 * 1000
      from ${SCHEMA}.job j where ${ACTIVE}) as silent_in_ms,
    exists (select 1 from ${SCHEMA}.queue q
      where coalesce(q.maintain_on, '-infinity') < now() - interval '${CLEAN_INTERVAL_SECONDS} s') as unclean`;

interface Look {
  /** Uptime of the database server, in milliseconds. */
  readonly up_ms: number;
  /** A job is ready to be fetched. */
  readonly waiting: boolean;
  /** Until a job is taken from its worker, unless that one is heard again; null where none is worked on. */
  readonly silent_in_ms: number | null;
  /** pg-boss has done jobs to delete. */
  readonly unclean: boolean;
}

/** What this process knows about the database's availability, by its own clock. */
export interface Sight {
  /** The last successful poll; null before the first. */
  readonly lastMs: number | null;
  /** The last poll that indicated an outage. */
  readonly outageMs: number | null;
}

export const NOTHING_SEEN: Sight = { lastMs: null, outageMs: null };

/** `upMs`: uptime of the database server; null if it did not respond. */
export const look = (before: Sight, nowMs: number, upMs: number | null): Sight => {
  if (upMs === null) return { ...before, outageMs: nowMs };
  const stoodStill = before.lastMs !== null && nowMs - before.lastMs > STOOD_STILL_MS;
  // A server that was up before the first poll is not suspect, unless it has just started.
  const restarted = upMs < GRACE_MS ? nowMs - upMs : null;
  const outageMs = stoodStill ? nowMs : Math.max(before.outageMs ?? 0, restarted ?? 0);
  return { lastMs: nowMs, outageMs: outageMs === 0 ? null : outageMs };
};

/** Whether missing heartbeats are meaningful. */
export const isCalm = ({ outageMs }: Sight, nowMs: number): boolean =>
  outageMs === null || nowMs - outageMs >= GRACE_MS;

/** Whether a job is to be taken from its worker. */
const isOverdue = (silentInMs: number | null): boolean => silentInMs !== null && silentInMs < 0;

/**
 * Until the next look: as the first job may be taken from its worker, so that a dead one costs no more than its
 * silence. A worker that lives is heard long before.
 *
 * @param silentInMs of the look that was just answered; undefined when it was not
 */
export const pauseMs = (sight: Sight, nowMs: number, silentInMs: number | null | undefined): number => {
  if (silentInMs === undefined) return LOOK_PAUSE_MS;
  if (silentInMs === null) return LOOK_INTERVAL_MS;
  const calmInMs = sight.outageMs === null ? 0 : sight.outageMs + GRACE_MS - nowMs;
  return Math.min(LOOK_INTERVAL_MS, Math.max(LOOK_PAUSE_MS, silentInMs, calmInMs));
};

/** Runs forever; `wake` notifies this process's workers of a waiting job. Failures are reported and retried. */
export const superviseForEver = (
  boss: PgBoss,
  wake: Effect.Effect<void>,
  report: (message: string, detail: unknown) => Effect.Effect<void>
): Effect.Effect<never> =>
  Effect.suspend(() => {
    let sight = NOTHING_SEEN;
    const ask = Effect.tryPromise(() => boss.getDb().executeSql(LOOK, [])).pipe(
      Effect.map(({ rows }) => (rows[0] as Look | undefined) ?? null),
      Effect.orElseSucceed(() => null)
    );
    const supervise = Effect.tryPromise(() => boss.supervise()).pipe(
      Effect.catch((error) => report("The job queue could not be supervised", error.cause))
    );
    const once = Effect.gen(function* () {
      const seen = yield* ask;
      const nowMs = yield* Clock.currentTimeMillis;
      sight = look(sight, nowMs, seen?.up_ms ?? null);
      const isDue = seen !== null && (seen.unclean || isOverdue(seen.silent_in_ms)) && isCalm(sight, nowMs);
      if (isDue) yield* supervise;
      if (isDue || seen?.waiting === true) yield* wake;
      return pauseMs(sight, nowMs, seen?.silent_in_ms);
    });
    // Immediately: a process often replaces one that was killed, and may be the only one.
    return once.pipe(Effect.flatMap(Effect.sleep), Effect.forever);
  });
