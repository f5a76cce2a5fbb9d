/**
 * Processor time of a process, all its threads together. Linux only: /proc/PID/stat counts in hundredths of a second,
 * of which a short round has too few, while the scheduler counts in nanoseconds.
 */
import { readdirSync, readFileSync } from "node:fs";

/** CPU time so far, in seconds, without threads that have ended. */
export const cpuSeconds = (pid: number | string): number =>
  readdirSync(`/proc/${pid}/task`)
    .map((thread) => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ", 1)[0]))
    .reduce((sum, nanoseconds) => sum + nanoseconds, 0) / 1e9;

/** The median, or the greater of the two middle values. */
export const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((left, right) => left - right)[values.length >> 1] ?? Number.NaN;

/** The tenth percentile: the rounds with the least interference. */
export const tenth = (values: ReadonlyArray<number>): number =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length / 10)] ?? Number.NaN;
