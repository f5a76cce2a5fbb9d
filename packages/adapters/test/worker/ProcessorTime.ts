/**
 * Clocks for limits that a busy machine must not trip: one advances with this process's CPU time, the other
 * while the process is running or ready.
 */
import * as Clock from "effect/Clock";
import * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";

/** CPU time of all threads of this process, in milliseconds. */
export const processorMs = (): number => {
  const { system, user } = process.cpuUsage();
  return (system + user) / 1_000;
};

const LOOK_EVERY_MS = 10;

/** The part of the time between two samples that counts; during the rest, the machine was stalled. */
const STEP_MAX_MS = 2 * LOOK_EVERY_MS;

/** At every sample, returns how much of its time has passed since it was created. */
type Watch = () => number;

const processorWatch = (): Watch => {
  const startMs = processorMs();
  return () => processorMs() - startMs;
};

const stepWatch = (): Watch => {
  let beforeMs = performance.now();
  let passedMs = 0;
  return () => {
    const nowMs = performance.now();
    passedMs += Math.min(STEP_MAX_MS, nowMs - beforeMs);
    beforeMs = nowMs;
    return passedMs;
  };
};

const clockWith = (start: () => Watch): Layer.Layer<never> => {
  const sleep = (duration: Duration.Duration): Effect.Effect<void> =>
    Effect.callback((resume) => {
      const watch = start();
      const timer = setInterval(() => {
        if (watch() < Duration.toMillis(duration)) return;
        clearInterval(timer);
        resume(Effect.void);
      }, LOOK_EVERY_MS);
      return Effect.sync(() => clearInterval(timer));
    });
  const sleeping = (real: Clock.Clock): Clock.Clock => Object.assign(Object.create(real), { sleep });
  return Layer.effect(Clock.Clock, Effect.map(Clock.Clock, sleeping));
};

/**
 * Add it to the layer under test: its time limits then apply to the CPU time of all threads of this process. Code
 * that waits for another process or the network must not sleep on this clock.
 */
export const onProcessorTime: Layer.Layer<never> = clockWith(processorWatch);

/** The same for work that also waits: real time, without the seconds in which the process was stalled. */
export const onUnhaltedTime: Layer.Layer<never> = clockWith(stepWatch);

/** The result of `effect`, its CPU time, and the longest uninterrupted computation of this thread meanwhile. */
export const longestTurnMs = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  let longest = 0;
  let before = process.threadCpuUsage().user;
  const timer = setInterval(() => {
    const now = process.threadCpuUsage().user;
    longest = Math.max(longest, (now - before) / 1_000);
    before = now;
  }, 1);
  const startMs = processorMs();
  const exit = yield* Effect.exit(effect);
  clearInterval(timer);
  return { longest, tookMs: processorMs() - startMs, exit };
});
