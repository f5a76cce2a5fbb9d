/**
 * Rate limits within one process, by Effect's Clock.
 */
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { RateLimits } from "../ports/RateLimits.ts";

const WINDOW_MS = 60_000;

const make = Effect.sync(() => {
  let windowStartMs = 0;
  /** Counts of the current window only. */
  let counts = new Map<string, number>();

  return RateLimits.of({
    consume: Effect.fnUntraced(function* (accountId, { bucket, perMinute }) {
      const nowMs = yield* Clock.currentTimeMillis;
      const startMs = nowMs - (nowMs % WINDOW_MS);
      if (startMs !== windowStartMs) {
        windowStartMs = startMs;
        counts = new Map();
      }
      const key = JSON.stringify([accountId, bucket]);
      const used = counts.get(key) ?? 0;
      const allowed = used < perMinute;
      if (allowed) counts.set(key, used + 1);
      const endMs = startMs + WINDOW_MS;
      return {
        allowed,
        limit: perMinute,
        remaining: allowed ? perMinute - used - 1 : 0,
        resetAtSeconds: endMs / 1_000,
        retryAfterSeconds: Math.max(1, Math.ceil((endMs - nowMs) / 1_000))
      };
    })
  });
});

export const layer: Layer.Layer<RateLimits> = Layer.effect(RateLimits, make);
