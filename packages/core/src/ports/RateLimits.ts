/**
 * Counts requests of an account in fixed one-minute windows (specification, "Rate limits"; contract 5).
 * Time is the Clock's, so that windows are alike in every implementation.
 */
import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";

export interface RateLimit {
  /** Requests that share a count share a bucket name. */
  readonly bucket: string;
  readonly perMinute: number;
}

export interface RateLimitState {
  readonly allowed: boolean;
  readonly limit: number;
  /** After this request; 0 when refused. */
  readonly remaining: number;
  /** Unix seconds when the window, aligned to the epoch minute, ends. */
  readonly resetAtSeconds: number;
  /** Whole seconds until then, at least 1. */
  readonly retryAfterSeconds: number;
}

export class RateLimits extends Context.Service<
  RateLimits,
  {
    /**
     * Counts one request, atomically over all processes that share the store. Refused requests do not
     * eat into the next window. Counts may be lost with the store: limits protect, they do not bill.
     */
    readonly consume: (accountId: string, limit: RateLimit) => Effect.Effect<RateLimitState>;
  }
>()("@winnow/core/ports/RateLimits") {}
