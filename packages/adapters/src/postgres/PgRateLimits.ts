/**
 * RateLimits in one unlogged row per account and bucket.
 *
 * The minute is taken from Effect's Clock, not from the database: windows are then the same in every
 * implementation and testable. Clocks of several servers may differ a little, so a window never goes back:
 * a server behind counts into the newest one. A refused request writes nothing.
 */
import { RateLimits } from "@winnow/core/ports/RateLimits";
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as SqlClient from "effect/sql/SqlClient";

/** Length of a window (specification, "Rate limits"). */
const WINDOW_MS = 60_000;

const COUNT = `
  insert into winnow.request_count as c (account_id, bucket, window_start_ms, requests)
  select $1, $2, $3::bigint, 1 where $4::integer > 0
  on conflict (account_id, bucket) do update set
    window_start_ms = greatest(c.window_start_ms, excluded.window_start_ms),
    requests = case when c.window_start_ms < excluded.window_start_ms then 1 else c.requests + 1 end
  where c.window_start_ms < excluded.window_start_ms or c.requests < $4::integer
  returning requests`;

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient;
  return RateLimits.of({
    consume: Effect.fn("PgRateLimits.consume")(function* (accountId, { bucket, perMinute }) {
      const nowMs = yield* Clock.currentTimeMillis;
      const startMs = nowMs - (nowMs % WINDOW_MS);
      const endMs = startMs + WINDOW_MS;
      const [counted] = yield* sql.unsafe<{ readonly requests: number }>(COUNT, [
        accountId,
        bucket,
        String(startMs),
        String(perMinute)
      ]);
      return {
        allowed: counted !== undefined,
        limit: perMinute,
        remaining: counted === undefined ? 0 : perMinute - counted.requests,
        resetAtSeconds: endMs / 1_000,
        retryAfterSeconds: Math.max(1, Math.ceil((endMs - nowMs) / 1_000))
      };
    }, Effect.orDie)
  });
});

export const layer: Layer.Layer<RateLimits, never, SqlClient.SqlClient> = Layer.effect(RateLimits, make);
