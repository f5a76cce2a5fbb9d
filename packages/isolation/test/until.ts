/** Waiting for what processes do. */
import { readFileSync } from "node:fs";
import * as Effect from "effect/Effect";
import * as Schedule from "effect/Schedule";

/** False also for a zombie, which has ended but is not reaped yet. */
export const isRunning = (pid: number): boolean => {
  try {
    return !/\) [ZX] /u.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
};

/** Checks every 20 ms, for almost as long as a test may take, because starting programs is slow on a busy machine. */
export const until = (holds: () => boolean): Effect.Effect<void, string> =>
  Effect.suspend(() => (holds() ? Effect.void : Effect.fail("it never came true"))).pipe(
    Effect.retry({ schedule: Schedule.spaced("20 millis"), times: 2_500 })
  );
