/**
 * Pauses the conversion of large images while small ones are converted. Small ones take milliseconds, and would
 * otherwise share processors, caches and memory with decoders that take seconds. Priorities are no substitute: they
 * only work within a session, and on a busy machine a process of low priority starves.
 */
import { makePauseBudget } from "./PauseBudget.ts";

/** Stops or continues a process. */
export type SetPaused = (isPaused: boolean) => void;

export interface PicturePauses {
  readonly smallBegins: () => void;
  readonly smallEnds: () => void;
  readonly largeBegins: (setPaused: SetPaused) => void;
  /** Continues the process first, so that it can be ended. */
  readonly largeEnds: (setPaused: SetPaused) => void;
}

/**
 * @param pauseMaxMs of one pause; even endless small images pause the large ones for only half of the time
 */
export const makePicturePauses = (pauseMaxMs: number): PicturePauses => {
  const budget = makePauseBudget(pauseMaxMs);
  const large = new Set<SetPaused>();
  let smallCount = 0;
  /** Ends the current pause; null if there is none. */
  let timer: NodeJS.Timeout | null = null;

  const resume = (): void => {
    if (timer === null) return;
    clearTimeout(timer);
    timer = null;
    budget.resume(performance.now());
    for (const setPaused of large) setPaused(false);
  };

  const pause = (): void => {
    if (timer !== null || smallCount === 0 || large.size === 0) return;
    const pauseMs = budget.pause(performance.now());
    if (pauseMs === 0) return;
    timer = setTimeout(resume, pauseMs);
    for (const setPaused of large) setPaused(true);
  };

  return {
    smallBegins: () => {
      smallCount += 1;
      pause();
    },
    smallEnds: () => {
      smallCount -= 1;
      if (smallCount === 0) resume();
    },
    largeBegins: (setPaused) => {
      large.add(setPaused);
      if (timer === null) pause();
      else setPaused(true);
    },
    largeEnds: (setPaused) => {
      large.delete(setPaused);
      if (timer !== null) setPaused(false);
      if (large.size === 0) resume();
    }
  };
};
