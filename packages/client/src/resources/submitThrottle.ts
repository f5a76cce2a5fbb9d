/** Keeps concurrent submits within the service's rate limit, using its `X-RateLimit-*` headers. */
import type { ApiError } from "../core/errors.ts";
import { delay, RETRY_AFTER_SECONDS_MAX } from "../core/retry.ts";
import { anySignal } from "../core/signals.ts";

/** Extra delay, so that the service's window has really ended. */
const MARGIN_MS = 250;

/** Interval of re-checks without a response. */
const WAIT_MS_MAX = 60_000;

/** Delay after a 429 without Retry-After. */
const HOLD_SECONDS_DEFAULT = 5;

/** A monotonic clock: setting the time of day back must not extend a window. */
const clockMs = (): number => performance.now();

const numberOf = (headers: Headers, name: string): number | null => {
  const text = headers.get(name);
  return text === null || !/^\d+$/u.test(text) ? null : Number(text);
};

/** Milliseconds until the window ends, by the server's clock. */
const untilReset = (headers: Headers, nowMs: number): number => {
  const resetSeconds = numberOf(headers, "x-ratelimit-reset");
  if (resetSeconds === null) return 0;
  const serverMs = Date.parse(headers.get("date") ?? "");
  const leftMs = resetSeconds * 1_000 - (Number.isNaN(serverMs) ? nowMs : serverMs);
  return Math.min(Math.max(0, leftMs), RETRY_AFTER_SECONDS_MAX * 1_000) + MARGIN_MS;
};

export class SubmitThrottle {
  private underWay = 0;
  /** As of the last response; requests in flight may or may not be included. */
  private remaining = Number.POSITIVE_INFINITY;
  private limit = Number.POSITIVE_INFINITY;
  private endsMs = 0;
  private notify: () => void = () => undefined;
  private changed: Promise<void> = this.nextChange();

  /** Waits for permission to submit. Every `enter` is followed by one `leave`. */
  async enter(signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      signal?.throwIfAborted();
      const leftMs = this.endsMs - clockMs();
      if (leftMs <= 0) this.remaining = this.limit;
      if (this.remaining > this.underWay) break;
      await this.change(leftMs > 0 ? leftMs : WAIT_MS_MAX, signal);
    }
    this.underWay += 1;
  }

  /** Called after a response with its headers, or without a response. */
  leave(headers: Headers | null): void {
    this.underWay -= 1;
    const remaining = headers === null ? null : numberOf(headers, "x-ratelimit-remaining");
    if (headers !== null && remaining !== null) {
      this.limit = numberOf(headers, "x-ratelimit-limit") ?? this.limit;
      this.remaining = remaining;
      this.endsMs = clockMs() + untilReset(headers, Date.now());
    }
    this.wake();
  }

  /** Called after a 429: blocks all submits until the delay has passed. */
  hold({ retryAfterSeconds }: Pick<ApiError, "retryAfterSeconds">): void {
    this.underWay -= 1;
    this.remaining = 0;
    const seconds = Math.min(retryAfterSeconds ?? HOLD_SECONDS_DEFAULT, RETRY_AFTER_SECONDS_MAX);
    this.endsMs = clockMs() + seconds * 1_000 + MARGIN_MS;
    this.wake();
  }

  /** Waits for a response or the timeout. */
  private async change(ms: number, signal: AbortSignal | undefined): Promise<void> {
    const stop = new AbortController();
    const time = delay(ms, anySignal(stop.signal, signal));
    try {
      await Promise.race([this.changed, time]);
    } finally {
      time.catch(() => undefined);
      stop.abort();
    }
  }

  private wake(): void {
    this.notify();
    this.changed = this.nextChange();
  }

  private nextChange(): Promise<void> {
    return new Promise((resolve) => {
      this.notify = resolve;
    });
  }
}
