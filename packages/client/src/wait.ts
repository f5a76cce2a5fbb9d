/**
 * Waiting for a run by polling its result, within the service's 60 reads a minute however many waits
 * are under way at once (specification, "Rate limits").
 */
import { TimeoutError } from "./errors.ts";
import { delay } from "./retry.ts";

const FIRST_DELAY_MS = 300;
const DELAY_MS_MAX = 5_000;
const DELAY_FACTOR = 1.5;

/** Reads that may follow each other at once, and how often another is allowed: 10 + 48 in any minute. */
const BURST = 10;
const REFILL_MS = 1_250;

/** Lets through a burst, then one read every {@link REFILL_MS}, in the order of asking. */
export class Pacer {
  private nextFreeMs = Number.NEGATIVE_INFINITY;

  /** Milliseconds to wait before the next read. Each call takes a place. */
  reserve(nowMs: number): number {
    const emptyMs = nowMs - BURST * REFILL_MS;
    this.nextFreeMs = Math.max(this.nextFreeMs, emptyMs) + REFILL_MS;
    return Math.max(0, this.nextFreeMs - nowMs);
  }
}

/** Progress of a wait. */
export interface WaitProgress {
  readonly id: string;
  /** `queued` or `processing`. */
  readonly status: string;
  readonly elapsedMs: number;
}

export interface WaitOptions {
  /** Gives up after this time; the run itself goes on. Default: no limit. */
  readonly timeoutMs?: number;
  /** Stops waiting; the run itself goes on. */
  readonly signal?: AbortSignal;
  /** Called after every look that found the run unfinished. */
  readonly onProgress?: (progress: WaitProgress) => void;
}

/** Polls `read` until its answer is terminal. */
export const poll = async <T, P extends { readonly status: string }>(
  id: string,
  pacer: Pacer,
  read: (signal: AbortSignal | undefined) => Promise<T | P>,
  isPending: (answer: T | P) => answer is P,
  { timeoutMs, signal, onProgress }: WaitOptions
): Promise<T> => {
  const startedMs = performance.now();
  let pauseMs = FIRST_DELAY_MS;
  for (;;) {
    await delay(pacer.reserve(performance.now()), signal);
    const answer = await read(signal);
    if (!isPending(answer)) return answer;
    const elapsedMs = performance.now() - startedMs;
    onProgress?.({ id, status: answer.status, elapsedMs });
    if (timeoutMs !== undefined && elapsedMs + pauseMs > timeoutMs) {
      throw new TimeoutError(
        `Extraction ${id} is still ${answer.status} after ${timeoutMs} ms; it goes on.`,
        id
      );
    }
    await delay(pauseMs, signal);
    pauseMs = Math.min(DELAY_MS_MAX, pauseMs * DELAY_FACTOR);
  }
};
