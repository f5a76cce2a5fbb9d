/**
 * A circuit breaker for one host: closed while it responds, open after repeated rejections, half-open for one trial
 * after a pause. Pure; the caller provides the clock.
 */

/** Reasons that mean the host rejects us for now. */
export type Rejection = "bot_blocked" | "rate_limited";

/** Rejected URLs in a row that open the circuit: a single URL may have its own restriction, five are the host's. */
export const REJECTIONS_TO_OPEN = 5;

/** Older rejections no longer count; such restrictions last minutes. */
export const REJECTION_MEMORY_MS = 600_000;

/** First pause; platforms count requests per minute. */
export const FIRST_PAUSE_MS = 60_000;

/** Pauses double up to this; longer ones would outlast the platform's own. */
export const PAUSE_MAX_MS = 1_800_000;

/** A trial without a result by then counts as lost; no inspection takes as long. */
export const TRIAL_MAX_MS = 60_000;

export interface HostCircuit {
  /** Rejected URLs in a row while closed; fewer than {@link REJECTIONS_TO_OPEN}. */
  readonly urls: ReadonlyArray<string>;
  readonly lastRejectedAtMs: number;
  /** Consecutive pauses, which lengthen the next one. */
  readonly pauses: number;
  /** Null while closed. During a trial, `untilMs` is when the trial counts as lost. */
  readonly open: { readonly reason: Rejection; readonly untilMs: number; readonly trial: boolean } | null;
}

export const CLOSED: HostCircuit = { urls: [], lastRejectedAtMs: 0, pauses: 0, open: null };

export type Admission =
  | { readonly _tag: "Admitted"; readonly circuit: HostCircuit }
  | { readonly _tag: "Refused"; readonly reason: Rejection; readonly remainingMs: number };

/** After a pause, the first request is admitted as a trial, and the others wait for its result. */
export const admit = (circuit: HostCircuit, nowMs: number): Admission => {
  const { open } = circuit;
  if (open === null) return { _tag: "Admitted", circuit };
  return nowMs < open.untilMs
    ? { _tag: "Refused", reason: open.reason, remainingMs: open.untilMs - nowMs }
    : {
        _tag: "Admitted",
        circuit: { ...circuit, open: { ...open, untilMs: nowMs + TRIAL_MAX_MS, trial: true } }
      };
};

export interface Rejected {
  readonly circuit: HostCircuit;
  /** Null unless a pause starts. */
  readonly pauseMs: number | null;
}

/** The host rejected a request for the URL. */
export const rejected = (
  circuit: HostCircuit,
  { url, reason }: { readonly url: string; readonly reason: Rejection },
  nowMs: number
): Rejected => {
  const { open, pauses } = circuit;
  // A request that was in flight when the pause started does not extend it.
  if (open !== null && !open.trial) return { circuit, pauseMs: null };
  const remembered = nowMs - circuit.lastRejectedAtMs <= REJECTION_MEMORY_MS ? circuit.urls : [];
  const urls = remembered.includes(url) ? remembered : [...remembered, url];
  if (open === null && urls.length < REJECTIONS_TO_OPEN) {
    return { circuit: { ...circuit, urls, lastRejectedAtMs: nowMs }, pauseMs: null };
  }
  const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** pauses, PAUSE_MAX_MS);
  return {
    circuit: {
      urls: [],
      lastRejectedAtMs: nowMs,
      pauses: pauses + 1,
      open: { reason, untilMs: nowMs + pauseMs, trial: false }
    },
    pauseMs
  };
};

/** A request ended without information about the host: another trial may start immediately. */
export const undecided = (circuit: HostCircuit, nowMs: number): HostCircuit =>
  circuit.open?.trial === true
    ? { ...circuit, open: { ...circuit.open, untilMs: nowMs, trial: false } }
    : circuit;
