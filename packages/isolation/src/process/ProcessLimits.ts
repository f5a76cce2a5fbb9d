/** Limits of every program, within what this process may set. Tests: limited.test.ts. */
import { readFileSync } from "node:fs";

/** Open files per program: yt-dlp loads 16 segments of each of two streams at once. */
const OPEN_FILES_MAX = 1_024;

/**
 * Processes and threads, which stops fork bombs. The system counts all processes of the user, including this
 * server's, so the limit is far above what programs need. It does not apply to root.
 */
const PROCESSES_MAX = 8_192;

/** In a sandbox only its own count: ffmpeg has a thread per processor and filter, gallery-dl one. */
const CONFINED_PROCESSES_MAX = 512;

const hardLimits = (): string => {
  try {
    return readFileSync("/proc/self/limits", "latin1");
  } catch {
    return "";
  }
};

/** Setting more than the hard limit fails; without /proc there is nothing to read and nothing to set. */
const withinHardLimit = (limits: string, name: string, requested: number): number => {
  const hard = new RegExp(String.raw`^${name}\s+\S+\s+(\d+)`, "mu").exec(limits)?.[1];
  return hard === undefined ? requested : Math.min(requested, Number(hard));
};

const LIMITS = hardLimits();

export const PROCESS_LIMITS = {
  openFilesMax: withinHardLimit(LIMITS, "Max open files", OPEN_FILES_MAX),
  processesMax: withinHardLimit(LIMITS, "Max processes", PROCESSES_MAX),
  confinedProcessesMax: withinHardLimit(LIMITS, "Max processes", CONFINED_PROCESSES_MAX)
} as const;
