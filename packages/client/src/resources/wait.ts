/**
 * Waits for a run with its event stream or, if that is not available, by polling its result, within the
 * service's limit of 60 reads a minute for all concurrent waits. Tests: wait.test.ts (the pace), events.test.ts.
 */
import { ApiError } from "../core/apiError.ts";
import { ConnectionError, TimeoutError } from "../core/errors.ts";
import type { ExtractionEvent } from "./events.ts";
import type { ExtractionProgress, PendingResult } from "../generated/types.ts";
import type { TerminalResult } from "../schema/results.ts";
import { anySignal, delay, isRetryableStatus, timerMs } from "../core/retry.ts";
import { numberOf } from "../core/settings.ts";

const FIRST_DELAY_MS = 300;
const DELAY_MS_MAX = 5_000;
const DELAY_FACTOR = 1.5;

/** Burst size and refill interval: 10 + 48 reads in any minute. */
const BURST_READS = 10;
const REFILL_MS = 1_250;

/** Allows a burst, then one read every {@link REFILL_MS}, in order. */
export class Pacer {
  private nextFreeMs = Number.NEGATIVE_INFINITY;

  /** Milliseconds to wait before the next read. Each call reserves one read. */
  reserve(nowMs: number): number {
    const emptyMs = nowMs - BURST_READS * REFILL_MS;
    this.nextFreeMs = Math.max(this.nextFreeMs, emptyMs) + REFILL_MS;
    return Math.max(0, this.nextFreeMs - nowMs);
  }
}

/**
 * How long to poll before the stream is tried again, after one without events: it may have been a lost connection, but
 * where streams are refused or buffered, each try costs a request and some seconds.
 */
const STREAM_AGAIN_MS = 30_000;

/** How long to retry when a server that responded before becomes unreachable, for instance during a restart. */
const OUTAGE_MS_MAX = 60_000;

/** Progress of a wait. Step, percent, bytes and rung come only from events. */
export interface WaitProgress extends ExtractionProgress {
  readonly id: string;
  /** The phase: `queued` or `processing`. */
  readonly status: string;
  readonly elapsedMs: number;
}

export interface WaitOptions {
  /** Time limit of the wait; the run itself continues. Default: none. */
  readonly timeoutMs?: number | undefined;
  /** Aborts the wait; the run itself continues. */
  readonly signal?: AbortSignal | undefined;
  /** Called for every event or poll until the run has ended. */
  readonly onProgress?: ((progress: WaitProgress) => void) | undefined;
}

/** The two ways to get a result. They throw errors, or the reason of the signal. */
interface WaitSources {
  readonly pacer: Pacer;
  /** Events from the present state on; ends with the result or throws. */
  readonly stream: (signal: AbortSignal) => AsyncIterable<ExtractionEvent>;
  readonly read: (signal: AbortSignal) => Promise<TerminalResult | PendingResult>;
}

const isTerminal = (result: TerminalResult | PendingResult): result is TerminalResult =>
  result.status === "complete" || result.status === "failed";

const isOutage = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  error instanceof TimeoutError ||
  (error instanceof ApiError && isRetryableStatus(error.status));

interface Followed {
  /** Null if the stream did not reach it. */
  readonly result: TerminalResult | null;
  /** Number of events received. */
  readonly eventCount: number;
}

const NOT_FOLLOWED: Followed = { result: null, eventCount: 0 };

class Wait {
  private readonly id: string;
  private readonly sources: WaitSources;
  private readonly onProgress: WaitOptions["onProgress"];
  private readonly signal: AbortSignal;
  private readonly startedMs = performance.now();
  private phase: ExtractionProgress["phase"] | null = null;
  /** Time of the first of consecutive failed polls; null while the server responds. */
  private awaySinceMs: number | null = null;

  constructor(id: string, sources: WaitSources, onProgress: WaitOptions["onProgress"], signal: AbortSignal) {
    this.id = id;
    this.sources = sources;
    this.onProgress = onProgress;
    this.signal = signal;
  }

  get lastPhase(): string {
    return this.phase ?? "not over";
  }

  async result(): Promise<TerminalResult> {
    let streamAtMs = 0;
    for (let pauseMs = FIRST_DELAY_MS; ; pauseMs = Math.min(DELAY_MS_MAX, pauseMs * DELAY_FACTOR)) {
      const isStreaming = performance.now() >= streamAtMs;
      const { result, eventCount }: Followed = isStreaming ? await this.follow() : NOT_FOLLOWED;
      if (result !== null) return result;
      const found = await this.look();
      if (found !== "pending" && found !== "away") return found;
      if (isStreaming && eventCount === 0 && found === "pending")
        streamAtMs = performance.now() + STREAM_AGAIN_MS;
      await delay(pauseMs, this.signal);
    }
  }

  private async follow(): Promise<Followed> {
    let eventCount = 0;
    try {
      for await (const event of this.sources.stream(this.signal)) {
        eventCount += 1;
        if (event.event === "result") return { result: event.data, eventCount };
        this.report(event.data);
      }
    } catch (error) {
      // Polling will reveal the cause of any other error, but errors of the caller and aborts are thrown.
      if (this.signal.aborted || !(isOutage(error) || error instanceof ApiError)) throw error;
    }
    return { result: null, eventCount };
  }

  private async look(): Promise<TerminalResult | "pending" | "away"> {
    await delay(this.sources.pacer.reserve(performance.now()), this.signal);
    try {
      const result = await this.sources.read(this.signal);
      if (isTerminal(result)) return result;
      this.report({ phase: result.status, step: null, percent: null, bytes: 0, rung: null });
      return "pending";
    } catch (error) {
      if (this.signal.aborted || !isOutage(error) || this.phase === null) throw error;
      // Counts from the first failed poll, not from the last event: a run may be silent for long, and polls wait
      // their turn.
      this.awaySinceMs ??= performance.now();
      if (performance.now() - this.awaySinceMs >= OUTAGE_MS_MAX) throw error;
      return "away";
    }
  }

  private report(progress: ExtractionProgress): void {
    this.awaySinceMs = null;
    this.phase = progress.phase;
    const elapsedMs = performance.now() - this.startedMs;
    this.onProgress?.({ ...progress, id: this.id, status: progress.phase, elapsedMs });
  }
}

/** Waits for the terminal result. */
export const waitForResult = async (
  id: string,
  sources: WaitSources,
  { timeoutMs, signal, onProgress }: WaitOptions
): Promise<TerminalResult> => {
  if (timeoutMs !== undefined) numberOf("timeoutMs", timeoutMs, 0);
  const timer = new AbortController();
  const both = anySignal(signal, timer.signal);
  const wait = new Wait(id, sources, onProgress, both);
  const timeUp = (): void => {
    const message = `Extraction ${id} is still ${wait.lastPhase} after ${timeoutMs} ms; the run continues.`;
    timer.abort(new TimeoutError(message, id));
  };
  const timeout = timeoutMs === undefined ? undefined : setTimeout(timeUp, timerMs(timeoutMs));
  try {
    return await wait.result();
  } finally {
    clearTimeout(timeout);
  }
};
