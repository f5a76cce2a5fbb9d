/** How long code keeps this thread from everything else. */
import * as Effect from "effect/Effect";

/** The result of `effect`, and the longest uninterrupted computation of this thread meanwhile. */
export const longestTurnMs = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  let longest = 0;
  let before = process.threadCpuUsage().user;
  const timer = setInterval(() => {
    const now = process.threadCpuUsage().user;
    longest = Math.max(longest, (now - before) / 1_000);
    before = now;
  }, 1);
  const exit = yield* Effect.exit(effect);
  clearInterval(timer);
  return { longest, exit };
});
