/**
 * Which faults of a file system pass: of a disk that is full, a network file system that is away.
 */
import { Unavailable } from "@winnow/core/ports/Unavailable";

const FULL: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT"]);
const AWAY: ReadonlySet<string> = new Set([
  "EAGAIN",
  "EHOSTDOWN",
  "EHOSTUNREACH",
  "EIO",
  "EMFILE",
  "ENFILE",
  "ENOMEM",
  "ENOTCONN",
  "EROFS",
  "ESTALE",
  "ETIMEDOUT"
]);

/** Old files go, and somebody makes room. */
const FULL_RETRY_SECONDS = 30;
const AWAY_RETRY_SECONDS = 5;

/** The cause itself where it does not pass. */
export const faultOf = (cause: unknown): unknown => {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  if (FULL.has(code)) {
    return new Unavailable({
      what: "artifacts",
      reason: "full",
      message: `The disk of the artifacts is full (${code}).`,
      retryAfterSeconds: FULL_RETRY_SECONDS,
      cause
    });
  }
  if (!AWAY.has(code)) return cause;
  return new Unavailable({
    what: "artifacts",
    reason: "away",
    message: `The disk of the artifacts does not work (${code}).`,
    retryAfterSeconds: AWAY_RETRY_SECONDS,
    cause
  });
};
