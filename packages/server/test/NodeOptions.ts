/**
 * Environment variables that make the clock or the timers of a Node process independent of the machine's speed.
 */

const importing = (name: string): string =>
  [process.env["NODE_OPTIONS"], `--import=${new URL(`preload/${name}.ts`, import.meta.url).href}`]
    .filter((option) => option !== undefined && option !== "")
    .join(" ");

/** Slows `performance.now()` down, so that short time windows do not end early on a slow machine. */
export const slowClock = (): Record<string, string> => ({ NODE_OPTIONS: importing("slowClock") });

/** Timers with exactly these durations never fire. */
export const patientTimers = (...lengthsMs: ReadonlyArray<number>): Record<string, string> => ({
  NODE_OPTIONS: importing("patientTimers"),
  TEST_PATIENT_TIMERS_MS: lengthsMs.join()
});
