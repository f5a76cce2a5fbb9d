/** The progress of a run or download on standard error: a line that is overwritten. Tests: accountCommands.test.ts. */
import type { ExtractionProgress } from "@winnow/client";
import { cleanText } from "@winnow/core/domain/text/CleanText";
import * as Effect from "effect/Effect";
import { durationText, sizeText } from "./Output.ts";

const CLEAR_LINE = "\r\u001b[2K";

const BAR_CHARS = 20;

/** Time passes without news too. */
const TICK_MS = 1_000;

export type Progress = Pick<
  ExtractionProgress,
  "step" | "percent" | "bytes" | "rung" | "doneSec" | "totalSec"
> & {
  /** `done` or `failed` at the end. */
  readonly phase: string;
};

/** Steps and files are named by the server: no name may move the cursor. */
const oneLine = (text: string): string => cleanText(text).replace(/\s+/gu, " ");

const stepOf = ({ phase, step }: Progress): string => oneLine(step ?? phase);

const barText = (percent: number): string => {
  const filled = Math.round((BAR_CHARS * Math.min(100, Math.max(0, percent))) / 100);
  return `[${"#".repeat(filled)}${"-".repeat(BAR_CHARS - filled)}] ${Math.round(percent)} %`;
};

/** "12 min of 55 min"; null for other steps than `transcribing`. */
const transcribedText = ({ doneSec, totalSec }: Progress): string | null =>
  doneSec === undefined || totalSec === undefined
    ? null
    : `${durationText(doneSec)} of ${durationText(totalSec)}`;

const progressText = (progress: Progress, elapsedMs: number): string =>
  [
    stepOf(progress),
    progress.percent === null ? null : barText(progress.percent),
    transcribedText(progress),
    progress.rung === null ? null : `from ${oneLine(progress.rung.join(", "))}`,
    progress.bytes === 0 ? null : sizeText(progress.bytes),
    durationText(elapsedMs / 1_000)
  ]
    .filter((part) => part !== null)
    .join("  ");

export interface ProgressLine {
  readonly show: (progress: Progress) => void;
  readonly clear: () => void;
}

/** Until the scope closes. If standard error is not a terminal, one line for each step instead. */
export const openProgress = Effect.acquireRelease(
  Effect.sync((): ProgressLine & { readonly close: () => void } => {
    const { stderr } = process;
    const startedMs = performance.now();
    let last: Progress | null = null;
    const draw = (): void => {
      if (last === null) return;
      const line = progressText(last, performance.now() - startedMs);
      stderr.write(`${CLEAR_LINE}${line.slice(0, Math.max(1, stderr.columns - 1))}`);
    };
    const timer = stderr.isTTY ? setInterval(draw, TICK_MS).unref() : undefined;
    const show = (progress: Progress): void => {
      const isNews = last === null || stepOf(progress) !== stepOf(last);
      last = progress;
      if (stderr.isTTY) draw();
      else if (isNews) stderr.write(`${stepOf(progress)}\n`);
    };
    const clear = (): void => {
      if (stderr.isTTY && last !== null) stderr.write(CLEAR_LINE);
      last = null;
    };
    return {
      show,
      clear,
      close: () => {
        clear();
        clearInterval(timer);
      }
    };
  }),
  (line) => Effect.sync(line.close)
);
