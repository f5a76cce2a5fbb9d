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
import { admit, CLOSED, type HostCircuit, rejected, type Rejection, undecided } from "./HostCircuit.ts";

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
