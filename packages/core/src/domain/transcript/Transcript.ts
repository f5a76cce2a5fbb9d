/**
 * Extracts plain text from caption files: WebVTT and SRT, including the deviations of real platforms.
 *
 * The files are untrusted: this never throws, takes time linear in their length, and stops at the limits below.
 */
import { decodeHTMLStrict } from "entities/decode";
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import { cleanLine } from "../text/CleanText.ts";
import type { Stretch } from "./SoundLevels.ts";

/** One cleaned caption: no tags, entities or empty lines. */
export interface Cue {
  readonly startSeconds: number;
  readonly endSeconds: number;
  /** Lines as shown, separated by "\n"; not empty. */
  readonly text: string;
}

/** Maximum length of a caption file, in characters; an hour of automatic captions has about one million. */
export const CAPTION_CHARS_MAX = 16_000_000;

/** Maximum number of cues; two a second for the longest accepted video are 7,200. */
export const CUES_MAX = 100_000;

const TIME = String.raw`(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,9}))?`;
const TIMING = new RegExp(String.raw`^\s*${TIME}\s*-->\s*${TIME}(?!\d)`, "u");

/** Maximum length of a timing line with its settings, in characters. */
const TIMING_CHARS_MAX = 500;

/** WebVTT blocks without captions (W3C WebVTT, section 4.1). */
const SILENT_BLOCK = /^(?:NOTE|STYLE|REGION)(?:\s|$)/u;

/** Rounded to milliseconds, the resolution of caption files, to avoid binary fractions. */
const secondsOf = (hours = "0", minutes = "0", seconds = "0", fraction = ""): number =>
  Math.round(
    Number(hours) * 3_600_000 +
      Number(minutes) * 60_000 +
      Number(seconds) * 1_000 +
      Number(`0.${fraction}0`) * 1_000
  ) / 1_000;

interface Timing {
  readonly startSeconds: number;
  readonly endSeconds: number;
}

const timingOf = (line: string): Timing | null => {
  if (!line.includes("-->")) return null;
  const match = TIMING.exec(line.slice(0, TIMING_CHARS_MAX));
  if (match === null) return null;
  const startSeconds = secondsOf(match[1], match[2], match[3], match[4]);
  return {
    startSeconds,
    endSeconds: Math.max(startSeconds, secondsOf(match[5], match[6], match[7], match[8]))
  };
};

/** A voice begins: `<v Mary>`, `<v.loud Mary Ann>`. */
const VOICE = /<v(?:\.[^\s<>]*)?\s+([^<>]+)>/gu;

/** Class, voice, language and time tags (`<c.yellow>`, `</v>`, `<00:00:01.500>`), and `{\an8}` overrides. */
const MARKUP = /<\/?(?:[A-Za-z][^<>]*|\d+:\d[^<>]*)?>|\{\\[^{}]*\}/gu;

/** Who speaks stands before what is said, once for each line in which a voice begins. */
const withSpeakers = (line: string): ReadonlyArray<string> =>
  line.includes("<v") ? line.replaceAll(VOICE, "\n$1: ").split("\n") : [line];

/** Captions use zero-width and control characters as placeholders. */
const cleaned = (line: string): ReadonlyArray<string> =>
  withSpeakers(line).flatMap((each) => cleanLine(decodeHTMLStrict(each.replace(MARKUP, ""))) ?? []);

/** Without an empty line in between, the line before a timing is the number or name of the next cue. */
const withoutNextId = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const last = lines.at(-1) ?? "";
  const isId = /^\s*\d+\s*$/u.test(last) || lines.at(-2)?.trim() === "";
  return isId ? lines.slice(0, -1) : lines;
};

/** Captions in file order; anything else is skipped. */
export const parseCues = (text: string): ReadonlyArray<Cue> => {
  const cues: Array<Cue> = [];
  let timing: Timing | null = null;
  let lines: Array<string> = [];
  let silent = false;
  const finish = (shownLines: ReadonlyArray<string>): void => {
    const cueLines = timing === null ? [] : shownLines.flatMap(cleaned);
    if (timing !== null && cueLines.length > 0) cues.push({ ...timing, text: cueLines.join("\n") });
    timing = null;
    lines = [];
  };
  const read = text.slice(0, CAPTION_CHARS_MAX).replace(/^\ufeff/u, "");
  for (const line of read.split(/\r\n|\n|\r/u)) {
    if (cues.length >= CUES_MAX) return cues;
    const next = silent ? null : timingOf(line);
    if (line === "") {
      finish(lines);
      silent = false;
    } else if (next !== null) {
      finish(withoutNextId(lines));
      timing = next;
    } else if (timing !== null) {
      lines.push(line);
    } else if (SILENT_BLOCK.test(line)) {
      silent = true;
    }
  }
  finish(lines);
  return cues;
};

/** Lines of a caption compared with the previous one; no player shows more at once. */
const ROLLING_LINES_MAX = 8;

/** A caption that begins this soon after the previous one may continue it, in seconds. */
const ROLLING_GAP_SECONDS = 0.05;

/** Shown shorter than this, a caption cannot be read: it holds the lines of the previous one, in seconds. */
const UNREADABLE_SECONDS = 0.1;

const grows = (line: string | undefined, into: string | undefined): boolean =>
  line !== undefined && into !== undefined && into.startsWith(`${line} `);

/**
 * How many of `lines` the previous caption already showed at its end; `grown` if the last of them became longer, as
 * in captions that are typed word by word.
 */
const overlap = (
  before: ReadonlyArray<string>,
  lines: ReadonlyArray<string>
): { readonly count: number; readonly grown: boolean } => {
  for (let count = Math.min(before.length, lines.length); count > 0; count--) {
    const tail = before.slice(-count);
    if (!tail.slice(0, -1).every((line, index) => line === lines[index])) continue;
    if (tail[count - 1] === lines[count - 1]) return { count, grown: false };
    if (grows(tail[count - 1], lines[count - 1])) return { count, grown: true };
  }
  return { count: 0, grown: false };
};

/** A word as it stands in its segment, with its punctuation if the recogniser states it. */
export interface TranscriptWord extends Stretch {
  readonly text: string;
}

/** Text with its start and end time; lines as shown, separated by "\n". */
export interface TranscriptSegment extends Cue {
  /** In order, within the segment; absent if unknown. */
  readonly words?: ReadonlyArray<TranscriptWord>;
  /** The same name for the same voice; absent if unknown. */
  readonly speaker?: string;
}

interface Step {
  readonly cue: Cue;
  readonly lines: ReadonlyArray<string>;
  /** Lines that the previous caption showed at its end. */
  readonly count: number;
  readonly grown: boolean;
  /** Begins when the previous caption ends. */
  readonly follows: boolean;
}

const stepsOf = (cues: ReadonlyArray<Cue>): ReadonlyArray<Step> => {
  let before: ReadonlyArray<string> = [];
  let endSeconds = Number.NEGATIVE_INFINITY;
  return cues.map((cue) => {
    const lines = cue.text.split("\n");
    const step = {
      cue,
      lines,
      ...overlap(before, lines.slice(0, ROLLING_LINES_MAX)),
      follows: cue.startSeconds <= endSeconds + ROLLING_GAP_SECONDS
    };
    before = lines.slice(-ROLLING_LINES_MAX);
    endSeconds = cue.endSeconds;
    return step;
  });
};

const isHeld = ({ cue }: Step): boolean => cue.endSeconds - cue.startSeconds < UNREADABLE_SECONDS;

/** The same words once more, for as long as it takes to say them: people repeat themselves. */
const isSaidAgain = (step: Step): boolean =>
  step.count === step.lines.length && step.count > 0 && !step.grown && !isHeld(step);

/**
 * Whether the captions roll: most of them show lines of the previous one again. Otherwise a repeated line is
 * repeated speech.
 */
const isRolling = (steps: ReadonlyArray<Step>): boolean => {
  const telling = steps.slice(1).filter((step) => !isSaidAgain(step));
  return 2 * telling.filter(({ count }) => count > 0).length >= telling.length && telling.length > 0;
};

/** Players show a caption with the same times twice; it counts once. */
const isSameAs = (cue: Cue, previous: Cue | undefined): boolean =>
  cue.startSeconds === previous?.startSeconds &&
  cue.endSeconds === previous.endSeconds &&
  cue.text === previous.text;

/** Whether the lines that the previous caption showed already are left out. */
const continues = (step: Step, rolling: boolean): boolean => {
  const { count, follows, grown, lines } = step;
  if (!rolling) return count === lines.length && isHeld(step);
  return follows || (count < lines.length && !grown);
};

/** The new text of each caption with its times: lines of rolling captions appear only once. */
export const transcriptSegments = (cues: ReadonlyArray<Cue>): ReadonlyArray<TranscriptSegment> => {
  const steps = stepsOf(cues.filter((cue, index) => !isSameAs(cue, cues[index - 1])));
  const rolling = isRolling(steps);
  const segments: Array<{ startSeconds: number; endSeconds: number; lines: Array<string> }> = [];
  for (const step of steps) {
    const { count, cue, grown } = step;
    const rolls = continues(step, rolling);
    const lines = step.lines.slice(rolls ? count - (grown ? 1 : 0) : 0);
    let { startSeconds } = cue;
    const last = segments.at(-1);
    if (rolls && grown && last !== undefined) {
      // The line began in the previous caption and is rewritten here.
      ({ startSeconds } = last);
      last.lines.pop();
      if (last.lines.length === 0) segments.pop();
    }
    if (lines.length > 0) segments.push({ startSeconds, endSeconds: cue.endSeconds, lines });
  }
  return segments.map(({ lines, ...times }) => ({ ...times, text: lines.join("\n") }));
};

/** The text alone, one line per displayed line. */
export const transcriptText = (segments: ReadonlyArray<TranscriptSegment>): string =>
  segments.map(({ text }) => text).join("\n");

/**
 * The author of the captions: people, the source's speech recognition (`automatic`), or the operator's
 * transcription server (`speech`).
 */
export const TranscriptOrigin = Schema.Literals(["people", "automatic", "speech"]).annotate({
  identifier: "TranscriptOrigin"
});
export type TranscriptOrigin = typeof TranscriptOrigin.Type;

const Timed = { startSec: Schema.Finite, endSec: Schema.Finite };

/** Content of `transcript.json` (docs/schemas.md). */
const TranscriptDocument = Schema.Struct({
  /** Language tag of the subtitles (BCP 47); null if the source does not report it. */
  language: Schema.NullOr(Schema.String),
  origin: TranscriptOrigin,
  segments: Schema.Array(
    Schema.Struct({
      ...Timed,
      text: Schema.NonEmptyString,
      words: Schema.optionalKey(Schema.Array(Schema.Struct({ text: Schema.NonEmptyString, ...Timed }))),
      speaker: Schema.optionalKey(Schema.NonEmptyString)
    })
  ),
  /** Stretches with sound that the speech model had no words for; absent if there are none. */
  gaps: Schema.optionalKey(Schema.Array(Schema.Struct(Timed)))
});

const written = ({ startSeconds, endSeconds }: Stretch) => ({ startSec: startSeconds, endSec: endSeconds });

const read = ({ startSec, endSec }: { readonly startSec: number; readonly endSec: number }): Stretch => ({
  startSeconds: startSec,
  endSeconds: endSec
});

/** `timeMark(75)` is `01:15`; from one hour, `1:01:15`. */
export const timeMark = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (value: number): string => String(value).padStart(2, "0");
  const [hours, minutes, rest] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${two(minutes)}:${two(rest)}`;
};

/** Compact: an hour of speech has thousands of segments. */
export const writeTranscript = (
  language: string | null,
  segments: ReadonlyArray<TranscriptSegment>,
  origin: TranscriptOrigin = "people",
  gaps: ReadonlyArray<Stretch> = []
): string =>
  `${JSON.stringify({
    language,
    origin,
    segments: segments.map(({ text, words, speaker, ...times }) => ({
      ...written(times),
      text,
      ...(words === undefined ? {} : { words: words.map((word) => ({ text: word.text, ...written(word) })) }),
      ...(speaker === undefined ? {} : { speaker })
    })),
    ...(gaps.length === 0 ? {} : { gaps: gaps.map(written) })
  } satisfies typeof TranscriptDocument.Type)}\n`;

/** End of the last caption, rounded up to whole seconds; null without captions. */
export const captionsEndSeconds = (segments: ReadonlyArray<TranscriptSegment>): number | null => {
  const endSeconds = segments.reduce((latest, segment) => Math.max(latest, segment.endSeconds), 0);
  return endSeconds > 0 ? Math.ceil(endSeconds) : null;
};

const decodeTranscript = Schema.decodeUnknownOption(Schema.fromJsonString(TranscriptDocument));

/** Empty if the text is not a valid `transcript.json`. */
export const readTranscript = (text: string): Option.Option<ReadonlyArray<TranscriptSegment>> =>
  Option.map(decodeTranscript(text), ({ segments }) =>
    segments.map((segment) => ({ ...read(segment), text: segment.text }))
  );
