/** Why the server cannot start: one sentence for the operator, naming the setting if there is one. */
import * as Data from "effect/Data";

export class StartFailed extends Data.TaggedError("StartFailed")<{
  readonly message: string;
  /** A database or bucket became unavailable during the start: it may recover. */
  readonly isAway?: boolean;
}> {}
