/** Detects writes that fail, for a time, as the disk of working folders is full. Tests: adapters' NoRoom.test.ts. */
import { statfs } from "node:fs/promises";
import { diskFull, isDiskFullCode, type Unavailable } from "@winnow/core/ports/Unavailable";
import * as Effect from "effect/Effect";
import { codeOf } from "../runtime/ErrorCode.ts";

/** Whether the system reported a full disk, maybe as the cause of another error. */
export const isDiskFull = (error: unknown): boolean =>
  isDiskFullCode(codeOf(error)) ||
  (error instanceof Error && codeOf(error) === "" && error.cause !== undefined && isDiskFull(error.cause));

/** Free space below which a failed write is attributed to a full disk. */
const FULL_BELOW_BYTES = 256 * 1_024;

/** Whether the disk of this folder is full. */
export const isFullNow = (folder: string): Effect.Effect<boolean> =>
  Effect.promise(() =>
    statfs(folder).then(
      ({ bavail, bsize }) => bavail * bsize < FULL_BELOW_BYTES,
      () => false
    )
  );

export const diskFullError = (cause: unknown): Unavailable =>
  diskFull("The disk of the working folders is full.", cause);

/** Writes to a working folder; dies with {@link diskFullError} if its disk is full. */
export const writing = <A>(write: (signal: AbortSignal) => Promise<A>): Effect.Effect<A> =>
  Effect.catchDefect(Effect.promise(write), (defect) =>
    Effect.die(isDiskFull(defect) ? diskFullError(defect) : defect)
  );
