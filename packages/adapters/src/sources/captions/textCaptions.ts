/** Captions in lines and JSON (SubStation, YouTube's, lyrics), and what a caption is in all formats. Tests: readCaptions.test.ts. */
import { cleanLine } from "@winnow/core/domain/text/CleanText";
import { captionSeconds } from "@winnow/core/domain/transcript/CaptionTimes";
import type { Cue } from "@winnow/core/domain/transcript/Transcript";
import { isJsonObject } from "@winnow/core/domain/text/Json";
import { roundedSeconds } from "@winnow/core/domain/text/Milliseconds";

/** `text` has its lines separated by "\n". Its start is NaN if it cannot be told. */
export const cueOf = (startSeconds: number, endSeconds: number, text: string): ReadonlyArray<Cue> => {
  const lines = text.split("\n").flatMap((line) => cleanLine(line) ?? []);
  if (lines.length === 0) return [];
  const start = Math.max(0, roundedSeconds(startSeconds));
  const end = Number.isFinite(endSeconds) ? Math.max(start, roundedSeconds(endSeconds)) : start;
  return [{ startSeconds: start, endSeconds: end, text: lines.join("\n") }];
};

// SubStation Alpha (ASS and SSA): the `Dialogue` lines of the section `[Events]`.

/** Columns of `Dialogue` unless a `Format` line says otherwise. */
const COLUMNS = ["layer", "start", "end", "style", "name", "marginl", "marginr", "marginv", "effect", "text"];

/** Hundredths may stand after a colon: `0:00:01:50`. */
const secondsOf = (time: string | undefined): number =>
  captionSeconds((time ?? "").replace(/^(\s*\d+:\d+:\d+):(?=\d)/u, "$1.")) ?? Number.NaN;

/** `0:00:01,50,0:00:03,20,`: start and end with a comma before the hundredths, as in SubRip. */
const COMMA_TIMES = /(?<=^(?:[^,]{0,20},)?)(\d+:\d+:\d+),(\d{2,3}),(\d+:\d+:\d+),(\d{2,3})(?=,)/u;

/** Shapes drawn with vector commands, which are no words. */
const DRAWING = /\{[^{}]*\\p[1-9][^{}]*\}/u;

const shown = (text: string): string =>
  DRAWING.test(text)
    ? ""
    : text
        .replaceAll(/\{[^{}]*\}/gu, "")
        .replaceAll("\\N", "\n")
        .replaceAll(/\\[nh]/gu, " ");

/** The last column may contain commas. */
const fieldsOf = (line: string, count: number): ReadonlyArray<string> => {
  const parts = line.split(",");
  return [...parts.slice(0, count - 1), parts.slice(count - 1).join(",")];
};

export const readSubStation = (text: string): ReadonlyArray<Cue> => {
  let columns: ReadonlyArray<string> = COLUMNS;
  let inEvents = false;
  const cues: Array<Cue> = [];
  for (const line of text.split(/\r\n|\n|\r/u)) {
    const section = /^\[([^\]]{1,100})\]/u.exec(line)?.[1];
    if (section !== undefined) inEvents = section.toLowerCase() === "events";
    if (!inEvents) continue;
    const [, name = "", value = ""] = /^(Format|Dialogue):\s*(.*)$/isu.exec(line) ?? [];
    const key = name.toLowerCase();
    if (key === "format") columns = value.split(",").map((each) => each.trim().toLowerCase());
    if (key !== "dialogue") continue;
    const fields = fieldsOf(value.replace(COMMA_TIMES, "$1.$2,$3.$4"), columns.length);
    const field = (column: string): string | undefined => fields[columns.indexOf(column)];
    cues.push(...cueOf(secondsOf(field("start")), secondsOf(field("end")), shown(field("text") ?? "")));
  }
  return cues;
};

// YouTube's captions as JSON (`json3`): events with times in milliseconds and pieces of text.

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : []);

const textOf = (pieces: unknown): string =>
  listOf(pieces)
    .map((piece) => (isJsonObject(piece) && typeof piece["utf8"] === "string" ? piece["utf8"] : ""))
    .join("");

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

export const readJsonCaptions = (text: string): ReadonlyArray<Cue> => {
  const document = parsed(text);
  return listOf(isJsonObject(document) ? document["events"] : null).flatMap((event) => {
    if (!isJsonObject(event)) return [];
    const durationMs = Number(event["dDurationMs"] ?? 0) || 0;
    const startSeconds = Number(event["tStartMs"] ?? Number.NaN) / 1_000;
    return cueOf(startSeconds, startSeconds + durationMs / 1_000, textOf(event["segs"]));
  });
};

// Lyrics with times (LRC): `[01:02.50]words`; a line ends when the next one begins.

/** Shown duration of the last line, which has no end in the file. */
const LAST_LINE_SECONDS = 5;

const LYRICS_TIME = /^\s*\[(\d{1,3}):(\d{2}(?:[.:]\d{1,3})?)\]/u;
/** Times of single words: `<01:02.50>`. */
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
    let time = LYRICS_TIME.exec(rest);
    time !== null && starts.length < MAX_TIMES_OF_LINE;
    time = LYRICS_TIME.exec(rest)
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
