/**
 * The captions of a file in any format that sources offer, recognised by its content: extensions and types of
 * caption files are often wrong. Files are untrusted: nothing here throws, and all of it takes linear time.
 */
import { CAPTION_CHARS_MAX, type Cue, CUES_MAX, parseCues } from "@winnow/core/domain/transcript/Transcript";
import { readJsonCaptions } from "./jsonCaptions.ts";
import { readLyrics } from "./lyrics.ts";
import { readSubStation } from "./subStation.ts";
import { readXmlCaptions } from "./XmlCaptions.ts";

const readerOf = (text: string): ((text: string) => ReadonlyArray<Cue>) => {
  if (/^\s*</u.test(text)) return readXmlCaptions;
  if (/^\s*\{/u.test(text)) return readJsonCaptions;
  if (/^\s*\[Script Info\]/iu.test(text) || /^\[Events\]/imu.test(text)) return readSubStation;
  if (!text.includes("-->") && /^\s*\[\d{1,3}:\d{2}/mu.test(text)) return readLyrics;
  return parseCues;
};

/** In order of time; empty if the format is unknown or there are none. */
export const readCaptions = (text: string): ReadonlyArray<Cue> => {
  const read = text.slice(0, CAPTION_CHARS_MAX);
  const reader = readerOf(read);
  const cues = reader(read);
  return reader === parseCues
    ? cues
    : cues.toSorted((one, other) => one.startSeconds - other.startSeconds).slice(0, CUES_MAX);
};
