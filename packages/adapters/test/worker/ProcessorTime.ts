/**
 * Time that only goes on while this process computes, in any of its threads: limits of computing then end what
 * computes for too long, and nothing that a busy machine holds up.
 */
import * as Clock from "effect/Clock";
import * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";

/** Of all threads of this process, in milliseconds. */
export const processorMs = (): number => {
  const { system, user } = process.cpuUsage();
  return (system + user) / 1_000;
};

/** Between two looks at what the process has used. */
const LOOK_EVERY_MS = 10;

const sleep = (duration: Duration.Duration): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const untilMs = processorMs() + Duration.toMillis(duration);
    const timer = setInterval(() => {
      if (processorMs() < untilMs) return;
      clearInterval(timer);
      resume(Effect.void);
    }, LOOK_EVERY_MS);
    return Effect.sync(() => clearInterval(timer));
  });

/** Beside the layer of what is tested. Nothing that waits for another process or the network must sleep on it. */
export const onProcessorTime: Layer.Layer<never> = Layer.effect(
  Clock.Clock,
  Effect.map(Clock.Clock, (real): Clock.Clock => Object.assign(Object.create(real), { sleep }))
);

/** What became of `effect`, what it took, and the longest that this thread computed at a stretch meanwhile. */
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
