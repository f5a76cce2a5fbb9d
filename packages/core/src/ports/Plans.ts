/**
 * Which plans there are. Read anew at each use: an operator may replace them while the server runs.
 */
import * as Context from "effect/Context";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import { bookOf, replaced, SPECIFICATION_BOOK, type PlanBook, type PlanTable } from "../domain/Plan.ts";

export interface PlansShape {
  readonly book: () => PlanBook;
  /** Ends once the book is another than this one; never where plans are not replaced, as without it. */
  readonly replacementOf?: (book: PlanBook) => Effect.Effect<void>;
}

export class Plans extends Context.Reference<PlansShape>("@winnow/core/ports/Plans", {
  defaultValue: () => ({ book: () => SPECIFICATION_BOOK })
}) {}

/** Plans that whoever made them may replace. */
export interface ReplaceablePlans extends Required<PlansShape> {
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
