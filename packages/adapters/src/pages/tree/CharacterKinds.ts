/** Unicode categories of characters, as a table that is filled on demand: faster than a regular expression. */

export const LETTER_UPPER = 1;
export const LETTER_OTHER = 2;
export const NUMBER = 3;
export const WHITE_SPACE = 4;
/** Everything else. */
export const SIGN = 5;

const kindOf = (code: number): number => {
  const character = String.fromCodePoint(code);
  if (/\p{Lu}/u.test(character)) return LETTER_UPPER;
  if (/\p{L}/u.test(character)) return LETTER_OTHER;
  if (/\p{N}/u.test(character)) return NUMBER;
  return /\s/.test(character) ? WHITE_SPACE : SIGN;
};

const UNITS = 0x10000;

/** The kind of each UTF-16 unit, except surrogates; 0 if not looked up yet. */
const kinds = new Uint8Array(UNITS);

/** The kind of the character at a position; a surrogate has the kind of its pair. */
export const kindAt = (text: string, at: number): number => {
  const unit = text.charCodeAt(at);
  const known = kinds[unit] as number;
  if (known > 0) return known;
  if ((unit & 0xf800) !== 0xd800) return (kinds[unit] = kindOf(unit));
  const isSecond = at > 0 && (text.codePointAt(at - 1) as number) >= UNITS;
  return kindOf(text.codePointAt(isSecond ? at - 1 : at) as number);
};

/** Whether a position is the second half of a surrogate pair. */
export const isSecondHalf = (text: string, at: number): boolean =>
  (text.charCodeAt(at) & 0xfc00) === 0xdc00 && at > 0 && (text.codePointAt(at - 1) as number) >= UNITS;

export const isWordKind = (kind: number): boolean => kind <= NUMBER;
