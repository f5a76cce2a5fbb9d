/**
 * Limits that every program gets, whatever it is run for, within what this process may set.
 */
import { readFileSync } from "node:fs";

/** Open files of one program: yt-dlp at eight segments at once, with its connections, has about 60. */
const OPEN_FILES_MAX = 1_024;

/**
 * Processes and threads, which stops a program that forks without end. The system counts all of the same
 * user, this server's own among them, so it lies far above what they need. It does not bind root.
 */
const PROCESSES_MAX = 8_192;

/** In a sandbox only its own are counted: ffmpeg has a thread for each processor and filter, gallery-dl one. */
const CONFINED_PROCESSES_MAX = 512;

const hardLimits = (): string => {
  try {
    return readFileSync("/proc/self/limits", "latin1");
  } catch {
    return "";
  }
};

/** Setting more than the hard limit fails; without /proc there is nothing to read and nothing to set. */
const withinHardLimit = (limits: string, name: string, wanted: number): number => {
  const hard = new RegExp(String.raw`^${name}\s+\S+\s+(\d+)`, "mu").exec(limits)?.[1];
  return hard === undefined ? wanted : Math.min(wanted, Number(hard));
};

const LIMITS = hardLimits();

export const PROCESS_LIMITS = {
  openFilesMax: withinHardLimit(LIMITS, "Max open files", OPEN_FILES_MAX),
  processesMax: withinHardLimit(LIMITS, "Max processes", PROCESSES_MAX),
  confinedProcessesMax: withinHardLimit(LIMITS, "Max processes", CONFINED_PROCESSES_MAX)
} as const;
