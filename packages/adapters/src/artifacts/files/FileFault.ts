/**
 * Which faults of a file system pass: of a disk that is full, a network file system that is away.
 */
import { diskFull, isDiskFullCode, Unavailable } from "@winnow/core/ports/Unavailable";

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

const AWAY_RETRY_SECONDS = 5;

/** The cause itself where it does not pass. */
export const faultOf = (cause: unknown): unknown => {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  if (isDiskFullCode(code)) return diskFull(`The disk of the artifacts is full (${code}).`, cause);
  if (!AWAY.has(code)) return cause;
  return new Unavailable({
    what: "artifacts",
    reason: "away",
    message: `The disk of the artifacts has a fault (${code}).`,
    retryAfterSeconds: AWAY_RETRY_SECONDS,
    cause
  });
};
