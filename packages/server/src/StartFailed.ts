/**
 * Why the server cannot start: one sentence for the operator, naming the setting where there is one.
 */
import * as Data from "effect/Data";

export class StartFailed extends Data.TaggedError("StartFailed")<{
  readonly message: string;
  /** A database or a bucket was there and went away under the start: it comes back by itself. */
  readonly isAway?: boolean;
}> {}
