/**
 * Settings of a Node process that make its clock or its timers independent of how busy the machine is.
 */

const importing = (name: string): string =>
  [process.env["NODE_OPTIONS"], `--import=${new URL(`preload/${name}.ts`, import.meta.url).href}`]
    .filter((option) => option !== undefined && option !== "")
    .join(" ");

/** What soon follows something by `performance.now()` does so on a slow machine too. */
export const slowClock = (): Record<string, string> => ({ NODE_OPTIONS: importing("slowClock") });

/** Timers of exactly these lengths never run. */
export const patientTimers = (...lengthsMs: ReadonlyArray<number>): Record<string, string> => ({
  NODE_OPTIONS: importing("patientTimers"),
  TEST_PATIENT_TIMERS_MS: lengthsMs.join()
});
