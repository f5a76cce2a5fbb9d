/**
 * The captions of a file in any format that sources offer, recognised by its content: extensions and types of
 * caption files are often wrong. Files are untrusted: nothing here throws, and all of it takes linear time.
 */
import { TextDecoder } from "node:util";
import { analyse } from "chardet";
import { guessedEncoding } from "@winnow/pages/parse/TextEncoding";
import { parseCues } from "@winnow/core/domain/transcript/ParseCues";
import { CAPTION_CHARS_MAX, type Cue, CUES_MAX } from "@winnow/core/domain/transcript/Transcript";
import { readJsonCaptions, readLyrics, readSubStation } from "./textCaptions.ts";
import { readXmlCaptions } from "./XmlCaptions.ts";

// The text of a caption file in whatever encoding: by byte order mark, as UTF-8 if the bytes are valid UTF-8, as
// declared, otherwise as detected if the detection is sure. Half-right text would be sold as a transcript.

/** Bytes examined by the detection; an hour of captions has about 60 KB of text. */
const SAMPLE_BYTES = 65_536;

/** Confidence in percent, and its lead over the next candidate, from which a detection counts as sure. */
const CONFIDENCE_MIN = 40;
const LEAD_MIN = 15;

/** Text in these encodings is recognised completely or not at all; other scripts reach half of that. */
const MULTI_BYTE = /^(?:GB18030|Big5|Shift_JIS|EUC-JP|EUC-KR)$/u;
const MULTI_BYTE_CONFIDENCE_MIN = 80;

/** Supersets with the punctuation that captions use. */
const SUPERSETS: Readonly<Record<string, string>> = {
  "ISO-8859-8": "windows-1255",
  "ISO-8859-6": "windows-1256"
};

/** Servers send it for every text file, whatever is inside. */
const SERVER_DEFAULT = /^(?:iso-8859-1|latin-?1|us-ascii|windows-1252)$/iu;

/** Every so many characters, a file that is damaged at its source may have a replacement character. */
const CHARS_PER_REPLACEMENT_MIN = 200;

const strictly = (bytes: Uint8Array, label: string): string | null => {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
};

const markedEncoding = ([first, second]: Uint8Array): string | null => {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : null;
};

const headerEncoding = (contentType: string | null): string | null => {
  const label = /;\s*charset\s*=\s*["']?([^\s"';]+)/iu.exec(contentType ?? "")?.[1] ?? null;
  return label === null || SERVER_DEFAULT.test(label) ? null : label;
};

/** An XML declaration, at the start of the file. */
const ownEncoding = (bytes: Uint8Array): string | null =>
  /^\s*<\?xml[^>]{0,200}\sencoding\s*=\s*["']([\w.:-]{1,40})["']/u.exec(
    Buffer.from(bytes.subarray(0, 300)).toString("latin1")
  )?.[1] ?? null;

/** Null unless the detection is sure. */
const detectedEncoding = (bytes: Uint8Array, guessed: string): string | null => {
  const [best, next] = analyse(bytes.subarray(0, SAMPLE_BYTES));
  if (best === undefined) return null;
  const enough = MULTI_BYTE.test(best.name) ? MULTI_BYTE_CONFIDENCE_MIN : CONFIDENCE_MIN;
  if (best.confidence >= enough && best.confidence - (next?.confidence ?? 0) >= LEAD_MIN)
    return SUPERSETS[best.name] ?? best.name;
  // The letters of the language decide between candidates; western text is the guess for anything unknown.
  return guessed === "windows-1252" ? null : guessed;
};

const isRubbish = (text: string): boolean => {
  if (text.includes("\0")) return true;
  const replacements = text.match(/\ufffd/gu)?.length ?? 0;
  return replacements * CHARS_PER_REPLACEMENT_MIN > text.length;
};

const decoded = (bytes: Uint8Array, contentType: string | null): string | null => {
  const marked = markedEncoding(bytes);
  if (marked !== null) return strictly(bytes, marked);
  const guessed = guessedEncoding(bytes);
  if (guessed.startsWith("utf-16")) return strictly(bytes, guessed);
  if (guessed === "utf-8" && !bytes.includes(0x1b)) return strictly(bytes, "utf-8");
  for (const label of [ownEncoding(bytes), headerEncoding(contentType)]) {
    const text = label === null ? null : strictly(bytes, label);
    if (text !== null) return text;
  }
  const detected = detectedEncoding(bytes, guessed);
  return detected === null ? null : strictly(bytes, detected);
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
