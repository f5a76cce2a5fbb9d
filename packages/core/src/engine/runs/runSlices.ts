/** Runs a long computation of the domain without blocking the event loop. */
import * as Effect from "effect/Effect";
import type { Slices } from "../../domain/text/Slices.ts";

/** Yields to other fibers after each slice, where it can also be interrupted. */
export const runSlices = <A>(slices: Slices<A>): Effect.Effect<A> =>
  Effect.gen(function* () {
    for (;;) {
      const { done, value } = slices.next();
      if (done === true) return value;
      yield* Effect.yieldNow;
    }
  });
