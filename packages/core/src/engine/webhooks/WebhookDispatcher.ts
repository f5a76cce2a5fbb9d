/**
 * Sends due deliveries, many concurrently but few to any one receiver, until its scope closes.
 *
 * Slow receivers delay only their own deliveries: a slow attempt frees its permit for others
 * (engine/webhooks/InFlightDeliveries), and its receiver's next deliveries are claimed separately, until one is fast
 * again.
 */
import * as Clock from "effect/Clock";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as FiberSet from "effect/FiberSet";
import * as Latch from "effect/Latch";
import * as Layer from "effect/Layer";
import type * as Scope from "effect/Scope";
import { WebhookOutbox, type ClaimedDelivery } from "../../ports/WebhookOutbox.ts";
import { WebhookTransport } from "../../ports/WebhookTransport.ts";
import { EngineSettings } from "../EngineSettings.ts";
import { attemptDelivery } from "./WebhookAttempt.ts";
import {
  CLAIM_BATCH_MIN,
  makeInFlightDeliveries,
  SLOW_AFTER_MS,
  SLOW_CLAIM_BATCH_MAX,
  SLOW_POLL_INTERVAL_MS,
  SLOW_START_SPACING_MS,
  type InFlightDeliveries,
  type ClaimLimits
} from "./InFlightDeliveries.ts";
import { sweepOnSchedule } from "./WebhookRetention.ts";

/** Polling interval for retries and for deliveries written by other processes. */
export const POLL_INTERVAL_MS = 2_000;

/** Lease of a claim: enough for an attempt and its recording. Deliveries of a dead process wait this long. */
export const LEASE_MS = 30_000;

/** How long a stopping process waits for attempts before it releases them. */
export const STOP_GRACE_MS = 5_000;

export class WebhookDispatcher extends Context.Service<
  WebhookDispatcher,
  {
    /** Wakes the dispatcher of this process, if there is one. */
    readonly wake: Effect.Effect<void>;

    /** Sends until the scope closes; by then attempts have ended or been released. */
    readonly run: Effect.Effect<void, never, Scope.Scope>;
  }
>()("@winnow/core/engine/webhooks/WebhookDispatcher") {}

/** If the outbox fails, the delivery stays claimed until its lease ends and is then due again. */
const loggedAttempt = (claimed: ClaimedDelivery) =>
  Effect.catchCause(attemptDelivery(claimed), (cause) =>
    Effect.logError("Webhook delivery attempt aborted; it will be retried", cause)
  );

/** Attempts that outlast the grace period are released. */
const stopped = (loop: Fiber.Fiber<unknown>, attempts: FiberSet.FiberSet) =>
  Fiber.interrupt(loop).pipe(
    Effect.andThen(Effect.timeoutOption(FiberSet.awaitEmpty(attempts), STOP_GRACE_MS)),
    Effect.andThen(FiberSet.clear(attempts))
  );

/** When idle, one statement per interval. An unresponsive outbox is reported by the claim. */
const becomesDue = (outbox: WebhookOutbox["Service"]) =>
  Effect.flatMap(Clock.currentTimeMillis, outbox.isDue).pipe(
    Effect.catchCause(() => Effect.succeed(true)),
    Effect.withTracerEnabled(false),
    Effect.delay(POLL_INTERVAL_MS),
    Effect.repeat({ until: (found) => found })
  );

const claimDue = (outbox: WebhookOutbox["Service"], room: ClaimLimits) =>
  Clock.currentTimeMillis.pipe(
    Effect.flatMap((nowMs) => outbox.claimDue({ nowMs, leaseMs: LEASE_MS, ...room })),
    Effect.withTracerEnabled(false)
  );

/** Polls for deliveries to slow receivers: one poll when requested, at most one per interval. */
const makeSlowPolls = (due: Latch.Latch) => {
  let next: "none" | "planned" | "due" = "due";
  let polledMs = 0;
  const open = Effect.suspend(() => {
    next = "due";
    return due.open;
  });
  return {
    plan: Effect.fnUntraced(function* (polls: FiberSet.FiberSet) {
      if (next !== "none") return;
      const waitMs = polledMs + SLOW_POLL_INTERVAL_MS - (yield* Clock.currentTimeMillis);
      if (waitMs <= 0) return yield* open;
      next = "planned";
      yield* FiberSet.run(polls, Effect.delay(open, waitMs));
    }),
    /** Whether a poll is due; marks it as done. */
    take: Effect.map(Clock.currentTimeMillis, (nowMs) => {
      if (next !== "due") return false;
      next = "none";
      polledMs = nowMs;
      return true;
    })
  };
};

interface Sending {
  readonly attempts: FiberSet.FiberSet;
  readonly inFlight: InFlightDeliveries;
  /** Runs scheduled polls for slow receivers; a stop does not wait for them. */
  readonly polls: FiberSet.FiberSet;
}

const make = Effect.gen(function* () {
  const outbox = yield* WebhookOutbox;
  const transport = yield* WebhookTransport;
  const settings = yield* EngineSettings;
  const due = yield* Latch.make(true);
  /** Something may have become due since the last poll. */
  let isNotified = true;
  const notify = Effect.suspend(() => {
    isNotified = true;
    return due.open;
  });

  const slowPolls = makeSlowPolls(due);

  const send = ({ attempts, inFlight, polls }: Sending) =>
    Effect.fnUntraced(function* (claimed: ClaimedDelivery, slow: boolean, index: number) {
      const delivering = inFlight.begin(claimed, slow);
      const makeRoom = Effect.sync(() => inFlight.slowDown(delivering)).pipe(
        Effect.delay(SLOW_AFTER_MS),
        Effect.repeat({ until: (hasSlowed) => hasSlowed }),
        Effect.andThen(due.open)
      );
      // Slow permits are not urgent; fast ones may be waited for.
      const landed = Effect.suspend(() => {
        inFlight.end(delivering);
        return delivering.pace === "fast" ? due.open : slowPolls.plan(polls);
      });
      const logged = loggedAttempt(claimed);
      const attempt = (slow ? Effect.delay(logged, index * SLOW_START_SPACING_MS) : logged).pipe(
        Effect.provideService(WebhookOutbox, outbox),
        Effect.provideService(WebhookTransport, transport),
        Effect.ensuring(landed)
      );
      const patient = slow ? attempt : Effect.raceFirst(attempt, Effect.andThen(makeRoom, Effect.never));
      yield* FiberSet.run(attempts, patient);
    });

  const claimAndSend = Effect.fnUntraced(function* (sending: Sending) {
    const { inFlight, polls } = sending;
    /** Whether it left none that it might have taken. */
    const claim = Effect.fnUntraced(function* (room: ClaimLimits) {
      const claimed = yield* claimDue(outbox, room);
      yield* Effect.forEach(claimed, (one, index) => send(sending)(one, room.slow, index), { discard: true });
      if (claimed.length < room.limit) return true;
      yield* room.slow ? slowPolls.plan(polls) : due.open;
      return false;
    });
    const wasNotified = isNotified;
    isNotified = false;
    // The next attempt that ends or becomes slow polls again.
    const hasAll = inFlight.fastLimits().limit >= CLAIM_BATCH_MIN && (yield* claim(inFlight.fastLimits()));
    if (wasNotified && !hasAll && inFlight.idleAccountLimits().limit > 0)
      yield* claim(inFlight.idleAccountLimits());
    if (yield* slowPolls.take) {
      if (inFlight.slowLimits().limit >= SLOW_CLAIM_BATCH_MAX) yield* claim(inFlight.slowLimits());
    } else if (wasNotified) yield* slowPolls.plan(polls);
  }, Effect.uninterruptible);

  const run = Effect.gen(function* () {
    yield* sweepOnSchedule.pipe(
      Effect.provideService(WebhookOutbox, outbox),
      Effect.provideService(EngineSettings, settings),
      Effect.forkScoped
    );
    const attempts = yield* FiberSet.make();
    const sending = { attempts, inFlight: makeInFlightDeliveries(), polls: yield* FiberSet.make() };
    const tolerant = Effect.catchCause(claimAndSend(sending), (cause) =>
      Effect.logWarning("Webhooks could not be claimed", cause)
    );
    const nextPoll = Effect.raceFirst(due.await, Effect.andThen(becomesDue(outbox), notify));
    // Closed before polling, so that anything arriving meanwhile triggers another poll.
    const loop = yield* Effect.forkScoped(
      Effect.forever(due.close.pipe(Effect.andThen(tolerant), Effect.andThen(nextPoll)))
    );
    yield* Effect.addFinalizer(() => stopped(loop, attempts));
  });

  return WebhookDispatcher.of({ wake: Effect.asVoid(notify), run });
});

export const layer: Layer.Layer<WebhookDispatcher, never, WebhookOutbox | WebhookTransport> = Layer.effect(
  WebhookDispatcher,
  make
);
