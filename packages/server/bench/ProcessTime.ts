/**
 * CPU time of a process, of all its threads. Linux only. Reads the scheduler's statistics, which count in
 * nanoseconds: the hundredths of a second in /proc/PID/stat are too coarse for short rounds.
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
