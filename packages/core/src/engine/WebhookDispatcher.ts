/**
 * Sends due deliveries, many at once and few to any one receiver, until its scope closes.
 *
 * Slow receivers delay nobody's deliveries but their own: an attempt that takes long makes room for others
 * (see {@link PATIENCE_MS}), and its receiver's next ones are claimed apart, until one is swift again.
 */
import * as Clock from "effect/Clock";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as FiberSet from "effect/FiberSet";
import * as Latch from "effect/Latch";
import * as Layer from "effect/Layer";
import type * as Scope from "effect/Scope";
import { receiverOf, SLOW_ATTEMPT_MS } from "../domain/WebhookDelivery.ts";
import { WebhookOutbox, type ClaimedDelivery } from "../ports/WebhookOutbox.ts";
import { WebhookTransport } from "../ports/WebhookTransport.ts";
import { EngineSettings } from "./EngineSettings.ts";
import { attemptDelivery } from "./WebhookAttempt.ts";
import { sweepOnSchedule } from "./WebhookRetention.ts";

/** Attempts in their first {@link PATIENCE_MS}, in all and of one account. */
export const SWIFT_MAX = 64;
export const SWIFT_OF_ACCOUNT_MAX = SWIFT_MAX / 2;

/** A busy dispatcher claims some at a time: one statement for several deliveries. */
export const CLAIMED_MIN = SWIFT_MAX / 4;

/** Attempts that take longer: they do little but wait. */
export const SLOW_MAX = 512;

/** Attempts of one account, slow and swift: each of them finds a place among the slow ones when it needs it. */
export const ACCOUNT_MAX = SLOW_MAX / 4;

/** Attempts to one receiver. */
export const RECEIVER_MAX = 4;

/** An attempt as old makes room for another while there are few such. */
export const PATIENCE_MS = SLOW_ATTEMPT_MS;

/** How soon what became due elsewhere is found: retries, and what other processes wrote. */
export const POLL_INTERVAL_MS = 1_000;

/** How long a claim holds: an attempt, and the time to record it. A dead process's deliveries wait as long. */
export const LEASE_MS = 30_000;

/** A stopping process waits so long for attempts before it gives them back. */
export const STOP_GRACE_MS = 5_000;

export class WebhookDispatcher extends Context.Service<
  WebhookDispatcher,
  {
    /** Looks for due deliveries at once, where it runs in this process; does nothing otherwise. */
    readonly wake: Effect.Effect<void>;

    /** Sends until the scope closes; attempts end or are given back before it has closed. */
    readonly run: Effect.Effect<void, never, Scope.Scope>;
  }
>()("@winnow/core/engine/WebhookDispatcher") {}

/** An attempt in the making. */
interface Flight {
  readonly accountId: string;
  readonly receiver: string;
  /** Swift ones turn slow; those that began as slow ones are to receivers that are known for it. */
  pace: "swift" | "turned slow" | "slow";
}

const repeated = <A>(value: A, times: number): ReadonlyArray<A> =>
  Array.from({ length: Math.max(0, times) }, () => value);

/** What is in flight, and how many more may be. */
const makeFlights = () => {
  const flights = new Set<Flight>();
  const isSlow = ({ pace }: Flight): boolean => pace !== "swift";
  const countSlow = (): number => [...flights].filter(isSlow).length;

  /** An account's slow attempts count among its swift ones as far as they would leave these no place. */
  const busySwift = (): ReadonlyArray<string> => {
    const accounts = Map.groupBy(flights, ({ accountId }) => accountId);
    return [...accounts].flatMap(([accountId, own]) => {
      const swift = own.length - own.filter(isSlow).length;
      const beyond = own.length - (ACCOUNT_MAX - SWIFT_OF_ACCOUNT_MAX);
      return repeated(accountId, Math.max(swift, beyond));
    });
  };

  return {
    begin: ({ delivery }: ClaimedDelivery, slow: boolean): Flight => {
      const receiver = receiverOf(delivery);
      const flight: Flight = { accountId: delivery.accountId, receiver, pace: slow ? "slow" : "swift" };
      flights.add(flight);
      return flight;
    },
    /** False when too many are slow already. */
    slowDown: (flight: Flight): boolean => {
      const hasRoom = countSlow() < SLOW_MAX;
      if (hasRoom) flight.pace = "turned slow";
      return hasRoom;
    },
    end: (flight: Flight): void => void flights.delete(flight),
    /** What may be claimed now. */
    room: (slow: boolean) => ({
      slow,
      limit: slow ? Math.min(SWIFT_MAX, SLOW_MAX - countSlow()) : SWIFT_MAX - flights.size + countSlow(),
      // A receiver that keeps one waiting unexpectedly gets no other until it is known what that comes to.
      busyReceivers: [...flights].flatMap(({ receiver, pace }) =>
        repeated(receiver, pace === "turned slow" ? RECEIVER_MAX : 1)
      ),
      receiverMax: RECEIVER_MAX,
      busyAccounts: slow ? [...flights].map(({ accountId }) => accountId) : busySwift(),
      accountMax: slow ? ACCOUNT_MAX : SWIFT_OF_ACCOUNT_MAX
    })
  };
};

const make = Effect.gen(function* () {
  const outbox = yield* WebhookOutbox;
  const transport = yield* WebhookTransport;
  const settings = yield* EngineSettings;
  const due = yield* Latch.make(true);

  const send = (attempts: FiberSet.FiberSet, flights: ReturnType<typeof makeFlights>) =>
    Effect.fnUntraced(function* (claimed: ClaimedDelivery, slow: boolean) {
      const flight = flights.begin(claimed, slow);
      const makeRoom = Effect.sync(() => flights.slowDown(flight)).pipe(
        Effect.delay(PATIENCE_MS),
        Effect.repeat({ until: (hasSlowed) => hasSlowed }),
        Effect.andThen(due.open)
      );
      const landed = Effect.andThen(
        Effect.sync(() => flights.end(flight)),
        due.open
      );
      const attempt = attemptDelivery(claimed).pipe(
        Effect.provideService(WebhookOutbox, outbox),
        Effect.provideService(WebhookTransport, transport),
        Effect.catchCause((cause) => Effect.logError("An attempt at a webhook got lost for now", cause)),
        Effect.ensuring(landed)
      );
      const patient = slow ? attempt : Effect.raceFirst(attempt, Effect.andThen(makeRoom, Effect.never));
      yield* FiberSet.run(attempts, patient);
    });

  const claimAndSend = Effect.fnUntraced(function* (
    attempts: FiberSet.FiberSet,
    flights: ReturnType<typeof makeFlights>
  ) {
    for (const slow of [false, true]) {
      const room = flights.room(slow);
      // The next attempt that lands, or slows down, looks again.
      if (room.limit < CLAIMED_MIN) continue;
      const nowMs = yield* Clock.currentTimeMillis;
      const claimed = yield* Effect.withTracerEnabled(
        outbox.claimDue({ nowMs, leaseMs: LEASE_MS, ...room }),
        false
      );
      yield* Effect.forEach(claimed, (one) => send(attempts, flights)(one, slow), { discard: true });
      if (claimed.length === room.limit) yield* due.open;
    }
  }, Effect.uninterruptible);

  const run = Effect.gen(function* () {
    yield* sweepOnSchedule.pipe(
      Effect.provideService(WebhookOutbox, outbox),
      Effect.provideService(EngineSettings, settings),
      Effect.forkScoped
    );
    const attempts = yield* FiberSet.make();
    const flights = makeFlights();
    const tolerant = Effect.catchCause(claimAndSend(attempts, flights), (cause) =>
      Effect.logWarning("Webhooks could not be claimed", cause)
    );
    const nextLook = Effect.raceFirst(due.await, Effect.sleep(POLL_INTERVAL_MS));
    // Closed before it looks, so that what comes meanwhile is looked for again.
    const loop = yield* Effect.forkScoped(
      Effect.forever(due.close.pipe(Effect.andThen(tolerant), Effect.andThen(nextLook)))
    );
    yield* Effect.addFinalizer(() =>
      Fiber.interrupt(loop).pipe(
        Effect.andThen(Effect.timeoutOption(FiberSet.awaitEmpty(attempts), STOP_GRACE_MS)),
        Effect.andThen(FiberSet.clear(attempts))
      )
    );
  });

  return WebhookDispatcher.of({ wake: Effect.asVoid(due.open), run });
});

export const layer: Layer.Layer<WebhookDispatcher, never, WebhookOutbox | WebhookTransport> = Layer.effect(
  WebhookDispatcher,
  make
);
