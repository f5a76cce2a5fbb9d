/** Runs a long computation of the domain so that it never holds the process up. */
import * as Effect from "effect/Effect";
import type { Slices } from "../domain/Slices.ts";

/** Others have their turn after each slice. Interruption ends it there. */
export const runSlices = <A>(slices: Slices<A>): Effect.Effect<A> =>
  Effect.gen(function* () {
    for (;;) {
      const { done, value } = slices.next();
      if (done === true) return value;
      yield* Effect.yieldNow;
    }
  });
