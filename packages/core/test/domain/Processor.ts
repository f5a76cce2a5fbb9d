/**
 * CPU time of this thread so far, in milliseconds. Stalls and other load do not count, so that a limit on it only
 * limits the work itself.
 */
export const spentMs = (): number => process.threadCpuUsage().user / 1_000;
