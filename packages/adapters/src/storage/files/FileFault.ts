/** Classifies transient file system faults: a full disk, an unavailable network file system. */
import { diskFull, isDiskFullCode, Unavailable } from "@winnow/core/ports/Unavailable";
import { codeOf } from "@winnow/isolation/runtime/ErrorCode";

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

/** The cause itself if the fault is not transient. */
export const faultOf = (cause: unknown): unknown => {
  const code = codeOf(cause);
  if (isDiskFullCode(code)) return diskFull(`The disk of the artifacts is full (${code}).`, cause);
  if (!AWAY.has(code)) return cause;
  return new Unavailable({
    what: "artifacts",
    reason: "away",
    message: `The artifacts' disk reported an error (${code}).`,
    retryAfterSeconds: AWAY_RETRY_SECONDS,
    cause
  });
};
