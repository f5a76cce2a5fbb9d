/**
 * Whether words of the content bear a value out: they contain it in a usual writing, or, for prose, share its
 * words. A quote that stands in the content and says something else is not evidence. Pure.
 */
import { foldText } from "./FoldedText.ts";

type Scalar = string | number | boolean | null;

/** Shorter words join others and say little. */
const CONTENT_WORD_CHARS_MIN = 4;

/** Endings differ: as much of a word must be the same. */
const STEM_CHARS = 5;

const folded = (text: string): string => foldText(text, "letters").text;

/** Numbers as people write them, in the languages that most content is in. */
const NUMBER_WORDS: ReadonlyMap<string, number> = new Map(
  (
    [
      [0, "zero none no null kein keine zéro cero"],
      [0.5, "half halb halbe demi media mezzo meia"],
      [1, "one a an single once first ein eine einen eins un une uno una um"],
      [2, "two twice both pair couple second zwei deux dos due dois duas"],
      [3, "three third drei trois tres tre três"],
      [4, "four fourth vier quatre cuatro quattro quatro"],
      [5, "five fifth fünf cinq cinco cinque"],
      [6, "six sixth sechs seis sei"],
      [7, "seven seventh sieben sept siete sette sete"],
      [8, "eight eighth acht huit ocho otto oito"],
      [9, "nine ninth neun neuf nueve nove"],
      [10, "ten tenth zehn dix diez dieci dez"],
      [11, "eleven eleventh elf onze undici"],
      [12, "twelve twelfth dozen zwölf douze doce dodici doze"],
      [13, "thirteen dreizehn treize trece tredici treze"],
      [14, "fourteen vierzehn quatorze catorce quattordici catorze"],
      [15, "fifteen fünfzehn quinze quince quindici"],
      [16, "sixteen sechzehn seize dieciséis sedici"],
      [17, "seventeen siebzehn diecisiete diciassette"],
      [18, "eighteen achtzehn dieciocho diciotto"],
      [19, "nineteen neunzehn diecinueve diciannove"],
      [20, "twenty zwanzig vingt veinte venti vinte"],
      [30, "thirty dreißig dreissig trente treinta trenta trinta"],
      [40, "forty fourty vierzig quarante cuarenta quaranta quarenta"],
      [50, "fifty fünfzig cinquante cincuenta cinquanta cinquenta"],
      [60, "sixty sechzig soixante sesenta sessanta sessenta"],
      [70, "seventy siebzig setenta settanta"],
      [80, "eighty achtzig ochenta ottanta oitenta"],
      [90, "ninety neunzig noventa novanta"],
      [100, "hundred hundert cent cien ciento cento cem"],
      [1_000, "thousand tausend mille mil mila k"],
      [1_000_000, "million millions millionen millón millones milione milioni milhão"]
    ] as const
  ).flatMap(([number, words]) => words.split(" ").map((word) => [word, number] as const))
);

/** Digits with what parts their groups and their fraction. */
const NUMERAL = /\d+(?:[.,'’ \u00a0\u202f]\d+)*/gu;

/** Seconds, minutes, hours and days; thousands and hundredths: a value in one unit, words in another. */
const FACTORS = [1, 60, 3_600, 86_400, 1_000, 1_000_000, 1_000_000_000, 100];

/** Both readings of a mark between digits, and each part for itself. */
const readings = (numeral: string): ReadonlyArray<number> => {
  const parts = numeral.split(/[^\d]/u);
  const joined = parts.join("");
  const fraction = parts.length > 1 ? `${parts.slice(0, -1).join("")}.${parts.at(-1) ?? ""}` : joined;
  return [joined, fraction, ...parts].map(Number);
};

const near = (one: number, other: number): boolean =>
  Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(one), Math.abs(other));

const wordsIn = (text: string): ReadonlyArray<string> => text.match(/[\p{L}\p{M}]+/gu) ?? [];

/** Every number that is spelled, and what a row of them comes to: "two hundred and fifty". */
const spelledIn = (quote: string): ReadonlyArray<number> => {
  const found: Array<number> = [];
  let total: number | null = null;
  for (const word of wordsIn(quote.toLowerCase())) {
    const number = NUMBER_WORDS.get(word);
    if (number === undefined) {
      if (word !== "and" && word !== "und" && word !== "y" && word !== "et") total = null;
      continue;
    }
    const before: number = total ?? 0;
    total = number >= 100 && before > 0 && before < number ? before * number : before + number;
    found.push(number, total);
  }
  return found;
};

/** Seconds and minutes of a time that is told in parts: "1 hour 30 minutes", "2 min 15 s", "1:02:03". */
const sumsOf = ([first, second, third]: ReadonlyArray<number>): ReadonlyArray<number> => {
  if (first === undefined || second === undefined) return [];
  const pairs = [first * 60 + second, first * 3_600 + second * 60, first * 24 + second];
  return third === undefined ? pairs : [...pairs, first * 3_600 + second * 60 + third];
};

const supportsNumber = (value: number, quote: string): boolean => {
  const wanted = Math.abs(value);
  const plain = quote.normalize("NFKC");
  const numbers = [...plain.matchAll(NUMERAL)].flatMap(([numeral]) => readings(numeral));
  const parts = (plain.match(/\d+/gu) ?? []).map(Number);
  const isScaled = [...numbers, ...spelledIn(quote)].some((number) =>
    FACTORS.some((factor) => near(number * factor, wanted) || near(number / factor, wanted))
  );
  return isScaled || sumsOf(parts).some((sum) => near(sum, wanted));
};

const DATE = /^(\d{4})-(\d{2})-(\d{2})/u;

/** A date is told by its day, or by its year; months have names in every language. */
const supportsDate = ([, year = "", month = "", day = ""]: ReadonlyArray<string>, quote: string): boolean => {
  const said = new Set((quote.match(/\d+/gu) ?? []).map(Number));
  return said.has(Number(day)) || said.has(Number(year)) || (said.has(Number(month)) && said.size > 1);
};

const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

const stemOf = (word: string): string => word.slice(0, STEM_CHARS);

const sharesWords = (value: string, quote: string): boolean => {
  if (UNSPACED.test(value) || UNSPACED.test(quote)) {
    const chars = new Set(quote);
    return [...value].some((char) => UNSPACED.test(char) && chars.has(char));
  }
  const said = new Set(wordsIn(quote).map(stemOf));
  const wanted = wordsIn(value).filter((word) => word.length >= CONTENT_WORD_CHARS_MIN);
  return wanted.some((word) => said.has(stemOf(word)));
};

const supportsText = (value: string, quote: string): boolean => {
  const [wanted, said] = [folded(value), folded(quote)];
  if (
    wanted === "" ||
    said.includes(wanted) ||
    (said.length >= CONTENT_WORD_CHARS_MIN && wanted.includes(said))
  )
    return true;
  const date = DATE.exec(value);
  if (date !== null) return supportsDate(date, quote);
  const number = /^[+-]?\d+(?:[.,]\d+)?$/u.test(value) ? Number(value.replace(",", ".")) : Number.NaN;
  return Number.isFinite(number) ? supportsNumber(number, quote) : sharesWords(wanted, said);
};

/** What is true, false or absent is concluded, not quoted: every quote may bear it out. */
export const isSupported = (value: Scalar, quote: string): boolean => {
  if (typeof value === "number") return supportsNumber(value, quote);
  return typeof value === "string" ? supportsText(value, quote) : true;
};
