/** Letters that office documents refer to by their code in a symbol font. */

/** Codes 0x41 to 0x5a and 0x61 to 0x7a of the font Symbol. */
const CAPITALS = "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ";
const SMALL = "αβχδεφγηιϕκλμνοπθρστυϖωξψζ";

const SIGNS: ReadonlyMap<number, string> = new Map([
  [0x22, "∀"],
  [0x24, "∃"],
  [0x27, "∋"],
  [0x2d, "−"],
  [0xa3, "≤"],
  [0xa5, "∞"],
  [0xab, "↔"],
  [0xac, "←"],
  [0xad, "↑"],
  [0xae, "→"],
  [0xaf, "↓"],
  [0xb0, "°"],
  [0xb1, "±"],
  [0xb3, "≥"],
  [0xb4, "×"],
  [0xb5, "∝"],
  [0xb6, "∂"],
  [0xb7, "•"],
  [0xb8, "÷"],
  [0xb9, "≠"],
  [0xba, "≡"],
  [0xbb, "≈"],
  [0xbc, "…"],
  [0xc5, "⊕"],
  [0xc6, "∅"],
  [0xc7, "∩"],
  [0xc8, "∪"],
  [0xce, "∈"],
  [0xcf, "∉"],
  [0xd1, "∇"],
  [0xd5, "∏"],
  [0xd6, "√"],
  [0xdb, "⇔"],
  [0xdc, "⇐"],
  [0xde, "⇒"],
  [0xe5, "∑"],
  [0xf2, "∫"]
]);

/** The private-use range to which programs map the codes of such fonts. */
const PRIVATE_FROM = 0xf000;
const PRIVATE_TO = 0xf0ff;

/** Excludes surrogates and codes beyond Unicode. */
const isCharacter = (code: number): boolean =>
  code >= 0 && code <= 0x10ffff && String.fromCodePoint(code).isWellFormed();

/** Empty for a pictogram from a font without letters, and for invalid characters. */
export const symbolOf = (font: string, hex: string): string => {
  const code = /^[\da-f]+$/i.test(hex) ? Number.parseInt(hex, 16) : Number.NaN;
  if (!isCharacter(code)) return "";
  const isPrivate = code >= PRIVATE_FROM && code <= PRIVATE_TO;
  const place = isPrivate ? code - PRIVATE_FROM : code;
  if (!/^symbol$/i.test(font)) return isPrivate ? "" : String.fromCodePoint(code);
  if (place >= 0x41 && place <= 0x5a) return CAPITALS[place - 0x41] ?? "";
  if (place >= 0x61 && place <= 0x7a) return SMALL[place - 0x61] ?? "";
  return SIGNS.get(place) ?? (place >= 0x20 && place < 0x7f ? String.fromCharCode(place) : "");
};
