/**
 * The captions of a file in any format that sources offer, recognised by its content: extensions and types of
 * caption files are often wrong. Files are untrusted: nothing here throws, and all of it takes linear time.
 */
import {
  decodedWholly,
  headerEncoding,
  markedEncoding,
  undeclaredEncoding,
  xmlEncoding
} from "@winnow/pages/parse/TextEncoding";
import { parseCues } from "@winnow/core/domain/transcript/ParseCues";
import { CAPTION_CHARS_MAX, type Cue, CUES_MAX } from "@winnow/core/domain/transcript/Transcript";
import { readJsonCaptions, readLyrics, readSubStation } from "./textCaptions.ts";
import { readXmlCaptions } from "./XmlCaptions.ts";

// The text of a caption file in whatever encoding: by byte order mark, as UTF-8 if the bytes are valid UTF-8, as
// declared, otherwise as detected if the detection is sure. Half-right text would be sold as a transcript.

/** Servers send it for every text file, whatever is inside. */
const SERVER_DEFAULT = /^(?:iso-8859-1|latin-?1|us-ascii|windows-1252)$/iu;

/** Every so many characters, a file that is damaged at its source may have a replacement character. */
const CHARS_PER_REPLACEMENT_MIN = 200;

const isRubbish = (text: string): boolean => {
  if (text.includes("\0")) return true;
  const replacements = text.match(/\ufffd/gu)?.length ?? 0;
  return replacements * CHARS_PER_REPLACEMENT_MIN > text.length;
};

const decoded = (bytes: Uint8Array, contentType: string | null): string | null => {
  const marked = markedEncoding(bytes);
  if (marked !== null) return decodedWholly(bytes, marked);
  const { isSure, label } = undeclaredEncoding(bytes);
  if (label.startsWith("utf-")) return decodedWholly(bytes, label);
  const header = headerEncoding(contentType);
  for (const declared of [xmlEncoding(bytes), SERVER_DEFAULT.test(header ?? "") ? null : header]) {
    const text = declared === null ? null : decodedWholly(bytes, declared);
    if (text !== null) return text;
  }
  return isSure ? decodedWholly(bytes, label) : null;
};

/** Without its byte order mark; null if the encoding is unknown or the bytes are not text. */
export const decodeCaptions = (bytes: Uint8Array, contentType: string | null): string | null => {
  const text = decoded(bytes, contentType)?.replace(/^\ufeff/u, "") ?? null;
  return text === null || isRubbish(text) ? null : text;
};

const readerOf = (text: string): ((text: string) => ReadonlyArray<Cue>) => {
  if (/^\s*</u.test(text)) return readXmlCaptions;
  if (/^\s*\{/u.test(text)) return readJsonCaptions;
  if (/^\s*\[Script Info\]/iu.test(text) || /^\[Events\]/imu.test(text)) return readSubStation;
  if (!text.includes("-->") && /^\s*\[\d{1,3}:\d{2}/mu.test(text)) return readLyrics;
  return parseCues;
};

/**
 * In order of time; empty if the format is unknown or there are none. Null if the time of one cannot be told: a
 * transcript without it would look complete.
 */
export const wholeCaptions = (text: string): ReadonlyArray<Cue> | null => {
  const read = text.slice(0, CAPTION_CHARS_MAX);
  const reader = readerOf(read);
  const cues = reader(read);
  if (cues.some(({ startSeconds }) => Number.isNaN(startSeconds))) return null;
  return reader === parseCues
    ? cues
    : cues.toSorted((one, other) => one.startSeconds - other.startSeconds).slice(0, CUES_MAX);
};

/** The same; empty if they cannot be read whole. */
export const readCaptions = (text: string): ReadonlyArray<Cue> => wholeCaptions(text) ?? [];
