/** How the benches take times. */
import * as Effect from "effect/Effect";

export const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((left, right) => left - right)[values.length >> 1] ?? Number.NaN;

/** Milliseconds that the effect takes. */
export const timed = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<number, E, R> =>
  Effect.suspend(() => {
    const startMs = performance.now();
    return Effect.map(effect, () => performance.now() - startMs);
  });
