/**
 * Retries while a port's backing service is unavailable (ports/Unavailable), with exponential backoff and jitter.
 */
import * as Cause from "effect/Cause";
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Random from "effect/Random";
import { findUnavailable } from "../ports/Unavailable.ts";

/** Files are fetched and paid for: a bucket that is replaced takes minutes. */
export const STORING_PATIENCE_MS = 150_000;

/** A restart of a database takes seconds, a fail-over up to a minute; whoever holds a claim keeps it. */
export const DATABASE_PATIENCE_MS = 600_000;

const PAUSE_MS_MIN = 250;
const PAUSE_MS_MAX = 10_000;

/**
 * Retries an idempotent effect that fails because a service is away, busy or full. After the time limit it
 * dies with the last failure.
 */
export const throughOutage =
  (patienceMs: number) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.gen(function* () {
      const startMs = yield* Clock.currentTimeMillis;
      for (let pauseMs = PAUSE_MS_MIN; ; pauseMs = Math.min(PAUSE_MS_MAX, 2 * pauseMs)) {
        const exit = yield* Effect.exit(effect);
        const unavailable = Exit.isFailure(exit) ? findUnavailable(exit.cause) : null;
        if (unavailable === null) return yield* exit;
        const waitedMs = (yield* Clock.currentTimeMillis) - startMs;
        if (waitedMs >= patienceMs) return yield* exit;
        if (waitedMs === 0 || pauseMs === PAUSE_MS_MIN) {
          yield* Effect.logWarning(`${unavailable.message} Retrying for ${patienceMs / 1_000} s.`);
        }
        yield* Effect.sleep(pauseMs * (0.5 + (yield* Random.next)));
      }
    });

/** Of an attempt that could not go on; null for anything else, an interruption above all. */
export const outageOf = <E>(cause: Cause.Cause<E>) =>
  Cause.hasInterruptsOnly(cause) ? null : findUnavailable(cause);
