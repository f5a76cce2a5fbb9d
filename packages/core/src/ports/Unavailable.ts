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

const DISK_FULL_CODES: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT"]);

/** Old files go, and somebody makes room. */
const DISK_FULL_RETRY_SECONDS = 30;

/** Of Node's error codes: the disk, or a quota on it, takes no more (errno(3)). */
export const isDiskFullCode = (code: unknown): boolean => DISK_FULL_CODES.has(code);

export const diskFull = (message: string, cause: unknown): Unavailable =>
  new Unavailable({
    what: "artifacts",
    reason: "full",
    message,
    retryAfterSeconds: DISK_FULL_RETRY_SECONDS,
    cause
  });

/** None when something else went wrong as well, or instead. */
export const findUnavailable = (cause: Cause.Cause<unknown>): Unavailable | null => {
  const found = Cause.squash(cause);
  return found instanceof Unavailable ? found : null;
};
