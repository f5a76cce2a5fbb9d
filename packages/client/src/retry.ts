/** When a request is tried again, and after how long. */

export const MAX_RETRIES_DEFAULT = 2;
const FIRST_DELAY_MS = 500;
const DELAY_MS_MAX = 8_000;
/** A longer Retry-After is not waited for. */
export const RETRY_AFTER_SECONDS_MAX = 60;

/** 408, 429 and faults of the server; never 409 or another 4xx. */
export const isRetryableStatus = (status: number): boolean =>
  status === 408 || status === 429 || status >= 500;

/** Seconds of a `Retry-After` header, given as a number or an HTTP date (RFC 9110, 10.2.3). */
export const retryAfterSeconds = (header: string | null, nowMs = Date.now()): number | null => {
  if (header === null || header.trim() === "") return null;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const dateMs = Date.parse(header);
  return Number.isNaN(dateMs) ? null : Math.max(0, (dateMs - nowMs) / 1_000);
};

/** Doubling from 0.5 s to 8 s with up to a quarter taken off, or what the server asked for. */
export const retryDelayMs = (attempt: number, askedSeconds: number | null, random = Math.random()): number =>
  askedSeconds === null
    ? Math.min(DELAY_MS_MAX, FIRST_DELAY_MS * 2 ** attempt) * (1 - random / 4)
    : askedSeconds * 1_000;

/** The longest that timers can; they take more, `Infinity` too, for one millisecond. */
const TIMER_MS_MAX = 2_147_483_647;

/** As a timer takes it: what is longer than 24 days is 24 days. */
export const timerMs = (ms: number): number => Math.min(ms, TIMER_MS_MAX);

/** Resolves after the time, rejects with the signal's reason when it aborts first. */
export const delay = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason as Error);
      return;
    }
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, timerMs(ms));
    signal?.addEventListener("abort", stop, { once: true });
  });
