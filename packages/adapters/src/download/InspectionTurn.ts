/**
 * The turn of one inspection: the permit it holds, and how long it has worked. What it waits for on the way, for
 * the browser, is not its work.
 */
import { Busy } from "@winnow/core/domain/Refusal";
import type { DownloadFailed } from "@winnow/core/ports/Downloader";
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import type { GiveBack } from "../shares/FairPermits.ts";
import { failed } from "./classify.ts";

/** How soon an asker whose time in line is over may try again. */
const BUSY_RETRY_SECONDS = 10;

export const busy = new Busy({ retryAfterSeconds: BUSY_RETRY_SECONDS });

export interface InspectionTurn {
  /** Who began it; it may serve others, too. */
  readonly accountId: string;
  /** Gives its permit back, since what follows waits for another; it does not come again. */
  readonly giveBack: GiveBack;
  /** Until {@link resume}, time does not count as work. */
  readonly pause: Effect.Effect<void>;
  readonly resume: Effect.Effect<void>;
  /** Since it began. */
  readonly workedMs: Effect.Effect<number>;
}

export const makeInspectionTurn = Effect.fnUntraced(function* (
  accountId: string,
  giveBack: GiveBack
): Effect.fn.Return<InspectionTurn> {
  const beganAtMs = yield* Clock.currentTimeMillis;
  let pausedMs = 0;
  let pausedSinceMs: number | null = null;
  return {
    accountId,
    giveBack,
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

export interface TurnLimits {
  /** Of work, from now on; default: none. */
  readonly timeoutMs?: number;
  /** Of waiting, what was waited before included; default: none. */
  readonly waitMaxMs?: number;
  readonly waitedMs?: number;
}

const NEVER = Number.POSITIVE_INFINITY;

/** Fails once the turn has worked, or its asker waited, for too long from now on. */
export const overrun = Effect.fnUntraced(function* (
  { workedMs }: InspectionTurn,
  { timeoutMs = NEVER, waitMaxMs = NEVER, waitedMs = 0 }: TurnLimits
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
