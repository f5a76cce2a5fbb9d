/** Progress as one line that is overwritten on a terminal, or one line per step elsewhere. */
import type { RunProgress } from "@winnow/core/domain/run/RunProgress";
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";

const CLEAR_LINE = "\r\u001b[2K";

const MEGABYTE = 1_000_000;

const stepOf = ({ phase, step }: RunProgress): string => step ?? phase;

const textOf = (progress: RunProgress): string =>
  [
    stepOf(progress),
    progress.rung === null ? null : `from ${progress.rung.join(", ")}`,
    progress.percent === null ? null : `${Math.round(progress.percent)} %`,
    progress.bytes === 0 ? null : `${(progress.bytes / MEGABYTE).toFixed(1)} MB`
  ]
    .filter((part) => part !== null)
    .join("  ");

export interface ProgressLine {
  readonly show: (progress: RunProgress) => void;
  readonly clear: () => void;
}

const open = (stream: NodeJS.WriteStream): Effect.Effect<ProgressLine, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      let lastStep = "";
      const clear = (): void => {
        if (stream.isTTY) stream.write(CLEAR_LINE);
      };
      const show = (progress: RunProgress): void => {
        if (stream.isTTY) stream.write(`${CLEAR_LINE}${textOf(progress)}`);
        else if (stepOf(progress) !== lastStep) stream.write(`${stepOf(progress)}\n`);
        lastStep = stepOf(progress);
      };
      return { show, clear };
    }),
    (line) => Effect.sync(line.clear)
  );

export const ProgressLine = { open };
