/** Rate limits within one process, by Effect's Clock. */
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { makeReadWithKey, RateLimits, type RateLimit } from "../ports/RateLimits.ts";
import type { Store } from "../ports/Store.ts";

const WINDOW_MS = 60_000;

const make = Effect.gen(function* () {
  let windowStartMs = 0;
  /** Counts of the current window only. */
  let counts = new Map<string, number>();

  const consume = Effect.fnUntraced(function* (accountId: string, { bucket, perMinute }: RateLimit) {
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
  });

  return RateLimits.of({ consume, readWithKey: yield* makeReadWithKey(consume) });
});

export const layer: Layer.Layer<RateLimits, never, Store> = Layer.effect(RateLimits, make);
