/** The encoding of bytes that are text: as they or their header declare, else as their letters tell. Never throws. */
import { isUtf8 } from "node:buffer";
import { TextDecoder } from "node:util";
import { analyse } from "chardet";
import { getEncoding } from "encoding-sniffer";

export const markedEncoding = ([first, second, third]: Uint8Array): string | null => {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : null;
};

export const headerEncoding = (contentType: string | null): string | null =>
  /;\s*charset\s*=\s*["']?([^\s"';]+)/i.exec(contentType ?? "")?.[1] ?? null;

const XML_START_BYTES = 300;

/** As an XML declaration says. One that is readable as ASCII is not in UTF-16, whatever it says. */
export const xmlEncoding = (bytes: Uint8Array): string | null => {
  const start = Buffer.from(bytes.subarray(0, XML_START_BYTES)).toString("latin1");
  const [, label = null] = /^\s*<\?xml[^>]{0,200}\sencoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(start) ?? [];
  return label === null || /^(?:utf-?16|ucs-?2)/i.test(label) ? null : label;
};

/** Real pages declare their encoding up to this position, beyond the 1,024 bytes that WHATWG examines. */
const DECLARATION_BYTES_MAX = 4_096;

/**
 * For WHATWG, a declared `x-user-defined` means windows-1252, so this value only results if nothing is declared.
 */
const UNDECLARED = "x-user-defined";

const pageEncoding = (bytes: Uint8Array): string | null => {
  const encoding = getEncoding(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
    maxBytes: DECLARATION_BYTES_MAX,
    defaultEncoding: UNDECLARED
  });
  return encoding === UNDECLARED ? null : encoding;
};

/** An encoding of bytes without any declaration (WHATWG Encoding Standard). */
interface EncodingReading {
  readonly label: string;
  /** Otherwise it is only the likeliest. */
  readonly isSure: boolean;
}

/** Bytes examined; an hour of captions has about 60 KB of text. */
const SAMPLE_BYTES = 65_536;

/** In UTF-16, every second byte of ASCII characters is zero. */
const wideEncoding = (sample: Uint8Array): string | null => {
  const zeros = [0, 0];
  for (let at = 0; at < sample.length; at += 1)
    if (sample[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const many = sample.length / 4;
  if (odd > many && even < many / 8) return "utf-16le";
  return even > many && odd < many / 8 ? "utf-16be" : null;
};

/**
 * Confidence in percent from which a detection counts, and with its lead over the next, from which it is sure. All are
 * held by TextEncoding.test.ts.
 */
const LIKELY_MIN = 20;
const SURE_MIN = 25;
const LEAD_MIN = 10;

/** Supersets with the punctuation that people use. */
const SUPERSETS: Readonly<Record<string, string>> = {
  "ISO-8859-8": "windows-1255",
  "ISO-8859-6": "windows-1256"
};

/** Encodings of seven bits are valid UTF-8 too. */
const ESCAPE = 0x1b;

const LINE_END = 0x0a;

/** Null if the label is none, or the bytes are not in that encoding. */
export const decodedWholly = (bytes: Uint8Array, label: string): string | null => {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
};

/** Western text is the guess for anything unknown. */
export const undeclaredEncoding = (bytes: Uint8Array): EncodingReading => {
  const start = bytes.subarray(0, SAMPLE_BYTES);
  const unicode = wideEncoding(start) ?? (isUtf8(bytes) && !bytes.includes(ESCAPE) ? "utf-8" : null);
  if (unicode !== null) return { label: unicode, isSure: true };
  // Cut at a line end, so that no character is split.
  const sample = start.length < bytes.length ? start.subarray(0, start.lastIndexOf(LINE_END) + 1) : start;
  const [best, next] = analyse(sample).filter(
    ({ confidence, name }) => confidence >= LIKELY_MIN && decodedWholly(sample, name) !== null
  );
  const lead = (best?.confidence ?? 0) - (next?.confidence ?? 0);
  if (best === undefined || lead === 0) return { label: "windows-1252", isSure: false };
  return {
    label: SUPERSETS[best.name] ?? best.name,
    isSure: best.confidence >= SURE_MIN && lead >= LEAD_MIN
  };
};

/** By the first encoding found that is one, otherwise as UTF-8; undecodable bytes become U+FFFD. */
export const decodedBy = (
  bytes: Uint8Array,
  finders: ReadonlyArray<(bytes: Uint8Array) => string | null>
): string => {
  for (const find of finders)
    try {
      const label = find(bytes);
      if (label !== null) return new TextDecoder(label).decode(bytes);
    } catch {
      // No label of an encoding.
    }
  return new TextDecoder().decode(bytes);
};

/** Every eighth page declares nothing and is UTF-8, which the plain WHATWG default would garble. */
const utf8OrWestern = (bytes: Uint8Array): string => (isUtf8(bytes) ? "utf-8" : "windows-1252");

/** `undeclared` returns the encoding of bytes without any declaration. */
export const decodePage = (
  bytes: Uint8Array,
  contentType: string | null,
  undeclared: (bytes: Uint8Array) => string = utf8OrWestern
): string => decodedBy(bytes, [markedEncoding, () => headerEncoding(contentType), pageEncoding, undeclared]);
