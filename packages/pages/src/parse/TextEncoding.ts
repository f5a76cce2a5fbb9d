/** The encoding of pages, which declare it, and of plain text, which does not. */
import { isUtf8 } from "node:buffer";
import { TextDecoder } from "node:util";
import { getEncoding } from "encoding-sniffer";

// Pages are decoded by byte order mark, then HTTP header, then the declaration in the document's head, then as
// UTF-8 if the bytes are valid UTF-8, otherwise as windows-1252. Every eighth page declares nothing and is
// UTF-8, which the plain WHATWG default would garble. Never throws: undecodable bytes become U+FFFD.

/** Real pages declare their encoding up to this position, beyond the 1,024 bytes that WHATWG examines. */
const DECLARATION_BYTES_MAX = 4_096;

/**
 * For WHATWG, a declared `x-user-defined` means windows-1252, so this value only results if nothing is declared.
 */
const UNDECLARED = "x-user-defined";

const decoderOf = (label: string): TextDecoder | null => {
  try {
    return new TextDecoder(label);
  } catch {
    return null;
  }
};

const headerCharset = (contentType: string | null): string | null =>
  /;\s*charset\s*=\s*["']?([^\s"';]+)/i.exec(contentType ?? "")?.[1] ?? null;

const markedCharset = (bytes: Uint8Array): string | null => {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : null;
};

const declaredCharset = (bytes: Uint8Array): string | null => {
  const encoding = getEncoding(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
    maxBytes: DECLARATION_BYTES_MAX,
    defaultEncoding: UNDECLARED
  });
  return encoding === UNDECLARED ? null : encoding;
};

const undeclaredCharset = (bytes: Uint8Array): string => (isUtf8(bytes) ? "utf-8" : "windows-1252");

/** `undeclared` returns the encoding of bytes without any declaration. */
export const decodePage = (
  bytes: Uint8Array,
  contentType: string | null,
  undeclared: (bytes: Uint8Array) => string = undeclaredCharset
): string => {
  for (const find of [markedCharset, () => headerCharset(contentType), declaredCharset]) {
    const label = find(bytes);
    const decoder = label === null ? null : decoderOf(label);
    if (decoder !== null) return decoder.decode(bytes);
  }
  return new TextDecoder(undeclared(bytes)).decode(bytes);
};

// Without a declaration, it is the encoding in which the most frequent letters of its languages occur as often as in
// any text.

/** Maximum bytes examined. */
const SAMPLE_BYTES = 65_536;
/** Fewer characters are not conclusive. */
const LETTERS_MIN = 4;

interface Encoding {
  readonly label: string;
  readonly frequent: RegExp;
  /** Minimum share of these letters among all letters outside ASCII. */
  readonly share: number;
}

const KANA = /[\u3041-\u3096\u30a1-\u30fc]/g;
const ENCODINGS: ReadonlyArray<Encoding> = [
  { label: "shift_jis", frequent: KANA, share: 0.25 },
  { label: "euc-jp", frequent: KANA, share: 0.25 },
  {
    label: "gb18030",
    frequent: /[的一是不了在人有我他这中大来上国个到说们为子和你地出道也时年]/g,
    share: 0.1
  },
  { label: "big5", frequent: /[的一是不了在人有我他這中大來上國個到說們為子和你地出道也時年]/g, share: 0.1 },
  { label: "euc-kr", frequent: /[이다는을를에가의은로고하한지도서기나사리]/g, share: 0.15 },
  { label: "windows-1251", frequent: /[оеаинтсрвлкмд]/g, share: 0.5 },
  { label: "koi8-r", frequent: /[оеаинтсрвлкмд]/g, share: 0.5 },
  { label: "windows-1253", frequent: /[αοιετσνηυρπκ]/g, share: 0.5 },
  { label: "windows-1255", frequent: /[יוהלאתמרנבש]/g, share: 0.5 },
  { label: "windows-1256", frequent: /[اليمونترب]/g, share: 0.4 }
];

const OUTSIDE_ASCII = /[^\p{ASCII}]/gu;

const isHigh = (byte: number | undefined): boolean => (byte ?? 0) >= 0x80;

/** In western text, accented letters occur singly; letters of other scripts follow each other. */
const isWestern = (sample: Uint8Array): boolean => {
  let alone = 0;
  let count = 0;
  for (let at = 0; at < sample.length; at += 1) {
    if (!isHigh(sample[at])) continue;
    count += 1;
    if (!isHigh(sample[at - 1]) && !isHigh(sample[at + 1])) alone += 1;
  }
  return 2 * alone > count;
};

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

/** Frequency of the frequent letters relative to the expected one; null if the bytes are not such text. */
const scoreOf = ({ frequent, label, share }: Encoding, sample: Uint8Array): number | null => {
  try {
    const text = new TextDecoder(label, { fatal: true }).decode(sample);
    const letters = text.match(OUTSIDE_ASCII)?.length ?? 0;
    return letters < LETTERS_MIN ? null : (text.match(frequent)?.length ?? 0) / letters / share;
  } catch {
    return null;
  }
};

/** The label of an encoding (WHATWG Encoding Standard). The default is that of western text. */
export const guessedEncoding = (bytes: Uint8Array): string => {
  const start = bytes.subarray(0, SAMPLE_BYTES);
  const wide = wideEncoding(start);
  if (wide !== null) return wide;
  if (isUtf8(bytes)) return "utf-8";
  // Cut at a line end, so that no character is split.
  const sample = start.length < bytes.length ? start.subarray(0, start.lastIndexOf(0x0a) + 1) : start;
  if (isWestern(sample)) return "windows-1252";
  const scores = ENCODINGS.map((encoding) => [encoding.label, scoreOf(encoding, sample) ?? 0] as const);
  const [label, score] = scores.reduce((most, each) => (each[1] > most[1] ? each : most));
  return score >= 1 ? label : "windows-1252";
};
