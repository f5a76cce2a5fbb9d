/**
 * RateLimits in one unlogged row per account and bucket.
 *
 * The minute comes from Effect's Clock, not from the database, so that windows are the same in every implementation
 * and testable. Server clocks may differ slightly, so windows never go back: a server that is behind counts into
 * the newest one. A rejected request writes nothing.
 */
import type { KeyHolder } from "@winnow/core/domain/access/ApiKey";
import { limitByPlan } from "@winnow/core/domain/money/Plan";
import { Plans } from "@winnow/core/ports/Plans";
import { RateLimits, type RateLimitState } from "@winnow/core/ports/RateLimits";
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as SqlClient from "effect/sql/SqlClient";
import { shownExtraction } from "./Documents.ts";
import { orUnavailable } from "./StorageFault.ts";

const WINDOW_MS = 60_000;

/**
 * A window further in the future than clocks may differ was opened by a wrong clock and is ignored; it would lock
 * out the account until then.
 */
const CLOCKS_DIFFER_MS_MAX = 10 * WINDOW_MS;

const IS_OVER = `not c.window_start_ms between excluded.window_start_ms
  and excluded.window_start_ms + ${CLOCKS_DIFFER_MS_MAX}`;

/** `source` provides the account of the row, `limit` the number of requests; the rest is the window's. */
const countFor = (source: string, limit: string): string => `
  insert into winnow.request_count as c (account_id, bucket, window_start_ms, requests)
  ${source}
  on conflict (account_id, bucket) do update set
    window_start_ms = case when ${IS_OVER} then excluded.window_start_ms else c.window_start_ms end,
    requests = case when ${IS_OVER} then 1 else c.requests + 1 end
  where ${IS_OVER} or c.requests < ${limit}
  returning requests`;

const COUNT = countFor("select $1, $2, $3::bigint, 1 where $4::integer > 0", "$4::integer");

/**
 * A use is recorded with the start of its minute, once, without waiting for the disk: other statements queue behind
 * it on the same connection, and a lost one is written at the next use. No extraction has an empty id.
 */
const READ_WITH_KEY = `
  with holder as (
      select k.account_id, k.id, k.name, k.daily_credits, k.created_by,
        $6::integer * coalesce(
          (a.limits ->> $5)::integer, ($4::json ->> a.plan)::integer, ($4::json ->> 'default')::integer
        ) as per_minute
      from winnow.api_key k join winnow.account a on a.id = k.account_id
      where k.hash = $1 and k.revoked_at is null),
    used as (update winnow.api_key k set last_used_at_ms = $3::bigint
      where k.hash = $1 and k.revoked_at is null and coalesce(k.last_used_at_ms, 0) < $3::bigint
      returning set_config('synchronous_commit', 'off', true)),
    counted as (${countFor(
      "select h.account_id, $2, $3::bigint, 1 from holder h where h.per_minute > 0",
      "(select h.per_minute from holder h)"
    )})
  select h.account_id as "accountId", h.id, h.name, h.daily_credits::float8 as "dailyCredits",
    h.created_by as "createdBy", h.per_minute as "perMinute", n.requests, (
      select winnow.extraction_json(e) from winnow.extraction e
      where e.id = $7 and e.account_id = h.account_id and n.requests is not null) as extraction
  from holder h left join counted n on true`;

interface KeyedRow extends KeyHolder {
  readonly perMinute: number;
  /** Null if the request was rejected. */
  readonly requests: number | null;
  /** Null if there is none. */
  readonly extraction: unknown;
}

interface Window {
  readonly startMs: number;
  readonly nowMs: number;
}

const currentWindow: Effect.Effect<Window> = Effect.map(Clock.currentTimeMillis, (nowMs) => ({
  startMs: nowMs - (nowMs % WINDOW_MS),
  nowMs
}));

/** `requests` is null if the request was rejected. */
const stateOf = (perMinute: number, { startMs, nowMs }: Window, requests: number | null): RateLimitState => {
  const endMs = startMs + WINDOW_MS;
  return {
    allowed: requests !== null,
    limit: perMinute,
    remaining: requests === null ? 0 : perMinute - requests,
    resetAtSeconds: endMs / 1_000,
    retryAfterSeconds: Math.max(1, Math.ceil((endMs - nowMs) / 1_000))
  };
};

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient;
  const { book } = yield* Plans;

  return RateLimits.of({
    consume: Effect.fn("PgRateLimits.consume")(function* (accountId, limit) {
      const window = yield* currentWindow;
      const { bucket, perMinute } = limit;
      const parameters = [accountId, bucket, String(window.startMs), String(perMinute)];
      const [counted] = yield* sql.unsafe<{ readonly requests: number }>(COUNT, parameters);
      return stateOf(perMinute, window, counted?.requests ?? null);
    }, orUnavailable),
    // Called for every request: skipping the call-site trace halves the cost of the span.
    readWithKey: Effect.fnUntraced(
      function* (keyHash, { bucket, limit, times }, extractionId) {
        const window = yield* currentWindow;
        const plans = JSON.stringify(limitByPlan(book(), limit));
        const parameters = [
          keyHash,
          bucket,
          String(window.startMs),
          plans,
          limit,
          String(times),
          extractionId ?? ""
        ];
        const [row] = yield* sql.unsafe<KeyedRow>(READ_WITH_KEY, parameters);
        return Option.map(Option.fromUndefinedOr(row), ({ requests, perMinute, extraction, ...holder }) => ({
          holder,
          extraction: () => Option.map(Option.fromNullOr(extraction), shownExtraction),
          state: stateOf(perMinute, window, requests)
        }));
      },
      orUnavailable,
      Effect.withSpan("PgRateLimits.readWithKey")
    )
  });
});

export const layer: Layer.Layer<RateLimits, never, SqlClient.SqlClient> = Layer.effect(RateLimits, make);
