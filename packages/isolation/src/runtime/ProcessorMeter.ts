/**
 * Who counts the processor time of programs and workers, for a limit on a piece of work that needs many of them. It is
 * told while they run, so that they can be interrupted.
 */
import * as Context from "effect/Context";

/** Is given what was used since the last time, in milliseconds; null where nobody counts. */
export const ProcessorMeter = Context.Reference<((usedMs: number) => void) | null>(
  "@winnow/isolation/runtime/ProcessorMeter",
  { defaultValue: () => null }
);
