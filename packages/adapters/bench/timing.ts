/** Timing for the benches. */
import * as Effect from "effect/Effect";

export const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((left, right) => left - right)[values.length >> 1] ?? Number.NaN;

/** Duration of the effect in milliseconds. */
export const timed = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<number, E, R> =>
  Effect.suspend(() => {
    const startMs = performance.now();
    return Effect.map(effect, () => performance.now() - startMs);
  });
