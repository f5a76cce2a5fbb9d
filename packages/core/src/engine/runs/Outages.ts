/**
 * Retries while a port's backing service is unavailable (ports/Unavailable), with exponential backoff and jitter.
 */
import * as Cause from "effect/Cause";
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Random from "effect/Random";
import { findUnavailable } from "../../ports/Unavailable.ts";

/** Fetched files were expensive to get, and replacing a bucket takes minutes. */
export const STORING_RETRY_LIMIT_MS = 150_000;

/** Restarting a database takes seconds, a failover up to a minute; claims are kept meanwhile. */
export const DATABASE_RETRY_LIMIT_MS = 600_000;

const PAUSE_MS_MIN = 250;
const PAUSE_MS_MAX = 10_000;

/**
 * Retries an idempotent effect that fails because a service is away, busy or full. After the time limit it
 * dies with the last failure.
 */
export const retryOutage =
  (limitMs: number) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.gen(function* () {
      const startMs = yield* Clock.currentTimeMillis;
      for (let pauseMs = PAUSE_MS_MIN; ; pauseMs = Math.min(PAUSE_MS_MAX, 2 * pauseMs)) {
        const exit = yield* Effect.exit(effect);
        const unavailable = Exit.isFailure(exit) ? findUnavailable(exit.cause) : null;
        if (unavailable === null) return yield* exit;
        const waitedMs = (yield* Clock.currentTimeMillis) - startMs;
        if (waitedMs >= limitMs) return yield* exit;
        if (waitedMs === 0 || pauseMs === PAUSE_MS_MIN) {
          yield* Effect.logWarning(`${unavailable.message} Retrying for ${limitMs / 1_000} s.`);
        }
        yield* Effect.sleep(pauseMs * (0.5 + (yield* Random.next)));
      }
    });

/** The outage that ended an attempt; null for any other cause, especially interruption. */
export const outageOf = <E>(cause: Cause.Cause<E>) =>
  Cause.hasInterruptsOnly(cause) ? null : findUnavailable(cause);
