/**
 * Sends due deliveries, many concurrently but few to any one receiver or account, until its scope closes. It claims
 * when it is woken, when an attempt ends that others may have waited for, and otherwise every 2 s.
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
import { makeInFlightDeliveries, type ClaimLimits, type InFlightDeliveries } from "./InFlightDeliveries.ts";
import { removeDeliveriesOnSchedule } from "./WebhookRetention.ts";

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

const claimDue = Effect.fnUntraced(function* (limits: ClaimLimits) {
  const outbox = yield* WebhookOutbox;
  return yield* outbox.claimDue({ nowMs: yield* Clock.currentTimeMillis, leaseMs: LEASE_MS, ...limits });
}, Effect.withTracerEnabled(false));

type Needs = WebhookOutbox | WebhookTransport;

const make = Effect.gen(function* () {
  const captured = Context.pick(WebhookOutbox, WebhookTransport, EngineSettings);
  const ports = captured(yield* Effect.context<Needs>());
  const due = yield* Latch.make(true);

  const send = (attempts: FiberSet.FiberSet, inFlight: InFlightDeliveries) => (claimed: ClaimedDelivery) => {
    const begun = inFlight.begin(claimed.delivery);
    const attempt = loggedAttempt(claimed).pipe(
      Effect.ensuring(Effect.suspend(() => (inFlight.end(begun) ? due.open : Effect.void)))
    );
    return FiberSet.run(attempts, attempt);
  };

  const claimAndSend = Effect.fnUntraced(function* (
    attempts: FiberSet.FiberSet,
    inFlight: InFlightDeliveries
  ) {
    for (;;) {
      const limits = inFlight.limits();
      if (limits.limit === 0) return;
      const claimed = yield* claimDue(limits);
      yield* Effect.forEach(claimed, send(attempts, inFlight), { discard: true });
      if (claimed.length < limits.limit) return;
    }
  }, Effect.uninterruptible);

  const run = Effect.gen(function* () {
    yield* Effect.forkScoped(removeDeliveriesOnSchedule);
    const attempts = yield* FiberSet.make();
    const tolerant = Effect.catchCause(claimAndSend(attempts, makeInFlightDeliveries()), (cause) =>
      Effect.logWarning("Webhooks could not be claimed", cause)
    );
    const nextPoll = Effect.timeoutOption(due.await, POLL_INTERVAL_MS);
    // Closed before the claim, so that anything that becomes due meanwhile triggers another one.
    const loop = yield* Effect.forkScoped(
      Effect.forever(due.close.pipe(Effect.andThen(tolerant), Effect.andThen(nextPoll)))
    );
    yield* Effect.addFinalizer(() => stopped(loop, attempts));
  });

  return WebhookDispatcher.of({ wake: Effect.asVoid(due.open), run: Effect.provide(run, ports) });
});

export const layer: Layer.Layer<WebhookDispatcher, never, Needs> = Layer.effect(WebhookDispatcher, make);
