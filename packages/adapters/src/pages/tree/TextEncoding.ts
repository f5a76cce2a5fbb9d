/**
 * Detects the encoding of plain text without a declaration: the encoding in which the most frequent letters of
 * its languages occur as often as in any text.
 */
import { isUtf8 } from "node:buffer";
import { TextDecoder } from "node:util";

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
