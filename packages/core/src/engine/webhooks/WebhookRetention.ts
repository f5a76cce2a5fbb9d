/** Removes webhook deliveries and their attempts after their retention period. */
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Schedule from "effect/Schedule";
import { WebhookOutbox } from "../../ports/WebhookOutbox.ts";
import { EngineSettings } from "../EngineSettings.ts";

const RETENTION_INTERVAL_MS = 60_000;

/** Maximum deliveries removed per statement; the sweep continues until none is left. */
export const REMOVED_MAX = 500;

const DAY_MS = 24 * 60 * 60 * 1_000;

const sweepDeliveries = Effect.fn("WebhookRetention.sweep")(function* () {
  const outbox = yield* WebhookOutbox;
  const { retentionDays } = yield* EngineSettings;
  const createdBeforeMs = (yield* Clock.currentTimeMillis) - retentionDays * DAY_MS;
  yield* Effect.repeat(outbox.removeOld(createdBeforeMs, REMOVED_MAX), {
    while: (removed) => removed >= REMOVED_MAX
  });
});

/** Sweeps in a loop. A failed sweep is logged, and the next one runs as usual. */
export const sweepOnSchedule = sweepDeliveries().pipe(
  Effect.catchCause((cause) =>
    Effect.logWarning("Old webhook deliveries could not be removed; will retry", cause)
  ),
  Effect.repeat(Schedule.spaced(RETENTION_INTERVAL_MS))
);
