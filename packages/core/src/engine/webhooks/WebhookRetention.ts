/** Removes webhook deliveries and their attempts after their retention period. Tests: WebhookDispatcher.test.ts. */
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Schedule from "effect/Schedule";
import { DAY_MS } from "../../domain/Durations.ts";
import { WebhookOutbox } from "../../ports/WebhookOutbox.ts";
import { EngineSettings } from "../EngineSettings.ts";

const RETENTION_INTERVAL_MS = 60_000;

/** Maximum deliveries removed per statement; the sweep continues until none is left. */
const DELIVERIES_REMOVED_MAX = 500;

const sweepDeliveries = Effect.fn("WebhookRetention.sweep")(function* () {
  const outbox = yield* WebhookOutbox;
  const { deliveryRetentionDays } = yield* EngineSettings;
  const createdBeforeMs = (yield* Clock.currentTimeMillis) - deliveryRetentionDays * DAY_MS;
  yield* Effect.repeat(outbox.removeOld(createdBeforeMs, DELIVERIES_REMOVED_MAX), {
    while: (removed) => removed >= DELIVERIES_REMOVED_MAX
  });
});

/** Sweeps in a loop. A failed sweep is logged, and the next one runs as usual. */
export const removeDeliveriesOnSchedule = sweepDeliveries().pipe(
  Effect.catchCause((cause) =>
    Effect.logWarning("Old webhook deliveries could not be removed; will retry", cause)
  ),
  Effect.repeat(Schedule.spaced(RETENTION_INTERVAL_MS))
);
