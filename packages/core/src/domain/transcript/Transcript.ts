/** A transcript: cues, what is new in each of them, and the files made of that. Pure. */
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import type { Stretch } from "./CaptionTimes.ts";

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

/** Lines of a caption compared with the previous one; no player shows more at once. */
const ROLLING_LINES_MAX = 8;

/** A caption that begins this soon after the previous one may continue it, in seconds. */
const ROLLING_GAP_SECONDS = 0.05;

/** Shown shorter than this, a caption cannot be read: it holds the lines of the previous one, in seconds. */
const UNREADABLE_SECONDS = 0.1;

/** Written or not: `don't`, `dont`. */
const APOSTROPHES = /['’ʼ]/gu;
const NO_LETTERS = /[^\p{L}\p{M}\p{N}]+/gu;

/** The same for the same words, said by the same person: captions correct capitals and punctuation when they repeat. */
const folded = (line: string): string => {
  const words = line.toLowerCase().replace(APOSTROPHES, "").replace(NO_LETTERS, " ").trim();
  return words === "" ? line : `${/^[-–—>]/u.test(line) ? "-" : ""}${words}`;
};

const grows = (line: string | undefined, into: string | undefined): boolean =>
  line !== undefined && into !== undefined && into.startsWith(`${line} `);

interface Overlap {
  /** Lines that the previous caption showed at its end. */
  readonly count: number;
  /** The last of them became longer, as in captions that are typed word by word. */
  readonly grown: boolean;
  /** Where there are none: words at the start of the first line that ended the previous caption. */
  readonly words: number;
}

/** Fewer words are the same by chance. */
const SHARED_WORDS_MIN = 2;

/** Words compared at the border of two captions. */
const SHARED_WORDS_MAX = 40;

const sharedWords = (before: string, line: string): number => {
  const [ended, begun] = [before.split(" ").slice(-SHARED_WORDS_MAX), line.split(" ")];
  for (let words = Math.min(ended.length, begun.length); words >= SHARED_WORDS_MIN; words--) {
    if (ended.slice(-words).every((word, index) => word === begun[index])) return words;
  }
  return 0;
};

/** Of folded lines. */
const overlap = (before: ReadonlyArray<string>, lines: ReadonlyArray<string>): Overlap => {
  for (let count = Math.min(before.length, lines.length); count > 0; count--) {
    const tail = before.slice(-count);
    if (!tail.slice(0, -1).every((line, index) => line === lines[index])) continue;
    if (tail[count - 1] === lines[count - 1]) return { count, grown: false, words: 0 };
    if (grows(tail[count - 1], lines[count - 1])) return { count, grown: true, words: 0 };
  }
  return { count: 0, grown: false, words: sharedWords(before.at(-1) ?? "", lines[0] ?? "") };
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

interface Step extends Overlap {
  readonly cue: Cue;
  readonly lines: ReadonlyArray<string>;
  /** Begins when the previous caption ends. */
  readonly follows: boolean;
}

const stepsOf = (cues: ReadonlyArray<Cue>): ReadonlyArray<Step> => {
  let before: ReadonlyArray<string> = [];
  let endSeconds = Number.NEGATIVE_INFINITY;
  return cues.map((cue) => {
    const lines = cue.text.split("\n");
    const words = lines.map(folded);
    const step = {
      cue,
      lines,
      ...overlap(before, words.slice(0, ROLLING_LINES_MAX)),
      follows: cue.startSeconds <= endSeconds + ROLLING_GAP_SECONDS
    };
    before = words.slice(-ROLLING_LINES_MAX);
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
  return (
    2 * telling.filter(({ count, words }) => count + words > 0).length >= telling.length && telling.length > 0
  );
};

/** Players show a caption with the same times twice; it counts once. */
const isSameAs = (cue: Cue, previous: Cue | undefined): boolean =>
  cue.startSeconds === previous?.startSeconds &&
  cue.endSeconds === previous.endSeconds &&
  cue.text === previous.text;

/** Whether the lines that the previous caption showed already are left out. */
const continues = (step: Step, rolling: boolean): boolean => {
  const { count, follows, grown, lines, words } = step;
  if (!rolling) return count === lines.length && isHeld(step);
  return follows || (count < lines.length && !grown && words === 0);
};

const newLines = ({ count, grown, lines, words }: Step): Array<string> => {
  if (words === 0) return lines.slice(count - (grown ? 1 : 0));
  const [first = "", ...others] = lines;
  return [wordsAfter(first, words), ...others].filter((line) => line !== "");
};

/** Without its first words, as {@link folded} counts them. */
const wordsAfter = (line: string, count: number): string => {
  const words = [...line.matchAll(/[\p{L}\p{M}\p{N}]+(?:['’ʼ]+[\p{L}\p{M}\p{N}]+)*/gu)];
  const next = words[count];
  return next === undefined ? "" : line.slice(next.index);
};

/** The new text of each caption with its times: lines of rolling captions appear only once. */
export const transcriptSegments = (cues: ReadonlyArray<Cue>): ReadonlyArray<TranscriptSegment> => {
  const steps = stepsOf(cues.filter((cue, index) => !isSameAs(cue, cues[index - 1])));
  const rolling = isRolling(steps);
  const segments: Array<{ startSeconds: number; endSeconds: number; lines: Array<string> }> = [];
  for (const step of steps) {
    const { cue, grown } = step;
    const rolls = continues(step, rolling);
    const lines = rolls ? newLines(step) : [...step.lines];
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

const inSec = ({ startSeconds, endSeconds }: Stretch) => ({ startSec: startSeconds, endSec: endSeconds });

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
      ...inSec(times),
      text,
      ...(words === undefined ? {} : { words: words.map((word) => ({ text: word.text, ...inSec(word) })) }),
      ...(speaker === undefined ? {} : { speaker })
    })),
    ...(gaps.length === 0 ? {} : { gaps: gaps.map(inSec) })
  } satisfies typeof TranscriptDocument.Type)}\n`;

/** End of the last caption, rounded up to whole seconds; null without captions. */
export const captionsEndSeconds = (
  segments: ReadonlyArray<{ readonly endSeconds: number | null }>
): number | null => {
  const endSeconds = segments.reduce((latest, segment) => Math.max(latest, segment.endSeconds ?? 0), 0);
  return endSeconds > 0 ? Math.ceil(endSeconds) : null;
};

const decodeTranscript = Schema.decodeUnknownOption(Schema.fromJsonString(TranscriptDocument));

/** What {@link writeTranscript} is given; empty if the text is not a valid `transcript.json`. */
export const readDocument = (text: string) =>
  Option.map(decodeTranscript(text), ({ language, origin, segments, gaps = [] }) => ({
    language,
    origin,
    segments: segments.map(({ words, ...segment }): TranscriptSegment => ({
      ...read(segment),
      text: segment.text,
      ...(words === undefined ? {} : { words: words.map((word) => ({ ...read(word), text: word.text })) }),
      ...(segment.speaker === undefined ? {} : { speaker: segment.speaker })
    })),
    gaps: gaps.map(read)
  }));

/** Without words and speakers; empty if the text is not a valid `transcript.json`. */
export const readTranscript = (text: string): Option.Option<ReadonlyArray<TranscriptSegment>> =>
  Option.map(decodeTranscript(text), ({ segments }) =>
    segments.map((segment) => ({ ...read(segment), text: segment.text }))
  );
