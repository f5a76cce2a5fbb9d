/**
 * Times of captions as files have them, also where programs wrote them oddly: other separators, digits that never end,
 * negative parts, other arrows. Pure, in linear time. The oddities are in OddCaptions.test.ts.
 */
import { roundedSeconds } from "../text/Milliseconds.ts";

/** A section of a recording, in seconds from its start. */
export interface Stretch {
  readonly startSeconds: number;
  readonly endSeconds: number;
}

/** The same later, rounded to milliseconds. */
export const later = <A extends Stretch>(each: A, bySeconds: number): A => {
  const moved = (seconds: number): number => roundedSeconds(seconds + bySeconds);
  return { ...each, startSeconds: moved(each.startSeconds), endSeconds: moved(each.endSeconds) };
};

/** Maximum length of a timing line with its settings, in characters. */
const TIMING_CHARS_MAX = 500;

/** Maximum of a part before the fraction: whole seconds of a long day. */
const PART_MAX = 999_999;

/** A time without a fraction that ends in frames has this many a second, at least. */
const FRAMES_PER_SECOND = 30;

const SEPARATOR = "[:;.,'’]";
/** `00:00:01,500`, `-0:01.5`, `00;01;;02`; its parts with the separators before them. */
const TIME = new RegExp(`^[-+]?\\d+(?:${SEPARATOR}+[-+]?\\d+)*${SEPARATOR}*$`, "u");
const PARTS = new RegExp(`(${SEPARATOR}*)([-+]?\\d+)`, "gu");

interface Part {
  readonly separator: string;
  /** With its sign. */
  readonly digits: string;
}

const isAfterPoint = ({ separator }: Part): boolean => /^[.,'’]/u.test(separator);

/** Where the fraction begins: after the first point, in a fourth part; `00.00.01` has none. */
const fractionPlace = (parts: ReadonlyArray<Part>): number => {
  const first = parts.findIndex((part, place) => place > 0 && isAfterPoint(part));
  if (first === -1) return parts.length === 4 ? 3 : parts.length;
  if (first > 1) return first;
  const isWhole =
    parts.length === 3 && parts[1]?.separator === parts[2]?.separator && (parts[2]?.digits.length ?? 0) <= 2;
  return isWhole ? parts.length : parts.length - 1;
};

const fractionOf = (parts: ReadonlyArray<Part>): number => {
  const [first] = parts;
  if (first === undefined) return 0;
  const isFrames = !isAfterPoint(first) && first.digits.length <= 2;
  if (isFrames) return Math.abs(Number(first.digits)) / FRAMES_PER_SECOND;
  const fraction = Number(`0.${parts.map(({ digits }) => digits.replace(/\D/gu, "")).join("")}`);
  return first.digits.startsWith("-") ? -fraction : fraction;
};

/** Text recognition takes a zero for an O, and a one for an l or I. */
const withDigits = (text: string): string =>
  /^[\dOoIl:;.,]+$/u.test(text) && /\d/u.test(text)
    ? text.replace(/[Oo]/gu, "0").replace(/[Il]/gu, "1")
    : text;

/** Null if it is no time. */
export const captionSeconds = (text: string): number | null => {
  const plain = withDigits(text.trim());
  if (plain.length > TIMING_CHARS_MAX || !TIME.test(plain)) return null;
  if (plain.startsWith("-")) return 0;
  const parts = [...plain.matchAll(PARTS)].map(([, separator = "", digits = ""]) => ({ separator, digits }));
  const place = fractionPlace(parts);
  const whole = parts.slice(0, place).map(({ digits }) => Number(digits));
  if (whole.length > 3 || whole.some((part) => Math.abs(part) > PART_MAX)) return null;
  const seconds = whole.reduce((sum, part) => sum * 60 + part, 0) + fractionOf(parts.slice(place));
  return Math.max(0, roundedSeconds(seconds));
};

/**
 * As written: `-->`, `->`, `==>`, `--&gt;`, a dash or "to" between spaces, other arrows such as `→`, and the comma of
 * YouTube's SubViewer format, `0:00:01.000,0:00:02.000`.
 */
const ARROW =
  /--&gt;|[-=](?:\s?[-=]){0,2}\s?>|\s(?:-{1,3}|[~>]{1,3}|to)\s(?![-\s]*>)|[–—]>?|[\u2190-\u21ff⟶➔➜]|(?<=[.]\d{2,3}),(?=\d+:)/u;

/** A cue whose times nobody can tell. */
const UNREAD = { startSeconds: Number.NaN, endSeconds: Number.NaN, words: "" };

export interface TimingLine extends Stretch {
  /** Words that stand behind the times, which are no settings. */
  readonly words: string;
}

/** Times without spaces and units (`00: 00: 01, 500`, `0h01m02s`), with the digits of ASCII. */
const tight = (text: string): string =>
  text
    .normalize("NFKC")
    .replace(/[٠-٩۰-۹]/gu, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replace(/(?<=\d)[٫،](?=\d)/gu, ",")
    .replace(/\b(\d{1,4})h(\d{1,2})m(?=\d)/giu, "$1:$2:")
    .replace(/(?<=[:.,]\d{1,9})s\b/giu, "")
    .replace(/(?<=\d)\s?([:;.,])\s?(?=[-+\d])/gu, "$1");

/** `align:start`, `X1=10`. */
const SETTING = /^[\w-]+[:=]\S*$/u;
const OPENING = /^[([{<"]+/u;
const CLOSING = /[)\]}>"]+$/u;

/** `NaN:NaN:NaN` too. */
const isLikeTime = (text: string): boolean => /\d\S*[:;.,]|[:;.,]\S*\d|:\S*:/u.test(text);

/** Hours, minutes and seconds, or minutes, seconds and their fraction. */
const isLong = (text: string): boolean => (text.match(/[:;.,]/gu) ?? []).length >= 2;

const readSides = (from: string, to: string, isFirst: boolean): Stretch | null => {
  const startSeconds = captionSeconds(from);
  const endSeconds = to === "" ? startSeconds : captionSeconds(to);
  if (startSeconds === null || endSeconds === null) return null;
  const hasColons = from.includes(":") && (to === "" || to.includes(":"));
  if (!hasColons && !(isFirst && isLikeTime(from) && isLikeTime(to))) return null;
  return { startSeconds, endSeconds: Math.max(startSeconds, endSeconds) };
};

/**
 * The times of a line: NaN if it is meant as such a line but they cannot be told, null if it is not.
 *
 * @param isFirst whether it begins a cue, where more is taken for times than within its words
 */
export const timingLine = (whole: string, isFirst: boolean): TimingLine | null => {
  const begin = whole.slice(0, TIMING_CHARS_MAX);
  const line = tight(begin);
  const arrow = ARROW.exec(line);
  if (arrow === null) return null;
  const [before, behind] = [line.slice(0, arrow.index), line.slice(arrow.index + arrow[0].length)];
  const left = before.trim().replace(OPENING, "").split(/\s+/u);
  const [until = "", ...after] = behind.trim().split(/\s+/u);
  const [from, to] = [left.at(-1) ?? "", until.replace(CLOSING, "")];
  const isNumbered = left.length === 1 || (left.length === 2 && /^\d+[.):]?$/u.test(left[0] ?? ""));
  const isUsual = arrow[0] === "-->" || (isFirst && isLong(from) && isLong(to));
  if (!isNumbered || !isUsual) return null;
  const times = readSides(from, to, isFirst);
  if (times !== null) return { ...times, words: after.filter((word) => !SETTING.test(word)).join(" ") };
  const isMeant = isFirst && (isLikeTime(from) || from === "") && (isLikeTime(to) || to === "");
  return isMeant && from + to !== "" ? UNREAD : null;
};
