/**
 * Milliseconds of the processor that this thread has taken so far. A machine that stalls or does something else
 * meanwhile takes none of them, so that a limit on them is one on the work alone.
 */
export const spentMs = (): number => process.threadCpuUsage().user / 1_000;
