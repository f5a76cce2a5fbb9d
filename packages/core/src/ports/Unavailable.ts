/**
 * What a port dies with when what stands behind it cannot answer now: a defect like its other failures, told
 * apart because it passes. Who asked may ask again later; whoever can wait, waits.
 *
 * A change that was being made is either there or not: when the answer to a commit is what got lost, nobody
 * knows. Ask again only for what may be asked twice.
 */
import * as Cause from "effect/Cause";
import * as Data from "effect/Data";

export class Unavailable extends Data.TaggedError("Unavailable")<{
  readonly what: "database" | "artifacts";
  /** `busy`: it works, but others hold what was asked for. `away`: it cannot be reached. `full`: it takes no more. */
  readonly reason: "busy" | "away" | "full";
  /** For the operator; names no address. */
  readonly message: string;
  /** When it may be worth asking again. */
  readonly retryAfterSeconds: number;
  readonly cause?: unknown;
}> {}

/** None when something else went wrong as well, or instead. */
export const findUnavailable = (cause: Cause.Cause<unknown>): Unavailable | null => {
  const found = Cause.squash(cause);
  return found instanceof Unavailable ? found : null;
};
