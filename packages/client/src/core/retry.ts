/** Which requests are retried and after how long; delays, and signals that end them. */

export const MAX_RETRIES_DEFAULT = 2;
const FIRST_DELAY_MS = 500;
const DELAY_MS_MAX = 8_000;
/** If Retry-After is longer, the request is not retried. */
export const RETRY_AFTER_SECONDS_MAX = 60;

/** 408, 429 and 5xx; never 409 or another 4xx. */
export const isRetryableStatus = (status: number): boolean =>
  status === 408 || status === 429 || status >= 500;

/** "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994". */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d\d:\d\d:\d\d/u;

/** Seconds from a `Retry-After` header, which is a number or an HTTP date (RFC 9110, 10.2.3). */
export const retryAfterSeconds = (header: string | null, nowMs = Date.now()): number | null => {
  const text = header?.trim() ?? "";
  if (/^\d+(?:\.\d+)?$/u.test(text)) return Number(text);
  // `Date.parse` also takes "-3" for a date; all formats of the header begin with the day of the week and are in GMT.
  const dateMs = HTTP_DATE.test(text) ? Date.parse(text.replace(/(?: GMT)?$/u, " GMT")) : Number.NaN;
  return Number.isNaN(dateMs) ? null : Math.max(0, (dateMs - nowMs) / 1_000);
};

/** Doubles from 0.5 s to 8 s, minus up to a quarter as jitter; or the server's Retry-After. */
export const retryDelayMs = (attempt: number, serverSeconds: number | null, random = Math.random()): number =>
  serverSeconds === null
    ? Math.min(DELAY_MS_MAX, FIRST_DELAY_MS * 2 ** attempt) * (1 - random / 4)
    : serverSeconds * 1_000;

/** The longest delay of timers; they treat longer ones, including `Infinity`, as one millisecond. */
const TIMER_MS_MAX = 2_147_483_647;

/** Clamped to what timers support, 24 days. */
export const timerMs = (ms: number): number => Math.min(ms, TIMER_MS_MAX);

/** Resolves after the delay; rejects with the signal's reason if it aborts first. */
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

const joined = (signals: ReadonlyArray<AbortSignal>): AbortSignal => {
  const both = new AbortController();
  for (const signal of signals) {
    const abort = (): void => both.abort(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  }
  return both.signal;
};

/** Aborts when any of the signals does, with its reason. Some edge runtimes have no `AbortSignal.any`. */
export const anySignal = (...signals: ReadonlyArray<AbortSignal | undefined>): AbortSignal => {
  const present = signals.filter((signal) => signal !== undefined);
  return typeof AbortSignal.any === "function" ? AbortSignal.any(present) : joined(present);
};
