/**
 * Long computations as generators that yield regularly, so that their runner can let other work proceed. Pure;
 * engine/runs/ContentAnalysis runs them with pauses.
 */

/** Returns its value; the yielded values are meaningless. */
export type Slices<A> = Generator<void, A, void>;

/** Characters or nodes processed between two yields: a few milliseconds. */
export const SLICE_STEPS = 20_000;

/** Runs to the end without pauses. */
export const runToCompletion = <A>(slices: Slices<A>): A => {
  for (;;) {
    const { done, value } = slices.next();
    if (done === true) return value;
  }
};
