/** A write to a working folder whose disk is full: a fault that passes, told apart from those that do not. */
import { diskFull, isDiskFullCode, type Unavailable } from "@winnow/core/ports/Unavailable";
import * as Effect from "effect/Effect";

const codeOf = (cause: unknown): string =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string"
    ? cause.code
    : cause instanceof Error && cause.cause !== undefined
      ? codeOf(cause.cause)
      : "";

/** Whether the system itself said so. */
export const saysNoRoom = (cause: unknown): boolean => isDiskFullCode(codeOf(cause));

export const noRoom = (cause: unknown): Unavailable =>
  diskFull("The disk of the working folders is full.", cause);

/** Writes to a working folder; dies with {@link noRoom} where its disk is full. */
export const writing = <A>(write: () => Promise<A>): Effect.Effect<A> =>
  Effect.catchDefect(Effect.promise(write), (defect) =>
    Effect.die(saysNoRoom(defect) ? noRoom(defect) : defect)
  );
