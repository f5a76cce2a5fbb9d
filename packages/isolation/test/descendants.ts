/**
 * All descendants of this process, from the kernel's lists of child processes if it has them. Tests that wait
 * check often, and reading all of /proc each time takes more CPU time than what they wait for.
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

/** Child processes, including those that have ended but are not reaped yet. */
export const childrenOf = (pid: string): ReadonlyArray<string> => (hasLists ? listed(pid) : searched(pid));

export const descendants = (pid = String(process.pid)): ReadonlyArray<string> =>
  childrenOf(pid).flatMap((child) => [child, ...descendants(child)]);
