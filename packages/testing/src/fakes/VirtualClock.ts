/**
 * A clock that only advances when a test advances it, which controls rate windows, time limits, retries and the
 * age of cached inspections. Give its `layer` to the engine, whose sleeps then use it.
 */
import * as Clock from "effect/Clock";
import * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";

/** 2026-01-01T12:00:00Z: the start of a minute and so of a rate window. */
const START_MS = Date.UTC(2026, 0, 1, 12);

const NANOS_PER_MS = 1_000_000n;

interface Sleeper {
  readonly wakesAtMs: number;
  readonly wake: () => void;
}

/** Turns of the event loop: more than the longest chain of effects between two sleeps takes. */
const SETTLE_TURNS = 5;

/** The effects of a woken sleeper settle before the next one is woken. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < SETTLE_TURNS; turn++)
    await new Promise<void>((resolve) => void setImmediate(resolve));
};

export class VirtualClock implements Clock.Clock {
  #nowMs: number;
  readonly #sleepers = new Set<Sleeper>();
  readonly layer: Layer.Layer<never>;

  constructor(startMs: number = START_MS) {
    this.#nowMs = startMs;
    this.layer = Layer.succeed(Clock.Clock, this);
  }

  /** Unix milliseconds. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** Advances the clock, waking sleepers in order. */
  async advance(byMs: number): Promise<void> {
    const untilMs = this.#nowMs + byMs;
    await settle();
    for (;;) {
      const [next] = [...this.#sleepers]
        .filter(({ wakesAtMs }) => wakesAtMs <= untilMs)
        .sort((a, b) => a.wakesAtMs - b.wakesAtMs);
      if (next === undefined) break;
      this.#sleepers.delete(next);
      this.#nowMs = Math.max(this.#nowMs, next.wakesAtMs);
      next.wake();
      await settle();
    }
    this.#nowMs = untilMs;
  }

  currentTimeMillisUnsafe(): number {
    return this.#nowMs;
  }

  currentTimeNanosUnsafe(): bigint {
    return BigInt(this.#nowMs) * NANOS_PER_MS;
  }

  monotonicTimeNanosUnsafe(): bigint {
    return this.currentTimeNanosUnsafe();
  }

  readonly currentTimeMillis = Effect.sync(() => this.currentTimeMillisUnsafe());
  readonly currentTimeNanos = Effect.sync(() => this.currentTimeNanosUnsafe());
  readonly monotonicTimeNanos = Effect.sync(() => this.monotonicTimeNanosUnsafe());

  sleep(duration: Duration.Duration): Effect.Effect<void> {
    const forMs = Duration.toMillis(duration);
    if (forMs <= 0) return Effect.yieldNow;
    return Effect.callback<void>((resume) => {
      const sleeper = { wakesAtMs: this.#nowMs + forMs, wake: () => resume(Effect.void) };
      this.#sleepers.add(sleeper);
      return Effect.sync(() => this.#sleepers.delete(sleeper));
    });
  }
}
