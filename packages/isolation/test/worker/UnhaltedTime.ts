/** A clock for limits that a busy machine must not trip: it advances while this process is running or ready. */
import * as Clock from "effect/Clock";
import * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";

const LOOK_EVERY_MS = 10;

/** The part of the time between two samples that counts; during the rest, the machine was stalled. */
const STEP_MAX_MS = 2 * LOOK_EVERY_MS;

const sleep = (duration: Duration.Duration): Effect.Effect<void> =>
  Effect.callback((resume) => {
    let beforeMs = performance.now();
    let passedMs = 0;
    const timer = setInterval(() => {
      const nowMs = performance.now();
      passedMs += Math.min(STEP_MAX_MS, nowMs - beforeMs);
      beforeMs = nowMs;
      if (passedMs < Duration.toMillis(duration)) return;
      clearInterval(timer);
      resume(Effect.void);
    }, LOOK_EVERY_MS);
    return Effect.sync(() => clearInterval(timer));
  });

/** Add it to the layer under test: real time, without the seconds in which the process was stalled. */
export const onUnhaltedTime: Layer.Layer<never> = Layer.effect(
  Clock.Clock,
  Effect.map(Clock.Clock, (real): Clock.Clock => Object.assign(Object.create(real), { sleep }))
);
