/** The files of a transcript, whatever its origin; its cues as WebVTT and SubRip. Pure. Tests: Cuts.test.ts. */
import * as Option from "effect/Option";
import type { Stretch } from "../transcript/CaptionTimes.ts";
import { parseCues } from "../transcript/ParseCues.ts";
import {
  type Cue,
  readDocument,
  type TranscriptOrigin,
  type TranscriptSegment,
  transcriptText,
  writeTranscript
} from "../transcript/Transcript.ts";
import {
  subtitleFile,
  subtitleLanguage,
  subtitleSrtFile,
  TRANSCRIPT_FILE,
  TRANSCRIPT_SEGMENTS_FILE
} from "./ArtifactName.ts";
import type { TimeRange } from "../source/TimeRange.ts";
import { LANGUAGE_UNKNOWN } from "../text/LanguageTag.ts";
import { msOf } from "../text/Milliseconds.ts";

/** `00:01:02.500` in WebVTT (W3C WebVTT, section 4.1); SubRip uses a comma as the decimal separator. */
const timestamp = (seconds: number, point = "."): string => {
  const milliseconds = msOf(seconds);
  const part = (value: number, digits: number): string => String(value).padStart(digits, "0");
  const whole = Math.floor(milliseconds / 1_000);
  return `${part(Math.floor(whole / 3_600), 2)}:${part(Math.floor(whole / 60) % 60, 2)}:${part(whole % 60, 2)}${point}${part(milliseconds % 1_000, 3)}`;
};

/** Escapes tags and arrows, which cue text must not contain. */
const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

export const writeVtt = (cues: ReadonlyArray<Cue>): string =>
  [
    "WEBVTT\n",
    ...cues.map(
      (cue) => `${timestamp(cue.startSeconds)} --> ${timestamp(cue.endSeconds)}\n${escaped(cue.text)}\n`
    )
  ].join("\n");

/** Numbered from 1. Empty lines and arrows are escaped, because they would end a cue or look like a timestamp. */
const writeSrt = (cues: ReadonlyArray<Cue>): string =>
  cues
    .map(({ endSeconds, startSeconds, text }, index) => {
      const words = text.replaceAll(/\n{2,}/gu, "\n").replaceAll("-->", "->");
      return `${index + 1}\n${timestamp(startSeconds, ",")} --> ${timestamp(endSeconds, ",")}\n${words}\n`;
    })
    .join("\n");

/** File contents by name. */
type TextFiles = Readonly<Record<string, string>>;

/** The text, and the text with times. `language` is a BCP 47 tag, or null if unknown. */
export const transcriptFiles = (
  language: string | null,
  segments: ReadonlyArray<TranscriptSegment>,
  origin: TranscriptOrigin,
  gaps: ReadonlyArray<Stretch> = []
): TextFiles => ({
  [TRANSCRIPT_FILE]: `${transcriptText(segments)}\n`,
  [TRANSCRIPT_SEGMENTS_FILE]: writeTranscript(language, segments, origin, gaps)
});

/** One language as WebVTT, with the author's styling if there is any, and as SubRip. */
export const captionFiles = (
  language: string,
  cues: ReadonlyArray<Cue>,
  vtt: string = writeVtt(cues)
): TextFiles => ({ [subtitleFile(language)]: vtt, [subtitleSrtFile(language)]: writeSrt(cues) });

/** All files of a transcript made by a speech model. */
export const speechFiles = (
  language: string | null,
  segments: ReadonlyArray<TranscriptSegment>,
  gaps: ReadonlyArray<Stretch> = []
): TextFiles => ({
  ...transcriptFiles(language, segments, "speech", gaps),
  ...captionFiles(language ?? LANGUAGE_UNKNOWN, segments)
});

/** What is shown at least in part in a stretch, with the times of the source; without one, all of it. */
export const shownIn = <A extends Stretch>(
  range: TimeRange | undefined,
  each: ReadonlyArray<A>
): ReadonlyArray<A> =>
  range === undefined
    ? each
    : each.filter(
        ({ startSeconds, endSeconds }) =>
          startSeconds < (range.endSec ?? Infinity) &&
          (startSeconds >= range.startSec || endSeconds > range.startSec)
      );

/** Where a speech model had no words for the sound. */
export const gapsIn = (files: TextFiles): ReadonlyArray<Stretch> =>
  Option.getOrUndefined(readDocument(files[TRANSCRIPT_SEGMENTS_FILE] ?? ""))?.gaps ?? [];

/** The files of a stretch out of those of the whole: what a fetch of it would give. */
export const cutTranscript = (range: TimeRange, whole: TextFiles): TextFiles => {
  const {
    segments = [],
    language = null,
    origin = "people"
  } = Option.getOrUndefined(readDocument(whole[TRANSCRIPT_SEGMENTS_FILE] ?? "")) ?? {};
  const shown = shownIn(range, segments);
  const captions = Object.entries(whole).flatMap(([name, vtt]) => {
    const tag = subtitleLanguage(name);
    const cues = tag === null ? [] : shownIn(range, parseCues(vtt));
    return tag === null || cues.length === 0 ? [] : [captionFiles(tag, cues)];
  });
  return Object.assign(
    shown.length === 0 ? {} : transcriptFiles(language, shown, origin, shownIn(range, gapsIn(whole))),
    ...captions
  );
};
