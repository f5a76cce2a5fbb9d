/** Lyrics with times (LRC): `[01:02.50]words`; a line ends when the next one begins. */
import type { Cue } from "@winnow/core/domain/transcript/Transcript";
import { cueOf } from "./cueOf.ts";

/** Shown duration of the last line, which has no end in the file. */
const LAST_LINE_SECONDS = 5;

const TIME = /^\s*\[(\d{1,3}):(\d{2}(?:[.:]\d{1,3})?)\]/u;
/** Times of single words. */
const WORD_TIME = /<\d{1,3}:\d{2}(?:[.:]\d{1,3})?>/gu;
/** In milliseconds; positive values show all lines earlier. */
const OFFSET = /^\s*\[offset:\s*([+-]?\d{1,7})\s*\]/imu;

/** Times of a line that may be sung several times. */
const MAX_TIMES_OF_LINE = 50;

interface Line {
  readonly startSeconds: number;
  readonly words: string;
}

const linesOf = (line: string): ReadonlyArray<Line> => {
  const starts: Array<number> = [];
  let rest = line;
  for (
    let time = TIME.exec(rest);
    time !== null && starts.length < MAX_TIMES_OF_LINE;
    time = TIME.exec(rest)
  ) {
    starts.push(Number(time[1]) * 60 + Number((time[2] ?? "").replace(":", ".")));
    rest = rest.slice(time[0].length);
  }
  const words = rest.replaceAll(WORD_TIME, "");
  return starts.map((startSeconds) => ({ startSeconds, words }));
};

export const readLyrics = (text: string): ReadonlyArray<Cue> => {
  const offsetSeconds = Number(OFFSET.exec(text)?.[1] ?? 0) / 1_000;
  const lines = text
    .split(/\r\n|\n|\r/u)
    .flatMap(linesOf)
    .toSorted((one, other) => one.startSeconds - other.startSeconds);
  return lines.flatMap(({ startSeconds, words }, index) => {
    const start = Math.max(0, startSeconds - offsetSeconds);
    const next = lines[index + 1]?.startSeconds;
    return cueOf(start, next === undefined ? start + LAST_LINE_SECONDS : next - offsetSeconds, words);
  });
};
