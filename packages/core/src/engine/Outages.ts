/** Retries while a port's backing service is unavailable (ports/Unavailable), with exponential backoff and jitter. */
import * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";
import * as Schedule from "effect/Schedule";
import { findUnavailable } from "../ports/Unavailable.ts";

/** Fetched files were expensive to get, and replacing a bucket takes minutes. */
export const STORING_RETRY_LIMIT_MS = 150_000;

/** Restarting a database takes seconds, a failover up to a minute; claims are kept meanwhile. */
export const DATABASE_RETRY_LIMIT_MS = 600_000;

const PAUSES = Schedule.jittered(
  Schedule.min([Schedule.exponential("250 millis"), Schedule.spaced("10 seconds")])
);

/**
 * Retries an idempotent effect that fails because a service is away, busy or full. After the time limit it
 * dies with the last failure.
 */
export const retryOutage =
  (limitMs: number) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.sandbox(effect).pipe(
      Effect.retry({
        while: (cause) => findUnavailable(cause) !== null,
        schedule: PAUSES.pipe(
          Schedule.upTo({ duration: limitMs }),
          Schedule.setInputType<Cause.Cause<E>>(),
          Schedule.tap(({ attempt, input }) =>
            attempt === 1
              ? Effect.logWarning(`${findUnavailable(input)?.message} Retrying for ${limitMs / 1_000} s.`)
              : Effect.void
          )
        )
      }),
      Effect.catch(Effect.failCause)
    );

/** The outage that ended an attempt; null for any other cause, especially interruption. */
export const outageOf = <E>(cause: Cause.Cause<E>) =>
  Cause.hasInterruptsOnly(cause) ? null : findUnavailable(cause);
