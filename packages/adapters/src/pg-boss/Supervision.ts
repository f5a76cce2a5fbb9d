/**
 * Looks for jobs whose worker was not heard of. pg-boss's own timer would take every job from every worker at the
 * first look after an outage of the database, because nobody could be heard through it: here workers get the time
 * to be heard again first.
 */
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import type { PgBoss } from "pg-boss";

/** How often any of the processes looks. */
export const SUPERVISE_INTERVAL_SECONDS = 3;

/** After an outage: three beats of a worker, and what its connections take to come back. */
export const GRACE_MS = 20_000;

/** Looks further apart than this say that the database, or this process, stood still in between. */
const STOOD_STILL_MS = 4 * SUPERVISE_INTERVAL_SECONDS * 1_000;

const UPTIME =
  "select extract(epoch from clock_timestamp() - pg_postmaster_start_time())::float8 * 1000 as up_ms";

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
  // A server that came up before anybody here looked has no workers of ours to wait for, unless it came up just now.
  const restarted = upMs < GRACE_MS ? nowMs - upMs : null;
  const outageMs = stoodStill ? nowMs : Math.max(before.outageMs ?? 0, restarted ?? 0);
  return { lastMs: nowMs, outageMs: outageMs === 0 ? null : outageMs };
};

/** Whether silence of a worker means something. */
export const isCalm = ({ outageMs }: Sight, nowMs: number): boolean =>
  outageMs === null || nowMs - outageMs >= GRACE_MS;

/** For ever. What fails is told, and tried again at the next look. */
export const superviseForEver = (
  boss: PgBoss,
  report: (message: string, detail: unknown) => Effect.Effect<void>
): Effect.Effect<never> =>
  Effect.suspend(() => {
    let sight = NOTHING_SEEN;
    const uptime = Effect.tryPromise(() => boss.getDb().executeSql(UPTIME, [])).pipe(
      Effect.map(({ rows }) => Number((rows[0] as { up_ms?: unknown } | undefined)?.up_ms ?? Number.NaN)),
      Effect.map((upMs) => (Number.isFinite(upMs) ? upMs : null)),
      Effect.orElseSucceed(() => null)
    );
    const once = Effect.gen(function* () {
      const upMs = yield* uptime;
      const nowMs = yield* Clock.currentTimeMillis;
      sight = look(sight, nowMs, upMs);
      if (upMs === null || !isCalm(sight, nowMs)) return;
      yield* Effect.tryPromise(() => boss.supervise()).pipe(
        Effect.catch((error) => report("The job queue could not be supervised", error.cause))
      );
    });
    return Effect.sleep(SUPERVISE_INTERVAL_SECONDS * 1_000).pipe(Effect.andThen(once), Effect.forever);
  });
