/**
 * A limit of computing for a task of a worker: the processor's time, not the clock's, so that a busy machine
 * does not make a task too costly.
 */
import * as Effect from "effect/Effect";

/** How often a busy worker is asked. */
const LOOK_EVERY = "50 millis";

export interface ComputingLimit<A, E> {
  /** Time of the processor, in milliseconds. */
  readonly processorMs: number;
  /** A far net by the clock, for a worker that cannot even be asked. */
  readonly wallMs: number;
  /** What stands for the answer when a limit is met. */
  readonly orElse: () => Effect.Effect<A, E>;
}

/** As `within` of a pool: `spentMs` is the processor's time since the worker has the task. */
export const withinLimit =
  <A, E2>({ processorMs, wallMs, orElse }: ComputingLimit<A, E2>) =>
  <E>(answer: Effect.Effect<A, E>, spentMs: Effect.Effect<number>): Effect.Effect<A, E | E2> => {
    const overrun = spentMs.pipe(
      Effect.delay(LOOK_EVERY),
      Effect.repeat({ until: (ms) => ms >= processorMs }),
      Effect.flatMap(orElse)
    );
    return Effect.raceFirst(answer, overrun).pipe(Effect.timeoutOrElse({ duration: wallMs, orElse }));
  };
