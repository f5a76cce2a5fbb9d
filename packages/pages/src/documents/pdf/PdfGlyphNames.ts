/**
 * Letters of glyphs that the library knows by name only: parts joined by `_`, as in `t_t`, and variants after a dot, as
 * in `a.sc` (Adobe Glyph List Specification, 2). The library gives their codes in the font instead. Tests: Pdf.test.ts.
 */

/** What the library tells of a font with `fontExtraProperties`; codes are the indexes. */
interface Font {
  readonly differences?: ReadonlyArray<string | undefined>;
  readonly defaultEncoding?: ReadonlyArray<string | undefined>;
  readonly toUnicode?: { readonly _map?: ReadonlyArray<string | undefined> };
}

/** Of a page whose fonts are loaded. */
interface FontSource {
  readonly getOperatorList: () => Promise<unknown>;
  readonly commonObjs: { readonly has: (name: string) => boolean; readonly get: (name: string) => unknown };
}

interface Piece {
  readonly str: string;
  readonly fontName: string;
}

const JOINED = /^[A-Za-z0-9]+(?:_[A-Za-z0-9]+)*(?:\.[\w.]+)?$/;
/** `uni00660069`, `u1F600`. */
const HEXADECIMAL = /^(?:uni((?:[\dA-F]{4})+)|u([\dA-F]{4,6}))$/;

const ofHexadecimal = (name: string): string | null => {
  const [, fours, one] = HEXADECIMAL.exec(name) ?? [];
  const codes = fours?.match(/.{4}/g) ?? (one === undefined ? [] : [one]);
  const points = codes.map((code) => Number.parseInt(code, 16));
  return points.length > 0 && points.every((point) => point <= 0x10ffff)
    ? String.fromCodePoint(...points)
    : null;
};

/** The letters by name that the font itself tells. */
const namedIn = ({
  defaultEncoding = [],
  differences = [],
  toUnicode
}: Font): ReadonlyMap<string, string> => {
  const letters = new Map<string, string>();
  for (const names of [defaultEncoding, differences])
    names.forEach((name, code) => {
      const letter = toUnicode?._map?.[code];
      const isOwn = names === differences || differences[code] === undefined;
      if (name && isOwn && letter !== undefined) letters.set(name, letter);
    });
  return letters;
};

/** Null if a part is unknown. */
const lettersOf = (name: string, named: ReadonlyMap<string, string>): string | null => {
  if (!JOINED.test(name)) return null;
  const parts = (name.split(".", 1)[0] ?? "")
    .split("_")
    .map((part) => (part.length === 1 ? part : (named.get(part) ?? ofHexadecimal(part))));
  return parts.includes(null) ? null : parts.join("");
};

/** What to write instead of a code that stands for itself; empty for fonts whose names say nothing more. */
const missingOf = (font: Font): ReadonlyMap<string, string> => {
  const known = font.toUnicode?._map ?? [];
  const used = new Set(known.filter((letter) => letter !== undefined));
  const named = namedIn(font);
  const missing = new Map<string, string>();
  (font.differences ?? []).forEach((name, code) => {
    const sign = String.fromCharCode(code);
    const letters = name === undefined || known[code] !== undefined ? null : lettersOf(name, named);
    if (letters !== null && !used.has(sign)) missing.set(sign, letters);
  });
  return missing;
};

// oxlint-disable-next-line no-control-regex -- codes of fonts, which no text contains
export const CODE = /[\u0001-\u0008\u000e-\u001f\u007f-\u009f]/u;

const DIFFERENCES = "/Differences";
/** Bytes after the keyword that are looked at: an encoding has 256 names. */
const NAMES_BYTES_MAX = 4_096;
const JOINED_NAME = /\/[A-Za-z]+[_.][A-Za-z]/;

/** Whether an encoding that is not packed has such names: their codes may look like ordinary letters. */
export const hasJoinedNames = (bytes: Uint8Array): boolean => {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = file.indexOf(DIFFERENCES); at >= 0; at = file.indexOf(DIFFERENCES, at + DIFFERENCES.length)) {
    const names = file.toString("latin1", at, at + NAMES_BYTES_MAX);
    if (JOINED_NAME.test(names.slice(DIFFERENCES.length).split("]", 1)[0] ?? "")) return true;
  }
  return false;
};

/** The texts of a page with the letters of joined names. `isSuspected`: as {@link hasJoinedNames} says. */
export const withJoinedNames = async <A extends Piece>(
  items: ReadonlyArray<A>,
  page: FontSource,
  isSuspected: boolean
): Promise<ReadonlyArray<A>> => {
  if (!isSuspected && !items.some(({ str }) => CODE.test(str))) return items;
  try {
    // Only this loads the fonts.
    await page.getOperatorList();
  } catch {
    // The text does not need what this page draws.
    return items;
  }
  const missing = new Map(
    [...new Set(items.map(({ fontName }) => fontName))].map((name) => [
      name,
      page.commonObjs.has(name) ? missingOf(page.commonObjs.get(name) as Font) : new Map<string, string>()
    ])
  );
  return items.map((item) => {
    const letters = missing.get(item.fontName);
    return letters === undefined || letters.size === 0
      ? item
      : { ...item, str: Array.from(item.str, (sign) => letters.get(sign) ?? sign).join("") };
  });
};
