/**
 * Processes below this one, from the kernel's lists of children where it has them: a test that waits asks often, and
 * reading all of /proc each time takes more of the processor than what it waits for.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";

const textOf = (file: string): string => {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return ""; // it has just ended
  }
};

const entriesOf = (folder: string): ReadonlyArray<string> => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

const listed = (pid: string): ReadonlyArray<string> =>
  entriesOf(`/proc/${pid}/task`).flatMap((task) =>
    textOf(`/proc/${pid}/task/${task}/children`).split(" ").filter(Boolean)
  );

const searched = (pid: string): ReadonlyArray<string> =>
  entriesOf("/proc").filter(
    (each) => /^\d+$/u.test(each) && /\) \S (\d+)/u.exec(textOf(`/proc/${each}/stat`))?.[1] === pid
  );

const hasLists = existsSync(`/proc/${process.pid}/task/${process.pid}/children`);

/** Includes those that have ended and are not reaped yet. */
export const childrenOf = (pid: string): ReadonlyArray<string> => (hasLists ? listed(pid) : searched(pid));

export const descendants = (pid = String(process.pid)): ReadonlyArray<string> =>
  childrenOf(pid).flatMap((child) => [child, ...descendants(child)]);
