/**
 * Generates the predefined CMaps that fonts of Chinese, Japanese and Korean PDFs refer to by name (ISO 32000-2,
 * 9.7.5.2). Adobe's files have 1.6 MB; for text, Node's decoders contain the same mappings. Codes are mapped to CIDs
 * of our own, above those that Adobe assigned, and these to Unicode. Of Adobe's own CIDs, which a font may also use,
 * only ASCII is known; the others become U+FFFD.
 */

type Collection = "GB1" | "CNS1" | "Japan1" | "Korea1";

type Range = readonly [first: number, last: number];

/** Characters of every collection: Latin to Cyrillic, symbols, kana, ideographs and compatibility forms. */
const COMMON: ReadonlyArray<Range> = [
  [0xa0, 0x24f],
  [0x370, 0x45f],
  [0x2000, 0x27bf],
  [0x2e80, 0x33ff],
  [0x4e00, 0x9fff],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe6f],
  [0xff00, 0xffef]
];
const IDEOGRAPHS_A: Range = [0x3400, 0x4dbf];
const HANGUL: Range = [0xac00, 0xd7a3];

interface Characters {
  /** Our first CID, above all that Adobe assigned. */
  readonly start: number;
  readonly ranges: ReadonlyArray<Range>;
  /** Adobe's CID of the half-width space, which the rest of half-width ASCII follows. */
  readonly halfWidth: number;
}

const CHARACTERS: Readonly<Record<Collection, Characters>> = {
  GB1: { start: 31_000, ranges: [...COMMON, IDEOGRAPHS_A], halfWidth: 814 },
  CNS1: { start: 31_000, ranges: [...COMMON, IDEOGRAPHS_A], halfWidth: 13_648 },
  Japan1: { start: 31_000, ranges: [...COMMON, IDEOGRAPHS_A], halfWidth: 231 },
  Korea1: { start: 20_000, ranges: [...COMMON, HANGUL], halfWidth: 8_094 }
};

/** Adobe's CID of the space in every collection, which the rest of ASCII follows. */
const SPACE = 1;
const ASCII: Range = [0x20, 0x7e];

/** Each range with the CID of its first character. */
const numbered = ({ ranges, start }: Characters): ReadonlyArray<readonly [...Range, number]> => {
  let next = start;
  return ranges.map(([first, last]) => {
    const number = next;
    next += last - first + 1;
    return [first, last, number] as const;
  });
};

const hex = (code: number, bytes: number): string => `<${code.toString(16).padStart(2 * bytes, "0")}>`;

/** A CMap in its file format. */
const written = (
  spaces: ReadonlyArray<string>,
  kind: "cid" | "bf",
  ranges: ReadonlyArray<string>,
  isVertical = false
): string =>
  [
    isVertical ? "/WMode 1 def" : "",
    `${spaces.length} begincodespacerange`,
    ...spaces,
    "endcodespacerange",
    `${ranges.length} begin${kind}range`,
    ...ranges,
    `end${kind}range`,
    "endcmap"
  ].join("\n");

const UNKNOWN = "<fffd>";

/** The CMap from CIDs to UTF-16. */
const unicodeMap = (collection: Collection): string => {
  const characters = CHARACTERS[collection];
  const ranges = [
    [...ASCII, SPACE] as const,
    [...ASCII, characters.halfWidth] as const,
    ...numbered(characters)
  ];
  const adobes = Array.from(
    { length: characters.start },
    (_, number) => `${hex(number, 2)} ${hex(number, 2)} ${UNKNOWN}`
  );
  const known = ranges.map(
    ([from, to, number]) => `${hex(number, 2)} ${hex(number + to - from, 2)} ${hex(from, 2)}`
  );
  return written(["<0000> <ffff>"], "bf", [...adobes, ...known]);
};

type UnicodeForm = "UCS2" | "UTF16" | "UTF32" | "UTF8";

const UNICODE_SPACES: Readonly<Record<UnicodeForm, ReadonlyArray<string>>> = {
  UCS2: ["<0000> <ffff>"],
  UTF16: ["<0000> <d7ff>", "<d800dc00> <dbffdfff>", "<e000> <ffff>"],
  UTF32: ["<00000000> <0010ffff>"],
  UTF8: ["<00> <7f>", "<c080> <dfbf>", "<e08080> <efbfbf>", "<f0808080> <f7bfbfbf>"]
};

/** Number of codes that differ only in the last byte of UTF-8. */
const UTF8_RUN = 64;

const formOf = (code: number, form: UnicodeForm): string => {
  if (form === "UTF8") return `<${Buffer.from(String.fromCodePoint(code)).toString("hex")}>`;
  return hex(code, form === "UTF32" ? 4 : 2);
};

/** The CMap from an encoding of Unicode to CIDs. */
const fromUnicode = (collection: Collection, form: UnicodeForm, isVertical: boolean): string => {
  const ranges: Array<string> = [];
  for (const [first, last, number] of [[...ASCII, SPACE] as const, ...numbered(CHARACTERS[collection])]) {
    const run = form === "UTF8" ? UTF8_RUN : last + 1;
    for (let from = first; from <= last; from = from - (from % run) + run) {
      const to = Math.min(last, from - (from % run) + run - 1);
      ranges.push(`${formOf(from, form)} ${formOf(to, form)} ${number + from - first}`);
    }
  }
  return written(UNICODE_SPACES[form], "cid", ranges, isVertical);
};

/** An encoding older than Unicode. */
interface Legacy {
  readonly collection: Collection;
  /** Its label for TextDecoder. */
  readonly label: string;
  readonly spaces: ReadonlyArray<string>;
  /** Ranges of the first and second byte of two-byte codes. */
  readonly leads: Range;
  readonly trails: Range;
  /** Added to both bytes of seven-bit codes before they are decoded. */
  readonly shift?: number;
  /** Half-width katakana: the lead byte of their codes in hexadecimal, empty for single-byte codes. */
  readonly katakana?: string;
}

const GBK: Legacy = {
  collection: "GB1",
  label: "gbk",
  spaces: ["<00> <80>", "<8140> <fefe>"],
  leads: [0x81, 0xfe],
  trails: [0x40, 0xfe]
};
const SHIFT_JIS: Legacy = {
  collection: "Japan1",
  label: "shift_jis",
  spaces: ["<00> <80>", "<a0> <df>", "<8140> <9ffc>", "<e040> <fcfc>"],
  leads: [0x81, 0xfc],
  trails: [0x40, 0xfc],
  katakana: ""
};
const EUC_JP: Legacy = {
  collection: "Japan1",
  label: "euc-jp",
  spaces: ["<00> <80>", "<8ea0> <8edf>", "<a1a1> <fefe>"],
  leads: [0xa1, 0xfe],
  trails: [0xa1, 0xfe],
  katakana: "8e"
};
const BIG5: Legacy = {
  collection: "CNS1",
  label: "big5",
  spaces: ["<00> <80>", "<8140> <fefe>"],
  leads: [0x81, 0xfe],
  trails: [0x40, 0xfe]
};
const UHC: Legacy = {
  collection: "Korea1",
  label: "euc-kr",
  spaces: ["<00> <80>", "<8141> <fefe>"],
  leads: [0x81, 0xfe],
  trails: [0x41, 0xfe]
};

const LEGACY: ReadonlyArray<readonly [RegExp, Legacy]> = [
  [/^(?:GB|GBpc|GBKp?)-EUC$|^GBK2K$/, GBK],
  [/^(?:83pv|90ms|90msp|90pv|Add|Ext)-RKSJ$/, SHIFT_JIS],
  [/^EUC$/, EUC_JP],
  [/^$/, { ...EUC_JP, spaces: ["<2121> <7e7e>"], leads: [0x21, 0x7e], trails: [0x21, 0x7e], shift: 0x80 }],
  [/^(?:B5pc|HKscs-B5|ETen-B5|ETenms-B5)$/, BIG5],
  [/^KSC(?:ms|pc)?-(?:UHC|EUC)(?:-HW)?$/, UHC]
];

const LINE_END = 0x0a;
const [KATAKANA_FIRST, KATAKANA_LAST, KATAKANA_BYTE] = [0xff61, 0xff9f, 0xa1];

/** All two-byte codes of a single UTF-16 unit with their characters, decoded in one call. */
const decodedPairs = ({
  label,
  leads,
  shift = 0,
  trails
}: Legacy): ReadonlyArray<readonly [number, number]> => {
  const codes: Array<number> = [];
  const bytes: Array<number> = [];
  for (let lead = leads[0]; lead <= leads[1]; lead += 1)
    for (let trail = trails[0]; trail <= trails[1]; trail += 1) {
      codes.push(lead * 0x100 + trail);
      bytes.push(lead + shift, trail + shift, LINE_END);
    }
  const characters = new TextDecoder(label).decode(Uint8Array.from(bytes)).split("\n");
  return codes.flatMap((code, index) => {
    const character = characters[index] ?? "";
    return character.length === 1 ? [[code, character.charCodeAt(0)] as const] : [];
  });
};

const fromLegacy = (legacy: Legacy, isVertical: boolean): string => {
  const ranges = numbered(CHARACTERS[legacy.collection]);
  const numberOf = (character: number): number | null => {
    const found = ranges.find(([first, last]) => character >= first && character <= last);
    return found === undefined ? null : found[2] + character - found[0];
  };
  const lines = legacy.shift === undefined ? [`${hex(ASCII[0], 1)} ${hex(ASCII[1], 1)} ${SPACE}`] : [];
  if (legacy.katakana !== undefined && legacy.shift === undefined) {
    const last = KATAKANA_BYTE + KATAKANA_LAST - KATAKANA_FIRST;
    const [from, to] = [KATAKANA_BYTE, last].map((byte) => `<${legacy.katakana}${byte.toString(16)}>`);
    lines.push(`${from} ${to} ${numberOf(KATAKANA_FIRST)}`);
  }
  for (const [code, character] of decodedPairs(legacy)) {
    const number = numberOf(character);
    if (number !== null) lines.push(`${hex(code, 2)} ${hex(code, 2)} ${number}`);
  }
  return written(legacy.spaces, "cid", lines, isVertical);
};

const UNICODE_NAMES: Readonly<Record<string, Collection>> = {
  GB: "GB1",
  CNS: "CNS1",
  JIS: "Japan1",
  KS: "Korea1"
};
const UNICODE_NAME = /^Uni(GB|CNS|JIS|KS)[A-Z0-9]*(?:Pro)?-(UCS2|UTF16|UTF32|UTF8)(?:-HW)?$/;
const TO_UNICODE_NAME = /^Adobe-(GB1|CNS1|Japan1|Korea1)-UCS2$/;

/** The CMap of that name, in its file format; null if the name is unknown. */
const characterMap = (name: string): string | null => {
  const collection = TO_UNICODE_NAME.exec(name)?.[1];
  if (collection !== undefined) return unicodeMap(collection as Collection);
  const [, encoding = "", direction] = /^(?:(.*)-)?([HV])$/.exec(name) ?? [];
  if (direction === undefined) return null;
  const isVertical = direction === "V";
  const [, language, form] = UNICODE_NAME.exec(encoding) ?? [];
  const ofUnicode = UNICODE_NAMES[language ?? ""];
  if (ofUnicode !== undefined) return fromUnicode(ofUnicode, form as UnicodeForm, isVertical);
  const legacy = LEGACY.find(([names]) => names.test(encoding))?.[1];
  return legacy === undefined ? null : fromLegacy(legacy, isVertical);
};

/** Passed to pdf.js, which requests CMap files from it. */
export class PdfCharacterMaps {
  async fetch({ filename, kind }: { readonly filename: string; readonly kind: string }): Promise<Uint8Array> {
    const map = kind === "cMapUrl" ? characterMap(filename) : null;
    if (map === null) throw new Error(`There is no ${filename}.`);
    return Buffer.from(map);
  }
}
