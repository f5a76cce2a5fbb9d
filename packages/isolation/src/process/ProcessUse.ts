/** What a running process uses of the machine, and how much it gets. Tests: WorkerPool.test.ts, limited.test.ts. */
import { readFileSync, writeFileSync } from "node:fs";
import { setPriority } from "node:os";
import * as Context from "effect/Context";

/** Is told, while programs and workers run, what they use of the processor, in milliseconds; null where nobody counts. */
export const ProcessorMeter = Context.Reference<((usedMs: number) => void) | null>(
  "@winnow/isolation/process/ProcessorMeter",
  { defaultValue: () => null }
);

/** Linux reports processor time in hundredths of a second on every architecture. */
const TICK_MS = 10;

const ticksOf = (pid: number): number | null => {
  try {
    const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, "latin1");
    // Fields 3 and later (proc(5)): the second is a name, which may contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [userTicks, systemTicks] = fields.slice(14 - 3);
    return Number(userTicks) + Number(systemTicks);
  } catch {
    return null;
  }
};

const isMeasurable = ticksOf(process.pid) !== null;

/** The process behind the sandbox's own, each of which waits for its only child. */
export const innermost = (pid: number): number => {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1");
    const child = Number(/^\d+/u.exec(children)?.[0]);
    return child > 0 ? innermost(child) : pid;
  } catch {
    return pid;
  }
};

/**
 * Processor time of a process's main thread, in milliseconds: a function that returns what was used since its last call,
 * none once the process has ended. The other threads of Node collect garbage. Wall-clock time where the system does not say.
 */
export const processorClock = (pidOf: () => number): (() => number) => {
  let lastTicks = 0;
  return () => {
    const before = lastTicks;
    lastTicks = isMeasurable ? (ticksOf(pidOf()) ?? before) : performance.now() / TICK_MS;
    return (lastTicks - before) * TICK_MS;
  };
};

/** Resident memory in MB; 0 where the system does not say. */
export const residentMb = (pid: number): number => {
  try {
    const kilobytes = /^VmRSS:\s+(\d+)/mu.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1];
    return Number(kilobytes ?? 0) / 1_024;
  } catch {
    return 0;
  }
};

/**
 * Lets everything else go first. If Linux distributes processor time by session (autogroup), nice values only count
 * within a session, so the session gets a lower priority too. Not reversible without privileges.
 */
export const lowerPriority = (pid: number, nice: number): void => {
  try {
    setPriority(pid, nice);
    writeFileSync(`/proc/${pid}/autogroup`, String(nice));
  } catch {
    // It has just ended, or the kernel has no autogroup.
  }
};
