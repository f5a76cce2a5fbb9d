/** The available plans. Read at each use, since an operator may replace them while the server runs. Tests: AccountPlans.test.ts. */
import * as Context from "effect/Context";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import { bookOf, replaced, BUILT_IN_PLANS, type PlanBook, type PlanTable } from "../domain/money/Plan.ts";

export interface PlansShape {
  readonly book: () => PlanBook;
  /** Completes once the plans differ from these; never if plans cannot be replaced. */
  readonly replacementOf: (book: PlanBook) => Effect.Effect<void>;
}

/** Plans that are never replaced. */
export const fixedPlans = (book: PlanBook): PlansShape => ({
  book: () => book,
  replacementOf: () => Effect.never
});

export class Plans extends Context.Reference<PlansShape>("@winnow/core/ports/Plans", {
  defaultValue: () => fixedPlans(BUILT_IN_PLANS)
}) {}

/** Plans that can be replaced at run time. */
export interface ReplaceablePlans extends PlansShape {
  /** At `nowMs`, in Unix milliseconds. */
  readonly replace: (by: PlanTable, nowMs: number) => void;
}

export const replaceablePlans = (first: PlanTable): ReplaceablePlans => {
  let book = bookOf(first);
  let next = Deferred.makeUnsafe<void>();
  return {
    book: () => book,
    replacementOf: (known) => Effect.suspend(() => (known === book ? Deferred.await(next) : Effect.void)),
    replace: (by, nowMs) => {
      const before = next;
      book = replaced(book, by, nowMs);
      next = Deferred.makeUnsafe();
      Deferred.doneUnsafe(before, Effect.void);
    }
  };
};
