/**
 * Waits for what comes about by itself in this process. Looks at it again and again, with a pause in between:
 * without one, looking takes the processor from the work that it waits for.
 */
import { setTimeout } from "node:timers/promises";
import * as Effect from "effect/Effect";

const PAUSE_MS = 5;

/** By the real clock: a test's own may stand still. */
const pause = Effect.promise(() => setTimeout(PAUSE_MS));

/** Resolves with the first value for which the condition holds. */
export const lookUntil = <A, E, R>(
  look: Effect.Effect<A, E, R>,
  holds: (value: A) => boolean
): Effect.Effect<A, E, R> =>
  Effect.flatMap(look, (first) =>
    holds(first) ? Effect.succeed(first) : Effect.repeat(Effect.andThen(pause, look), { until: holds })
  );
