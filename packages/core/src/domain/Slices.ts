/**
 * Long computations in slices: generators that yield now and then, so that whoever runs them can let others
 * in between. Pure; the engine runs them with pauses (engine/runSlices).
 */

/** Ends with its value; what it yields says nothing. */
export type Slices<A> = Generator<void, A, void>;

/** Characters or nodes that are gone through between two yields: a few milliseconds each. */
export const SLICE_STEPS = 20_000;

/** The value, without a pause. */
export const inOneGo = <A>(slices: Slices<A>): A => {
  for (;;) {
    const { done, value } = slices.next();
    if (done === true) return value;
  }
};
