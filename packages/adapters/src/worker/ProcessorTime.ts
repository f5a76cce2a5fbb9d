/**
 * Limits a worker task by processor time instead of wall-clock time, so that a busy machine does not make a task
 * fail.
 */
import * as Effect from "effect/Effect";

/** Poll interval of a busy worker. */
const POLL_INTERVAL = "50 millis";

export interface ComputingLimit<A, E> {
  /** Processor time, in milliseconds. */
  readonly processorMs: number;
  /** Wall-clock limit as a safety net, for a worker that cannot be measured. */
  readonly wallMs: number;
  /** The result when a limit is reached. */
  readonly orElse: () => Effect.Effect<A, E>;
}

/** For `within` of a pool: `spentMs` is the processor time since the worker got the task. */
export const withinLimit =
  <A, E2>({ processorMs, wallMs, orElse }: ComputingLimit<A, E2>) =>
  <E>(answer: Effect.Effect<A, E>, spentMs: Effect.Effect<number>): Effect.Effect<A, E | E2> => {
    const overrun = spentMs.pipe(
      Effect.delay(POLL_INTERVAL),
      Effect.repeat({ until: (ms) => ms >= processorMs }),
      Effect.flatMap(orElse)
    );
    return Effect.raceFirst(answer, overrun).pipe(Effect.timeoutOrElse({ duration: wallMs, orElse }));
  };
