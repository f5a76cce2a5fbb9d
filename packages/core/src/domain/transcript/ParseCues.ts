/**
 * Extracts plain text from caption files: WebVTT and SRT, including the deviations of real platforms and programs.
 *
 * The files are untrusted: this never throws, takes time linear in their length, and stops at the limits below. Tests:
 * Transcript.test.ts, OddCaptions.test.ts.
 */
import { decodeHTMLStrict } from "entities/decode";
import { cleanLine } from "../text/CleanText.ts";
import { type TimingLine, timingLine } from "./CaptionTimes.ts";
import { CAPTION_CHARS_MAX, type Cue, CUES_MAX } from "./Transcript.ts";

/** WebVTT blocks without captions (W3C WebVTT, section 4.1). */
const SILENT_BLOCK = /^(?:NOTE|STYLE|REGION)(?:\s|$)/u;

/** Segments may stand one after another. */
const HEADER = /^WEBVTT(?:\s|$)/iu;

/** A voice begins: `<v Mary>`, `<v.loud Mary Ann>`. */
const VOICE = /<v(?:\.[^\s<>]*)?\s+([^<>]+)>/gu;

/** How a word is read, above it: `<ruby>漢<rp>(</rp><rt>かん</rt>…`; brackets for players that do not know it. */
const READING = /<(?:rt|rp)(?:\.[^<>]*)?>[^<]*(?:<(?!\/?(?:rt|rp|ruby)\b)[^<]*)*(?:<\/(?:rt|rp)>)?/giu;

/**
 * Class, voice, language and time tags (`<c.yellow>`, `</v>`, `<00:00:01.500>`), those of SubRip, any with attributes,
 * and overrides of other formats (`{\an8}`, `{y:i}`). Everything else in angle brackets is said: `List<String>`,
 * `<sighs>`, `a<b and c>d`.
 */
const MARKUP =
  /<\/?(?:(?:c|i|b|u|s|ruby|rb|rtc?|rp|font|span|em|strong|strike|small|big)(?:\.[^<>]*|\s*\/?)|(?:v|lang)(?=[.\s/>])[^<>]*|(?<=\/)a|[a-z]+\s+[\w-]+\s*=[^<>]*|\d+:\d[^<>]*|)>|\{(?:\\[^{}]*|[cfsy]:[$\w,]*)\}/giu;

const BREAK = /<br\s*\/?>/giu;

/** Of SubStation, which programs leave in other formats; not in paths of files. */
const OTHER_BREAK = /\\N/gu;
const FILE_PATH = /\b[a-z]:\\/iu;

/** Who speaks stands before what is said, once for each line in which a voice begins. */
const withSpeakers = (line: string): string =>
  line.includes("<v") ? line.replaceAll(VOICE, "\n$1: ") : line;

/** Captions use zero-width and control characters as placeholders. */
const cleaned = (line: string): ReadonlyArray<string> =>
  withSpeakers(line)
    .replaceAll(BREAK, "\n")
    .replaceAll(OTHER_BREAK, FILE_PATH.test(line) ? "$&" : "\n")
    .split("\n")
    .flatMap((each) => cleanLine(decodeHTMLStrict(each.replace(READING, "").replace(MARKUP, ""))) ?? []);

const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === "";

/** The number of a cue, also as `#2` or `2.`; null if the line is none. */
const numberIn = (line: string | undefined): number | null => {
  const digits = /^\s*#?(\d{1,9})[.):]?\s*$/u.exec(line ?? "")?.[1];
  return digits === undefined ? null : Number(digits);
};

/** The words of a cue before the lines that name the next one. */
interface CueWords {
  readonly lines: ReadonlyArray<string>;
  /** Number of the next cue, if it has one. */
  readonly nextNumber: number | null;
}

/**
 * The line before a timing is the number or name of the next cue. Programs that double line ends put an empty line in
 * between: there only the number after `number` is one; any is before the first cue, where that is undefined.
 */
const wordsBefore = (
  lines: ReadonlyArray<string>,
  number: number | null | undefined,
  isWebVtt: boolean
): CueWords => {
  let end = lines.length;
  while (end > 0 && isBlank(lines[end - 1])) end -= 1;
  const last = lines[end - 1];
  const ownNumber = numberIn(last);
  const isAdjacent = end === lines.length;
  const isNext = ownNumber !== null && number !== null && (number === undefined || ownNumber === number + 1);
  const isName = isWebVtt && end > 1 && isBlank(lines[end - 2]);
  const isId = isAdjacent ? ownNumber !== null || isName : isNext;
  return { lines: isId ? lines.slice(0, end - 1) : lines, nextNumber: isId ? ownNumber : null };
};

class CueParser {
  readonly cues: Array<Cue> = [];
  readonly #isWebVtt: boolean;
  #timing: TimingLine | null = null;
  #number: number | null = null;
  #lines: Array<string> = [];
  /** What an empty line ends: a block without captions, or a header, which a timing ends too. */
  #silence: "block" | "header" | null = null;

  constructor(isWebVtt: boolean) {
    this.#isWebVtt = isWebVtt;
  }

  read(line: string): void {
    const before = this.#lines.at(-1);
    const isFirst = isBlank(before) || numberIn(before) !== null;
    const timing = this.#silence === "block" ? null : timingLine(line, isFirst);
    if (timing !== null) {
      this.#silence = null;
      this.finish(timing);
      if (timing.words !== "") this.#lines.push(timing.words);
    } else if (line === "") {
      this.#silence = null;
      if (before !== "") this.#lines.push(line);
    } else if (this.#isWebVtt && HEADER.test(line)) {
      this.#silence = "header";
    } else if (this.#isWebVtt && (before ?? "") === "" && SILENT_BLOCK.test(line)) {
      this.#silence = "block";
    } else if (this.#silence === null) {
      this.#lines.push(line);
    }
  }

  /** Ends the cue before the next timing, or the file. */
  finish(next: TimingLine | null): void {
    const timing = this.#timing;
    const { lines, nextNumber } =
      next === null
        ? { lines: this.#lines, nextNumber: null }
        : wordsBefore(this.#lines, timing === null ? undefined : this.#number, this.#isWebVtt);
    const shown = timing === null ? [] : lines.flatMap(cleaned);
    if (timing !== null && shown.length > 0) {
      const { startSeconds, endSeconds } = timing;
      this.cues.push({ startSeconds, endSeconds, text: shown.join("\n") });
    }
    this.#timing = next;
    this.#number = nextNumber;
    this.#lines = [];
  }
}

/** CR CR LF is one end of a line that a program wrote twice. */
const LINE_END = /\r\r\n|\r\n|[\n\r\v\f\u0085\u2028\u2029]/u;

/**
 * Captions in file order; those whose times cannot be told have NaN for them. Words after an empty line belong to the
 * caption before, as players of SubRip show them.
 */
export const parseCues = (text: string): ReadonlyArray<Cue> => {
  const read = text.slice(0, CAPTION_CHARS_MAX).replace(/^\ufeff/u, "");
  const parser = new CueParser(/^\s*WEBVTT/iu.test(read));
  for (const line of read.split(LINE_END)) {
    if (parser.cues.length >= CUES_MAX) return parser.cues;
    parser.read(line);
  }
  parser.finish(null);
  return parser.cues;
};
