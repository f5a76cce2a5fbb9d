/**
 * The circuit breakers of all hosts in this process: after repeated rejections a host gets no requests for a while,
 * instead of failing a queue of runs. Each process has its own.
 */
import { DownloadFailed } from "@winnow/core/ports/Downloader";
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Metric from "effect/Metric";
import * as Option from "effect/Option";
import { LRUCache } from "lru-cache";
import { sentenceOf } from "./classify.ts";

// A circuit breaker for one host: closed while it responds, open after repeated rejections, half-open for one trial
// after a pause. Pure; the caller provides the clock.

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

/** Maximum wait for a pause to end; probe and submit must respond within 10 s. */
export const WAIT_MAX_MS = 5_000;

/** Poll interval of waiting requests, because a trial may end early. */
const WAIT_STEP_MS = 250;

/** Maximum hosts remembered; an entry has about 200 bytes. */
const HOSTS_MAX = 10_000;

const hostPauses = Metric.counter("winnow_host_pauses_total", {
  description: "Pauses of a host that kept rejecting requests, by reason",
  incremental: true
});

/** A site and its mobile form share a circuit. */
const hostOf = (url: string): string => (URL.parse(url)?.host ?? url).replace(/^(?:www|m|mobile)\./u, "");

/** Reasons that say nothing about the host; it may not even have been contacted. */
const UNDECIDED: ReadonlySet<DownloadFailed["reason"]> = new Set([
  "timeout",
  "unreachable",
  "internal",
  "host_not_public",
  "blocked_address",
  "cancelled"
]);

const isRejection = (reason: DownloadFailed["reason"]): reason is Rejection =>
  reason === "bot_blocked" || reason === "rate_limited";

const SECOND_MS = 1_000;

const pausedFailure = (reason: Rejection, remainingMs: number): DownloadFailed => {
  const retryAfterSeconds = Math.ceil(remainingMs / SECOND_MS);
  return new DownloadFailed({
    reason,
    message: `${sentenceOf(reason)} Next attempt in ${retryAfterSeconds} seconds.`,
    retryAfterSeconds
  });
};

export interface HostCircuits {
  /** Runs the request unless its host is paused; the result updates the circuit. */
  readonly guard: <A, R>(
    url: string,
    request: Effect.Effect<A, DownloadFailed, R>
  ) => Effect.Effect<A, DownloadFailed, R>;
}

export const makeHostCircuits = (): HostCircuits => {
  /** Circuits of hosts with state. */
  const circuits = new LRUCache<string, HostCircuit>({ max: HOSTS_MAX });

  const store = (host: string, circuit: HostCircuit): void => {
    if (circuit === CLOSED) circuits.delete(host);
    else circuits.set(host, circuit);
  };

  const enter = Effect.fnUntraced(function* (host: string) {
    const giveUpAtMs = (yield* Clock.currentTimeMillis) + WAIT_MAX_MS;
    for (;;) {
      const nowMs = yield* Clock.currentTimeMillis;
      const admission = admit(circuits.get(host) ?? CLOSED, nowMs);
      if (admission._tag === "Admitted") return store(host, admission.circuit);
      const { reason, remainingMs } = admission;
      const trial = circuits.get(host)?.open?.trial ?? false;
      if (nowMs >= giveUpAtMs || (!trial && nowMs + remainingMs > giveUpAtMs)) {
        return yield* pausedFailure(reason, remainingMs);
      }
      yield* Effect.sleep(Math.min(WAIT_STEP_MS, remainingMs));
    }
  });

  const reject = Effect.fnUntraced(function* (host: string, url: string, reason: Rejection) {
    const { circuit, pauseMs } = rejected(
      circuits.get(host) ?? CLOSED,
      { url, reason },
      yield* Clock.currentTimeMillis
    );
    store(host, circuit);
    if (pauseMs === null) return;
    yield* Metric.update(Metric.withAttributes(hostPauses, { reason }), 1);
    yield* Effect.logWarning("The host is rejecting requests; backing off").pipe(
      Effect.annotateLogs({ host, reason, pauseSeconds: pauseMs / SECOND_MS })
    );
  });

  const record = Effect.fnUntraced(function* (url: string, exit: Exit.Exit<unknown, DownloadFailed>) {
    const host = hostOf(url);
    const failure = Option.getOrUndefined(Exit.findErrorOption(exit));
    const reason = failure?.reason ?? null;
    if (reason !== null && isRejection(reason)) return yield* reject(host, url, reason);
    if (Exit.isSuccess(exit) || (reason !== null && !UNDECIDED.has(reason))) return store(host, CLOSED);
    store(host, undecided(circuits.get(host) ?? CLOSED, yield* Clock.currentTimeMillis));
  });

  return {
    guard: (url, request) => {
      return Effect.uninterruptibleMask((restore) =>
        Effect.andThen(
          restore(enter(hostOf(url))),
          Effect.onExit(restore(request), (exit) => record(url, exit))
        )
      );
    }
  };
};
