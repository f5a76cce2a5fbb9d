/**
 * How long large pictures may be paused for small ones: altogether no longer than they ran, but for one pause at the
 * beginning. Pure: the caller tells the time.
 */
export interface PauseBudget {
  /** Begins a pause and answers how long it may last at most, in milliseconds; 0 when there is none left. */
  readonly pause: (nowMs: number) => number;
  readonly resume: (nowMs: number) => void;
}

export const makePauseBudget = (pauseMaxMs: number): PauseBudget => {
  let leftMs = pauseMaxMs;
  let isPaused = false;
  /** The last time that `leftMs` was brought up to date. */
  let sinceMs = Number.NaN;

  const settle = (nowMs: number): void => {
    const passedMs = Number.isNaN(sinceMs) ? 0 : Math.max(0, nowMs - sinceMs);
    leftMs = isPaused ? leftMs - passedMs : Math.min(pauseMaxMs, leftMs + passedMs);
    sinceMs = nowMs;
  };

  return {
    pause: (nowMs) => {
      settle(nowMs);
      isPaused = leftMs > 0;
      return Math.max(0, leftMs);
    },
    resume: (nowMs) => {
      settle(nowMs);
      isPaused = false;
    }
  };
};
