/** The searches of @winnow/core/domain/evidence, run to their end without pauses. Tests: core's Grounding.test.ts. */
import { grounding } from "@winnow/core/domain/evidence/Grounding";
import { findQuotes as search, type Slices } from "@winnow/core/domain/evidence/QuoteSearch";

const ended = <A>(slices: Slices<A>): A => {
  for (;;) {
    const { done, value } = slices.next();
    if (done === true) return value;
  }
};

export const groundingOf = (...given: Parameters<typeof grounding>) => ended(grounding(...given));

export const findQuotes = (...given: Parameters<typeof search>) => ended(search(...given));
