/** The files that a transcript is delivered as, whoever wrote it down. */
import { subtitleFile, subtitleSrtFile, TRANSCRIPT_FILE, TRANSCRIPT_SEGMENTS_FILE } from "./ArtifactName.ts";
import { writeSrt, writeVtt } from "./CaptionFiles.ts";
import { LANGUAGE_UNKNOWN } from "./LanguageTag.ts";
import {
  type Cue,
  type TranscriptOrigin,
  type TranscriptSegment,
  transcriptText,
  writeTranscript
} from "./Transcript.ts";

/** Text by file name. */
export type TextFiles = Readonly<Record<string, string>>;

/** The words, and the words with their times. `language` is a tag (BCP 47), null where nobody knows it. */
export const transcriptFiles = (
  language: string | null,
  segments: ReadonlyArray<TranscriptSegment>,
  origin: TranscriptOrigin
): TextFiles => ({
  [TRANSCRIPT_FILE]: `${transcriptText(segments)}\n`,
  [TRANSCRIPT_SEGMENTS_FILE]: writeTranscript(language, segments, origin)
});

/** One language as WebVTT, which may be there as its author styled it, and as SubRip. */
export const captionFiles = (
  language: string,
  cues: ReadonlyArray<Cue>,
  vtt: string = writeVtt(cues)
): TextFiles => ({ [subtitleFile(language)]: vtt, [subtitleSrtFile(language)]: writeSrt(cues) });

/** All files of a transcript that a speech model wrote down. */
export const speechFiles = (
  language: string | null,
  segments: ReadonlyArray<TranscriptSegment>
): TextFiles => ({
  ...transcriptFiles(language, segments, "speech"),
  ...captionFiles(language ?? LANGUAGE_UNKNOWN, segments)
});
