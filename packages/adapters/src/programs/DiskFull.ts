/** Detects writes that failed because the disk of the working folders is full, which is transient. */
import { diskFull, isDiskFullCode, type Unavailable } from "@winnow/core/ports/Unavailable";
import * as Effect from "effect/Effect";

const codeOf = (cause: unknown): string =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string"
    ? cause.code
    : cause instanceof Error && cause.cause !== undefined
      ? codeOf(cause.cause)
      : "";

/** Whether the system reported a full disk. */
export const isDiskFull = (cause: unknown): boolean => isDiskFullCode(codeOf(cause));

export const diskFullError = (cause: unknown): Unavailable =>
  diskFull("The disk of the working folders is full.", cause);

/** Writes to a working folder; dies with {@link diskFullError} if its disk is full. */
export const writing = <A>(write: () => Promise<A>): Effect.Effect<A> =>
  Effect.catchDefect(Effect.promise(write), (defect) =>
    Effect.die(isDiskFull(defect) ? diskFullError(defect) : defect)
  );
