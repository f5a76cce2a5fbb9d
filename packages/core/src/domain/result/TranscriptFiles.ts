/** The files of a transcript, whatever its origin. */
import { subtitleFile, subtitleSrtFile, TRANSCRIPT_FILE, TRANSCRIPT_SEGMENTS_FILE } from "./ArtifactName.ts";
import { writeSrt, writeVtt } from "../transcript/CaptionFiles.ts";
import { LANGUAGE_UNKNOWN } from "../text/LanguageTag.ts";
import {
  type Cue,
  type TranscriptOrigin,
  type TranscriptSegment,
  transcriptText,
  writeTranscript
} from "../transcript/Transcript.ts";

/** File contents by name. */
export type TextFiles = Readonly<Record<string, string>>;

/** The text, and the text with times. `language` is a BCP 47 tag, or null if unknown. */
export const transcriptFiles = (
  language: string | null,
  segments: ReadonlyArray<TranscriptSegment>,
  origin: TranscriptOrigin
): TextFiles => ({
  [TRANSCRIPT_FILE]: `${transcriptText(segments)}\n`,
  [TRANSCRIPT_SEGMENTS_FILE]: writeTranscript(language, segments, origin)
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
  segments: ReadonlyArray<TranscriptSegment>
): TextFiles => ({
  ...transcriptFiles(language, segments, "speech"),
  ...captionFiles(language ?? LANGUAGE_UNKNOWN, segments)
});
