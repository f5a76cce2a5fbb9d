/**
 * How long large images may be paused for small ones: altogether no longer than they have run, plus one initial
 * pause. Pure: the caller provides the time.
 */
export interface PauseBudget {
  /** Begins a pause and returns its maximum duration in milliseconds; 0 if the budget is used up. */
  readonly pause: (nowMs: number) => number;
  readonly resume: (nowMs: number) => void;
}

export const makePauseBudget = (pauseMaxMs: number): PauseBudget => {
  let leftMs = pauseMaxMs;
  let isPaused = false;
  /** When `leftMs` was last updated. */
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
