/**
 * The circuit of one host: closed while it answers, open after it has turned us away repeatedly, half open
 * for one trial once its pause is over. Pure; the clock is the caller's.
 */

/** What tells that a host wants no more of us for now. */
export type Rejection = "bot_blocked" | "rate_limited";

/** URLs turned away in a row that open it: one may have a wall of its own, five are the host's. */
export const REJECTIONS_TO_OPEN = 5;

/** A rejection longer ago than this no longer counts: walls of that kind last minutes. */
export const REJECTION_MEMORY_MS = 600_000;

/** The first pause; platforms count requests by the minute. */
export const FIRST_PAUSE_MS = 60_000;

/** Pauses double up to this: longer ones would keep a platform away that has long forgiven. */
export const PAUSE_MAX_MS = 1_800_000;

/** A trial that has not ended by then is taken for lost; no look lasts as long. */
export const TRIAL_MAX_MS = 60_000;

export interface HostCircuit {
  /** URLs turned away in a row, while it is closed; fewer than {@link REJECTIONS_TO_OPEN}. */
  readonly urls: ReadonlyArray<string>;
  readonly lastRejectedAtMs: number;
  /** In a row; they make the next one longer. */
  readonly pauses: number;
  /** Null while it is closed. During a trial, `untilMs` is when that counts as lost. */
  readonly open: { readonly reason: Rejection; readonly untilMs: number; readonly trial: boolean } | null;
}

export const CLOSED: HostCircuit = { urls: [], lastRejectedAtMs: 0, pauses: 0, open: null };

export type Admission =
  | { readonly _tag: "Admitted"; readonly circuit: HostCircuit }
  | { readonly _tag: "Refused"; readonly reason: Rejection; readonly remainingMs: number };

/** After a pause the first request is admitted as a trial; the others wait for what becomes of it. */
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
  /** Null unless a pause begins. */
  readonly pauseMs: number | null;
}

/** The host has turned a request for the URL away. */
export const rejected = (
  circuit: HostCircuit,
  { url, reason }: { readonly url: string; readonly reason: Rejection },
  nowMs: number
): Rejected => {
  const { open, pauses } = circuit;
  // A request that was under way when the pause began does not make it longer.
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

/** A request has ended without telling anything of the host: a trial may be repeated at once. */
export const undecided = (circuit: HostCircuit, nowMs: number): HostCircuit =>
  circuit.open?.trial === true
    ? { ...circuit, open: { ...circuit.open, untilMs: nowMs, trial: false } }
    : circuit;
