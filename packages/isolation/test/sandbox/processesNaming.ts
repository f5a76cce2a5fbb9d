import { readdirSync, readFileSync } from "node:fs";

/** Ids of processes that have the word among their arguments. Linux only. */
export const processesNaming = (mark: string): ReadonlyArray<string> =>
  readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/u.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "latin1").split("\0").includes(mark);
    } catch {
      return false;
    }
  });
