/** Metrics of HTTP requests by route template, never by the actual path. Tests: metrics.test.ts. */
import { byLabels } from "@winnow/core/engine/EngineMetrics";
import { RateLimits, type RateLimit, type RateLimitState } from "@winnow/core/ports/RateLimits";
import * as Effect from "effect/Effect";
import type { HttpServerRequest } from "effect/http/HttpServerRequest";
import * as Layer from "effect/Layer";
import * as Metric from "effect/Metric";
import * as Option from "effect/Option";

/** Seconds; from a status read to an inspection of a slow source within a submit. */
const BOUNDARIES = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Methods with their own label; callers may send any. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

const requests = Metric.counter("winnow_http_requests_total", {
  description: "HTTP requests by method, route and status",
  incremental: true
});
const duration = Metric.histogram("winnow_http_request_duration_seconds", {
  description: "Duration of HTTP requests by method and route",
  boundaries: BOUNDARIES
});
const rateLimited = Metric.counter("winnow_rate_limited_requests_total", {
  description: "Requests rejected by rate limits, by limit",
  incremental: true
});

const countOne = byLabels(requests, ["method", "route", "status"]);
const time = byLabels(duration, ["method", "route"]);
const countLimited = byLabels(rateLimited, ["limit"]);

/** `template` is that of the route; undefined for unknown paths. */
export const countRequest = Effect.fnUntraced(function* (
  request: Pick<HttpServerRequest, "method">,
  template: string | undefined,
  status: number,
  durationMs: number
) {
  const method = METHODS.has(request.method) ? request.method : "other";
  const route = template ?? "other";
  yield* countOne(1, { method, route, status: String(status) });
  yield* time(durationMs / 1_000, { method, route });
});

const countRefusal = (
  { bucket }: Pick<RateLimit, "bucket">,
  { allowed }: RateLimitState
): Effect.Effect<void> => (allowed ? Effect.void : countLimited(1, { limit: bucket }));

/** Placed before RateLimits, so that rejected requests count too. */
export const countedRateLimits: Layer.Layer<RateLimits, never, RateLimits> = Layer.effect(
  RateLimits,
  Effect.map(RateLimits, ({ consume, readWithKey }) =>
    RateLimits.of({
      consume: (accountId, limit) =>
        Effect.tap(consume(accountId, limit), (state) => countRefusal(limit, state)),
      readWithKey: (keyHash, limit, extractionId) =>
        Effect.tap(readWithKey(keyHash, limit, extractionId), (read) =>
          Option.isNone(read) ? Effect.void : countRefusal(limit, read.value.state)
        )
    })
  )
);
