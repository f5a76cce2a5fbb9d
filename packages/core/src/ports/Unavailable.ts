/**
 * The defect of a port whose backing service is temporarily unavailable. It is distinguished from other
 * defects because a retry may succeed later.
 *
 * A change in progress may or may not have been applied, if the response to a commit was lost. Only retry
 * idempotent operations. Tests: Outages.test.ts, the server's unavailable.test.ts.
 */
import * as Cause from "effect/Cause";
import * as Data from "effect/Data";

export class Unavailable extends Data.TaggedError("Unavailable")<{
  readonly what: "database" | "artifacts";
  /** `busy`: it works, but the rows are locked. `away`: it is unreachable. `full`: it has no space left. */
  readonly reason: "busy" | "away" | "full";
  /** For the operator; names no address. */
  readonly message: string;
  /** When a retry may succeed. */
  readonly retryAfterSeconds: number;
  readonly cause?: unknown;
}> {}

const DISK_FULL_CODES: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT"]);

/** Retention or the operator frees space. */
const DISK_FULL_RETRY_SECONDS = 30;

/** Node's error codes for a full disk or an exhausted quota (errno(3)). */
export const isDiskFullCode = (code: unknown): boolean => DISK_FULL_CODES.has(code);

export const diskFull = (message: string, cause: unknown): Unavailable =>
  new Unavailable({
    what: "artifacts",
    reason: "full",
    message,
    retryAfterSeconds: DISK_FULL_RETRY_SECONDS,
    cause
  });

/** None if anything else failed as well, or instead. */
export const findUnavailable = (cause: Cause.Cause<unknown>): Unavailable | null => {
  const found = Cause.squash(cause);
  return found instanceof Unavailable ? found : null;
};
