/**
 * Which plans there are. Read anew at each use: an operator may replace them while the server runs.
 */
import * as Context from "effect/Context";
import { SPECIFICATION_BOOK, type PlanBook } from "../domain/Plan.ts";

export class Plans extends Context.Reference<{ readonly book: () => PlanBook }>("@winnow/core/ports/Plans", {
  defaultValue: () => ({ book: () => SPECIFICATION_BOOK })
}) {}
