/** Progress notifications during a wait: at once, on every change, and every 10 s without a change. Tests: waiting.test.ts. */
import type { ExtractionProgress } from "../generated/types.ts";

export interface ToolProgress {
  /** Out of `total`; always increases, as MCP requires. */
  readonly progress: number;
  readonly total: 100;
  /** "fetching, 42 %, 12 MB". */
  readonly message: string;
}

/** Six times per minute, for hosts that time out after a minute without a notification. */
const REPEAT_MS = 10_000;

/** Start and end of each step, out of 100. */
const SPANS: Readonly<Record<string, readonly [number, number]>> = {
  inspecting: [2, 10],
  fetching: [10, 60],
  converting: [60, 62],
  transcribing: [62, 70],
  analysing: [70, 95],
  storing: [95, 98]
};
/** Without news too: the progress of MCP must grow with every notification. */
const GROWTH_PERCENT_MIN = 0.01;
const SCALED_PERCENT_MAX = 99;

const BYTES_PER_MB = 1_000_000;

const progressMessage = ({ phase, step, percent, bytes }: ExtractionProgress): string =>
  [
    step ?? phase,
    ...(percent === null ? [] : [`${Math.round(percent)} %`]),
    ...(bytes < BYTES_PER_MB ? [] : [`${Math.round(bytes / BYTES_PER_MB)} MB`])
  ].join(", ");

const scaledPercent = ({ step, percent }: ExtractionProgress): number => {
  const [from, to] = (step === null ? undefined : SPANS[step]) ?? [0, 2];
  return from + ((to - from) * (percent ?? 0)) / 100;
};

const BEGINNING: ExtractionProgress = { phase: "queued", step: null, percent: null, bytes: 0, rung: null };

export class ProgressReporter {
  private readonly onReport: (progress: ToolProgress) => void;
  private readonly timer: ReturnType<typeof setInterval>;
  private last: ExtractionProgress = BEGINNING;
  private place = 0;

  constructor(onReport: (progress: ToolProgress) => void) {
    this.onReport = onReport;
    this.timer = setInterval(() => this.repeat(), REPEAT_MS);
    this.repeat();
  }

  /** Message of the latest progress; `queued` before the first. */
  get message(): string {
    return progressMessage(this.last);
  }

  report(progress: ExtractionProgress): void {
    if (progressMessage(progress) === this.message) return;
    this.last = progress;
    this.repeat();
  }

  end(): void {
    clearInterval(this.timer);
  }

  private repeat(): void {
    this.place = Math.max(
      Math.min(SCALED_PERCENT_MAX, scaledPercent(this.last)),
      this.place + GROWTH_PERCENT_MIN
    );
    this.onReport({ progress: this.place, total: 100, message: this.message });
  }
}
