/** A transcript as lines with timestamps: all of it, a time range, or the lines that match a phrase. */
import { ToolError } from "./toolError.ts";

export interface Segment {
  readonly startSec: number;
  readonly endSec: number;
  readonly text: string;
}

export interface TimedTranscript {
  readonly language: string | null;
  readonly segments: ReadonlyArray<Segment>;
}

const isSegment = (value: unknown): value is Segment => {
  const { startSec, endSec, text } = (value ?? {}) as Partial<Segment>;
  return typeof startSec === "number" && typeof endSec === "number" && typeof text === "string";
};

/** Content of `transcript.json`. */
export const readTimed = (json: string): TimedTranscript => {
  const { language, segments } = JSON.parse(json) as Partial<TimedTranscript>;
  return {
    language: typeof language === "string" ? language : null,
    segments: Array.isArray(segments) ? segments.filter(isSegment) : []
  };
};

const SECONDS_PER_MINUTE = 60;
const SECONDS_PER_HOUR = 3_600;

const padded = (value: number): string => String(value).padStart(2, "0");

/** `0:04`, `1:02:03`. */
export const timeOf = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(seconds));
  const minutes = Math.floor((whole % SECONDS_PER_HOUR) / SECONDS_PER_MINUTE);
  const rest = padded(whole % SECONDS_PER_MINUTE);
  return whole < SECONDS_PER_HOUR
    ? `${minutes}:${rest}`
    : `${Math.floor(whole / SECONDS_PER_HOUR)}:${padded(minutes)}:${rest}`;
};

export const lineOf = ({ startSec, text }: Segment): string =>
  `[${timeOf(startSec)}] ${text.replaceAll("\n", " ")}`;

/** Ignores case, accents, character width and spacing. */
const folded = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/\s+/gu, " ")
    .trim();

export const needleOf = (search: string): string => {
  const needle = folded(search);
  if (needle !== "") return needle;
  throw new ToolError("invalid_request", "search contains no letters or digits; pass a word or a phrase.");
};

export interface Found<Item> {
  /** The items that contain the phrase or a part of a match. */
  readonly items: ReadonlyArray<Item>;
  /** Number of matches. */
  readonly matches: number;
}

/** Also finds phrases that span several captions, since captions can break anywhere in a sentence. */
export const searchIn = <Item>(
  items: ReadonlyArray<Item>,
  textOf: (item: Item) => string,
  needle: string
): Found<Item> => {
  const texts = items.map((item) => folded(textOf(item)));
  const ends: Array<number> = [];
  let length = 0;
  for (const text of texts) ends.push((length += text.length + 1));
  const whole = texts.join(" ");
  const hit = new Set<number>();
  let matches = 0;
  let item = 0;
  for (let at = whole.indexOf(needle); at >= 0; at = whole.indexOf(needle, at + needle.length)) {
    matches += 1;
    while ((ends[item] ?? Infinity) <= at) item += 1;
    for (let last = item; ; last += 1) {
      hit.add(last);
      if ((ends[last] ?? Infinity) >= at + needle.length) break;
    }
  }
  return { items: items.filter((_, index) => hit.has(index)), matches };
};

/** The segments that overlap the range. */
export const within = (
  segments: ReadonlyArray<Segment>,
  startSec: number,
  endSec: number
): ReadonlyArray<Segment> => {
  if (startSec > endSec) throw new ToolError("invalid_request", "startSec must not be greater than endSec.");
  return segments.filter((segment) => segment.endSec >= startSec && segment.startSec <= endSec);
};
