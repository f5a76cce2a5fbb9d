/**
 * Whether a quote supports a value: it contains the value in a usual notation or, for prose, shares its words. A
 * quote that exists in the content but says something else is not evidence. Pure.
 */
import { foldText, SPACELESS_SCRIPTS } from "../text/FoldedText.ts";
import { isExactNumber } from "../text/JsonNumbers.ts";
import { areNumbersSupported, isNumberSupported, isTimeSupported } from "./StatedValues.ts";

// Names that people write for a country, language or currency code (ISO 3166, 639 and 4217).

const LOCALES = ["en", "de", "fr", "es", "it", "pt"];

type CodeType = "region" | "language" | "currency";

const namesByType = new Map<CodeType, ReadonlyArray<Intl.DisplayNames>>();

/** Created when first needed. */
const namesIn = (type: CodeType): ReadonlyArray<Intl.DisplayNames> => {
  const known = namesByType.get(type);
  if (known !== undefined) return known;
  const names = LOCALES.map((locale) => new Intl.DisplayNames([locale], { type, fallback: "none" }));
  namesByType.set(type, names);
  return names;
};

const namesOf = (type: CodeType, code: string): ReadonlyArray<string> =>
  namesIn(type).flatMap((names) => names.of(code) ?? []);

/** The symbol, and the name without the country: "dollars" means US dollars unless the text says otherwise. */
const formsOfCurrency = (code: string): ReadonlyArray<string> => {
  const symbol = new Intl.NumberFormat("en", {
    style: "currency",
    currency: code,
    currencyDisplay: "narrowSymbol"
  })
    .formatToParts(0)
    .find(({ type }) => type === "currency")?.value;
  const names = namesOf("currency", code);
  const nouns = names.flatMap((name) => name.split(" ").slice(-1));
  return names.length === 0 ? [] : [symbol ?? code, ...names, ...nouns, ...nouns.map((noun) => `${noun}s`)];
};

const namesByCode = new Map<string, ReadonlyArray<string>>();

const readNames = (value: string): ReadonlyArray<string> => {
  if (/^[A-Za-z]{2}$/u.test(value)) {
    return [...namesOf("region", value.toUpperCase()), ...namesOf("language", value.toLowerCase())];
  }
  return /^[A-Z]{3}$/u.test(value) ? formsOfCurrency(value) : [];
};

/** Empty for an invalid or unknown code. Cached, because a list may contain one code a thousand times. */
const namesOfCode = (value: string): ReadonlyArray<string> => {
  const known = namesByCode.get(value);
  if (known !== undefined || value.length > 3) return known ?? [];
  const names = readNames(value);
  if (names.length > 0) namesByCode.set(value, names);
  return names;
};

type Scalar = string | number | boolean | null;

/** Shorter words are mostly function words. */
const CONTENT_WORD_CHARS_MIN = 4;

/** Compares only this many leading characters, because endings differ. */
const STEM_CHARS = 5;

/** Content words that a quote must share with prose, or half of them if there are fewer. */
const SHARED_WORDS_MIN = 2;

const folded = (text: string): string => foldText(text, "letters").text;

const wordsOf = (text: string): ReadonlyArray<string> => text.match(/[\p{L}\p{M}]+/gu) ?? [];

const UNSPACED = new RegExp(`[${SPACELESS_SCRIPTS}]`, "u");

const stemOf = (word: string): string => word.slice(0, STEM_CHARS);

const sharesEnough = (shared: number, all: number): boolean =>
  shared > 0 && shared >= Math.min(SHARED_WORDS_MIN, Math.ceil(all / 2));

const sharesWords = (value: string, quote: string): boolean => {
  if (UNSPACED.test(value) || UNSPACED.test(quote)) {
    const quoted = new Set(quote);
    const expected = [...new Set(value)].filter((char) => UNSPACED.test(char));
    return sharesEnough(expected.filter((char) => quoted.has(char)).length, expected.length);
  }
  const words = wordsOf(value);
  const contentWords = words.filter((word) => word.length >= CONTENT_WORD_CHARS_MIN);
  const expected = [...new Set((contentWords.length === 0 ? words : contentWords).map(stemOf))];
  const quoted = [...new Set(wordsOf(quote).map(stemOf))];
  const isQuoted = (stem: string): boolean =>
    quoted.some(
      (word) =>
        word === stem ||
        (Math.min(word.length, stem.length) >= CONTENT_WORD_CHARS_MIN &&
          (word.startsWith(stem) || stem.startsWith(word)))
    );
  return sharesEnough(expected.filter(isQuoted).length, expected.length);
};

/** Compares letters and digits only: "InStock", "in_stock" and "in stock" are equal. */
const tight = (text: string): string => text.replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, "");

/** A few letters within a longer word are a different word. */
const isWordIn = (word: string, text: string): boolean =>
  ` ${wordsOf(text).join(" ")} `.includes(` ${word} `);

const contains = (quoted: string, expected: string): boolean =>
  expected.length >= CONTENT_WORD_CHARS_MIN || UNSPACED.test(expected) || !/^\p{L}+$/u.test(expected)
    ? quoted.includes(expected)
    : isWordIn(expected, quoted);

/** A quote must have `example.com/a` of `https://www.example.com/a/`, and `a@b.org` of `mailto:a@b.org`. */
const ADDRESS = /^(?:[a-z][a-z0-9+.-]*:\/\/(?:www\.)?|mailto:)?(\S+[.@]\S*?)\/?$/u;

/** The last word of an enumeration address, such as https://schema.org/InStock. */
const SCHEMA_ORG = /^https?:\/\/schema\.org\/(\w+)$/iu;

/** Fewer digits are a number, not a telephone or catalogue number. */
const IDENTIFIER_DIGITS_MIN = 5;

/** Digits of a telephone number without the country code. */
const SUBSCRIBER_DIGITS = 7;

const digitsIn = (text: string): string => text.replaceAll(/\D/gu, "");

const isIdentifier = (value: string): boolean =>
  digitsIn(value).length >= IDENTIFIER_DIGITS_MIN &&
  (value.match(/\p{L}/gu) ?? []).length < digitsIn(value).length;

const supportsIdentifier = (value: string, quote: string): boolean => {
  const digits = digitsIn(value);
  const expected = value.startsWith("+") ? digits.slice(-SUBSCRIBER_DIGITS) : digits;
  return digitsIn(quote).includes(expected);
};

/** Longer values are prose, in which a number is only a part. */
const QUANTITY_WORDS_MAX = 3;

const isQuantity = (value: string): boolean =>
  /\p{Nd}/u.test(value) && wordsOf(value).length <= QUANTITY_WORDS_MAX && !UNSPACED.test(value);

const supportsText = (value: string, quote: string): boolean => {
  const [expected, quoted] = [folded(SCHEMA_ORG.exec(value)?.[1] ?? value), folded(quote)];
  if (expected === "" || contains(quoted, expected)) return true;
  if (quoted.length >= CONTENT_WORD_CHARS_MIN && expected.includes(quoted)) return true;
  const time = isTimeSupported(value, quote);
  if (time !== null) return time;
  const number = /^[+-]?\d+(?:[.,]\d+)?$/u.test(value) ? value.replace(",", ".") : null;
  if (number !== null && isExactNumber(number)) return isNumberSupported(Number(number), quote);
  if (namesOfCode(value).some((name) => contains(quoted, folded(name)))) return true;
  const isToken = !/\s/u.test(expected);
  if (isToken && expected.length >= CONTENT_WORD_CHARS_MIN && tight(quoted).includes(tight(expected)))
    return true;
  const address = isToken ? ADDRESS.exec(expected)?.[1] : undefined;
  if (address !== undefined) return quoted.includes(address);
  if (isIdentifier(value)) return supportsIdentifier(value, quote);
  return isQuantity(value) ? areNumbersSupported(value, quote) : sharesWords(expected, quoted);
};

/** True, false and null are conclusions, not quotations, so any quote may support them. */
export const isSupported = (value: Scalar, quote: string): boolean => {
  if (typeof value === "number") return isNumberSupported(value, quote);
  return typeof value === "string" ? supportsText(value, quote) : true;
};
