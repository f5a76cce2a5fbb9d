/**
 * The permit of one inspection, with its working time. Time spent waiting, for example for the browser, does not
 * count.
 */
import { Busy } from "@winnow/core/domain/request/Refusal";
import type { DownloadFailed } from "@winnow/core/ports/Downloader";
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import type { Release } from "../../runtime/FairPermits.ts";
import { failed } from "../failures/classify.ts";

/** Retry-After for callers that waited too long. */
const BUSY_RETRY_SECONDS = 10;

export const busy = new Busy({ retryAfterSeconds: BUSY_RETRY_SECONDS });

export interface InspectionPermit {
  /** The account that started it; it may serve others too. */
  readonly accountId: string;
  /** Releases the permit early if the rest waits for another one; it is not acquired again. */
  readonly release: Release;
  /** Time does not count as work until {@link resume}. */
  readonly pause: Effect.Effect<void>;
  readonly resume: Effect.Effect<void>;
  /** Since it started. */
  readonly workedMs: Effect.Effect<number>;
}

export const makeInspectionPermit = Effect.fnUntraced(function* (
  accountId: string,
  giveBack: Release
): Effect.fn.Return<InspectionPermit> {
  const beganAtMs = yield* Clock.currentTimeMillis;
  let pausedMs = 0;
  let pausedSinceMs: number | null = null;
  return {
    accountId,
    release: giveBack,
    pause: Effect.map(Clock.currentTimeMillis, (nowMs) => {
      pausedSinceMs ??= nowMs;
    }),
    resume: Effect.map(Clock.currentTimeMillis, (nowMs) => {
      pausedMs += nowMs - (pausedSinceMs ?? nowMs);
      pausedSinceMs = null;
    }),
    workedMs: Effect.map(
      Clock.currentTimeMillis,
      (nowMs) => nowMs - beganAtMs - pausedMs - (nowMs - (pausedSinceMs ?? nowMs))
    )
  };
});

export interface PermitLimits {
  /** Maximum working time from now; default: none. */
  readonly timeoutMs?: number;
  /** Maximum waiting time, including the wait so far; default: none. */
  readonly waitMaxMs?: number;
  readonly waitedMs?: number;
}

const NEVER = Number.POSITIVE_INFINITY;

/** Fails once the inspection has worked, or its caller has waited, for too long. */
export const failOnTimeout = Effect.fnUntraced(function* (
  { workedMs }: InspectionPermit,
  { timeoutMs = NEVER, waitMaxMs = NEVER, waitedMs = 0 }: PermitLimits
): Effect.fn.Return<never, DownloadFailed | Busy> {
  if (timeoutMs === NEVER && waitMaxMs === NEVER) return yield* Effect.never;
  const startMs = yield* Clock.currentTimeMillis;
  const workedBeforeMs = yield* workedMs;
  for (;;) {
    const spentMs = (yield* workedMs) - workedBeforeMs;
    const idleMs = waitedMs + (yield* Clock.currentTimeMillis) - startMs - spentMs;
    if (spentMs >= timeoutMs) return yield* failed("timeout");
    if (idleMs >= waitMaxMs) return yield* busy;
    yield* Effect.sleep(Math.max(1, Math.min(timeoutMs - spentMs, waitMaxMs - idleMs)));
  }
});
