/**
 * For `node --import`: timers with the durations in TEST_PATIENT_TIMERS_MS never fire. This disables limits that
 * a busy machine would exceed, and polling for events that the program receives anyway.
 */
const lengthsMs = new Set((process.env["TEST_PATIENT_TIMERS_MS"] ?? "").split(",").map(Number));

/** The longest delay of a timer: 24 days. */
const NEVER_MS = 2_147_483_647;

const setReal = globalThis.setTimeout;

globalThis.setTimeout = Object.assign(
  (run: (...given: ReadonlyArray<unknown>) => void, ms?: number, ...given: ReadonlyArray<unknown>) =>
    setReal(run, ms !== undefined && lengthsMs.has(ms) ? NEVER_MS : ms, ...given),
  setReal
);
