/**
 * RateLimits in one unlogged row per account and bucket.
 *
 * The minute is taken from Effect's Clock, not from the database: windows are then the same in every
 * implementation and testable. Clocks of several servers may differ a little, so a window does not go back:
 * a server behind counts into the newest one. A refused request writes nothing.
 */
import type { KeyHolder } from "@winnow/core/domain/ApiKey";
import { RateLimits, type RateLimitState } from "@winnow/core/ports/RateLimits";
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as SqlClient from "effect/sql/SqlClient";
import { readAccount, shownExtraction } from "./Documents.ts";
import { orUnavailable } from "./StorageFault.ts";

/** Length of a window (specification, "Rate limits"). */
const WINDOW_MS = 60_000;

/**
 * A window further ahead of a server's clock than clocks may differ was opened by one that was wrong, and is
 * over: it would shut the account out until then.
 */
const CLOCKS_DIFFER_MS_MAX = 10 * WINDOW_MS;

const IS_OVER = `not c.window_start_ms between excluded.window_start_ms
  and excluded.window_start_ms + ${CLOCKS_DIFFER_MS_MAX}`;

/** `source` gives the account of the row, `limit` what may be counted; the rest is the window's. */
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
 * A use is written down with the start of its minute, once, and waits for no disk: other requests' statements stand
 * behind it on the same connection, and one that a crash forgets is written at the next use. The account goes as text:
 * few requests want it, and JSON would be parsed for all. No extraction has the empty id.
 */
const ADMIT = `
  with holder as (
      select k.account_id, k.id, k.name, k.daily_credits, winnow.account_json(a)::text as account,
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
    h.per_minute as "perMinute", n.requests, h.account, (
      select winnow.extraction_json(e) from winnow.extraction e
      where e.id = $7 and e.account_id = h.account_id and n.requests is not null) as extraction
  from holder h left join counted n on true`;

interface AdmittedRow extends KeyHolder {
  readonly perMinute: number;
  /** Null when the request was refused. */
  readonly requests: number | null;
  /** JSON. */
  readonly account: string;
  /** Null when there is none. */
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

/** `requests` is null when the request was refused. */
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

  return RateLimits.of({
    consume: Effect.fn("PgRateLimits.consume")(function* (accountId, limit) {
      const window = yield* currentWindow;
      const { bucket, perMinute } = limit;
      const asked = [accountId, bucket, String(window.startMs), String(perMinute)];
      const [counted] = yield* sql.unsafe<{ readonly requests: number }>(COUNT, asked);
      return stateOf(perMinute, window, counted?.requests ?? null);
    }, orUnavailable),
    // Of every request: a span whose call is not traced back costs half of one that is.
    admit: Effect.fnUntraced(
      function* (keyHash, limit, extractionId) {
        const { bucket, rate, times, perMinuteByPlan } = limit;
        const window = yield* currentWindow;
        const plans = JSON.stringify(perMinuteByPlan);
        const asked = [
          keyHash,
          bucket,
          String(window.startMs),
          plans,
          rate,
          String(times),
          extractionId ?? ""
        ];
        const [row] = yield* sql.unsafe<AdmittedRow>(ADMIT, asked);
        return Option.map(
          Option.fromUndefinedOr(row),
          ({ requests, perMinute, account, extraction, ...holder }) => ({
            holder,
            account: () => readAccount(JSON.parse(account)),
            extraction: () => Option.map(Option.fromNullOr(extraction), shownExtraction),
            state: stateOf(perMinute, window, requests)
          })
        );
      },
      orUnavailable,
      Effect.withSpan("PgRateLimits.admit")
    )
  });
});

export const layer: Layer.Layer<RateLimits, never, SqlClient.SqlClient> = Layer.effect(RateLimits, make);
