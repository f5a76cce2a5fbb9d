/** One caption from its times and its lines, cleaned; null if nothing would be shown. */
import { cleanLine } from "@winnow/core/domain/text/CleanText";
import type { Cue } from "@winnow/core/domain/transcript/Transcript";

const MILLISECONDS = 1_000;

/** To milliseconds, the resolution of caption files, to avoid binary fractions. */
const rounded = (seconds: number): number => Math.round(seconds * MILLISECONDS) / MILLISECONDS;

/** `text` has its lines separated by "\n". */
export const cueOf = (startSeconds: number, endSeconds: number, text: string): ReadonlyArray<Cue> => {
  const lines = text.split("\n").flatMap((line) => cleanLine(line) ?? []);
  if (lines.length === 0 || !(startSeconds >= 0) || !Number.isFinite(startSeconds)) return [];
  const start = rounded(startSeconds);
  const end = Number.isFinite(endSeconds) ? Math.max(start, rounded(endSeconds)) : start;
  return [{ startSeconds: start, endSeconds: end, text: lines.join("\n") }];
};
