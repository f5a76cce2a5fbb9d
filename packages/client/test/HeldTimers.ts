/** Timeouts that expire when a test says so, and not because the machine was slow. */
import type { ServerResponse } from "node:http";

export interface HeldTimers extends Disposable {
  /** Advances the clock of these timers, and runs those that are due. */
  readonly advance: (byMs: number) => void;
  /** How many have not run yet. */
  readonly count: () => number;
}

interface Held {
  readonly dueMs: number;
  readonly run: () => void;
}

/** Timers with these durations use a clock that the test advances; all others are real. */
export const holdTimers = (...lengthsMs: ReadonlyArray<number>): HeldTimers => {
  const held = new Set<Held>();
  let nowMs = 0;
  const { setTimeout: setOther, clearTimeout: clearOther } = globalThis;
  const set = (run: () => void, ms?: number, ...given: ReadonlyArray<never>) => {
    if (ms === undefined || !lengthsMs.includes(ms)) return setOther<Array<never>>(run, ms, ...given);
    const timer: Held = { dueMs: nowMs + ms, run };
    held.add(timer);
    return timer;
  };
  const clear = (timer: unknown): void => {
    if (!held.delete(timer as Held)) clearOther(timer as NodeJS.Timeout | undefined);
  };
  Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
  return {
    advance: (byMs) => {
      nowMs += byMs;
      for (const timer of held) {
        if (timer.dueMs <= nowMs && held.delete(timer)) timer.run();
      }
    },
    count: () => held.size,
    [Symbol.dispose]: () => void Object.assign(globalThis, { setTimeout: setOther, clearTimeout: clearOther })
  };
};

const ENDLESS = "x-endless";

/** Starts a response and then stalls. */
export const beginEndless = (response: ServerResponse, status: number): void => {
  response.writeHead(status, { "content-type": "application/json", [ENDLESS]: "yes" });
  response.write("{");
};

/** Signals when the caller has started to read such a response. */
export const fetchNoting =
  (onEndless: () => void): typeof globalThis.fetch =>
  async (input, init) => {
    const response = await fetch(input, init);
    if (response.headers.has(ENDLESS)) setImmediate(onEndless);
    return response;
  };
