/**
 * One look every few seconds, in one statement: whether jobs wait that nobody was told of, and whether a worker was
 * not heard of. pg-boss's own timer would take every job from every worker at the first look after an outage of the
 * database, because nobody could be heard through it: here workers get the time to be heard again first. At rest it
 * is all that the queue asks of the database.
 */
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import type { PgBoss } from "pg-boss";
import { CLEAN_INTERVAL_SECONDS, QUEUE, SCHEMA } from "./Boss.ts";

/** How often each of the processes looks. */
export const LOOK_INTERVAL_SECONDS = 5;

/** After an outage: three beats of a worker, and what its connections take to come back. */
export const GRACE_MS = 20_000;

/** Looks further apart than this say that the database, or this process, stood still in between. */
const STOOD_STILL_MS = 3 * LOOK_INTERVAL_SECONDS * 1_000;

/** Partial indexes of pg-boss end each of these at its first row. */
const LIVE = `j.name = '${QUEUE}' and j.policy = 'exclusive' and j.state <= 'active'`;
const LOOK = `select
    extract(epoch from clock_timestamp() - pg_postmaster_start_time())::float8 * 1000 as up_ms,
    exists (select 1 from ${SCHEMA}.job j where ${LIVE} and j.state < 'active' and not j.blocked
      and j.start_after <= now()) as waiting,
    exists (select 1 from ${SCHEMA}.job j where ${LIVE} and j.state = 'active'
      and (j.heartbeat_on + j.heartbeat_seconds * interval '1 s' < now()
        or j.started_on + j.expire_seconds * interval '1 s' < now()))
    or exists (select 1 from ${SCHEMA}.queue q
      where coalesce(q.maintain_on, '-infinity') < now() - interval '${CLEAN_INTERVAL_SECONDS} s') as due`;

interface Look {
  /** Since the server came up, in milliseconds. */
  readonly up_ms: number;
  /** A job may be taken up. */
  readonly waiting: boolean;
  /** pg-boss has something to do: take a job from its worker, or delete done ones. */
  readonly due: boolean;
}

/** What was seen of the database, by this process's clock. */
export interface Sight {
  /** Of the last look that was answered; null before the first. */
  readonly lastMs: number | null;
  /** Of the last one that said that there was an outage. */
  readonly outageMs: number | null;
}

export const NOTHING_SEEN: Sight = { lastMs: null, outageMs: null };

/** `upMs`: how long the database has been up; null when it did not answer. */
export const look = (before: Sight, nowMs: number, upMs: number | null): Sight => {
  if (upMs === null) return { ...before, outageMs: nowMs };
  const stoodStill = before.lastMs !== null && nowMs - before.lastMs > STOOD_STILL_MS;
  // A server that came up before anybody here looked has none of our workers to wait for, unless it came up just now.
  const restarted = upMs < GRACE_MS ? nowMs - upMs : null;
  const outageMs = stoodStill ? nowMs : Math.max(before.outageMs ?? 0, restarted ?? 0);
  return { lastMs: nowMs, outageMs: outageMs === 0 ? null : outageMs };
};

/** Whether silence of a worker means something. */
export const isCalm = ({ outageMs }: Sight, nowMs: number): boolean =>
  outageMs === null || nowMs - outageMs >= GRACE_MS;

/** For ever; `wake` tells the workers of this process that a job waits. What fails is told, and tried again. */
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
      const isDue = seen?.due === true && isCalm(sight, nowMs);
      if (isDue) yield* supervise;
      if (isDue || seen?.waiting === true) yield* wake;
    });
    // At once: who starts often starts in the place of one that was killed, and may be the only one.
    return once.pipe(Effect.andThen(Effect.sleep(LOOK_INTERVAL_SECONDS * 1_000)), Effect.forever);
  });
