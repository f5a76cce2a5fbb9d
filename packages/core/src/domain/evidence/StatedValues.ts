/**
 * Whether a quote states a number, in any common notation or in another unit, a date, a time of day or a duration. What
 * counts is in QuoteSupport.test.ts, case by case. Pure.
 */
import { isoDurationSeconds } from "../text/WrittenDuration.ts";
import { SPACELESS_SCRIPTS } from "../text/FoldedText.ts";
import { isExactNumber } from "../text/JsonNumbers.ts";
import { asciiDigits, type DayReading, daysIn } from "../text/WrittenDays.ts";
import { numberReadings } from "../text/WrittenNumbers.ts";
import { factorsOf, isTimeUnit, monthsNamed } from "../text/WrittenForms.ts";

/** Number words in the most common languages of content. */
const NUMBER_WORDS: ReadonlyMap<string, number> = new Map(
  (
    [
      [
        0,
        "zero none no null kein keine zéro cero free gratis grátis kostenlos kostenlose kostenloser kostenfrei umsonst gratuit gratuite gratuito gratuita"
      ],
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
      [1_000, "thousand tausend mille mil mila"],
      [1_000_000, "million millions millionen millón millones milione milioni milhão"]
    ] as const
  ).flatMap(([number, words]) => words.split(" ").map((word) => [word, number] as const))
);

const AND: ReadonlySet<string> = new Set(["and", "und", "y", "e", "et", "ed"]);

/** Inserts a space before a fraction character, which separates it from the integer part. */
const plainOf = (quote: string): string =>
  asciiDigits(quote.replace(/(\d)(?=[¼-¾⅐-⅞])/gu, "$1 ").normalize("NFKC")).replaceAll(/\s+/gu, " ");

/** `1/2`, `1 1/2`, `2-3⁄4`. */
const FRACTION = /(?:(?<!\d)(\d{1,6})[ -])?(?<!\d)(\d{1,6}) ?[/⁄] ?(\d{1,6})(?!\d)/gu;

/** `1,299.50`, `1'000`, `12 500`; also `6.5.2024`, which is none. */
const NUMERAL = "\\d+(?:[.,'’]\\d+|[ \\u00a0\\u202f]\\d{3}(?!\\d))*";
const WORD = "[\\p{L}\\p{M}]+\\.?|[%٪]";
const WORDS = new RegExp(WORD, "gu");
const WORD_AFTER = new RegExp(`^[ -]?(${WORD})`, "u");
const NUMERALS = new RegExp(NUMERAL, "gu");
const TOKENS = new RegExp(`(${NUMERAL})|(${WORD})`, "gu");

/** `1,234` is 1234 or 1.234; `6.5.2024` is no number, so 6, 5 and 2024; `3 500` is 3500, or 3 and 500. */
const readings = (numeral: string): ReadonlyArray<number> => {
  const [usual, ...others] = numberReadings(numeral);
  const parts = usual === undefined || /[ \u00a0\u202f]/u.test(numeral) ? numeral.split(/\D/u) : [];
  // "5,000" is five thousand everywhere.
  const read = [usual ?? [], others.filter((other) => !other.endsWith("0")), parts].flat();
  // A whole number that is rounded would state its neighbours too.
  return read.filter((each) => each.includes(".") || isExactNumber(each)).map(Number);
};

/** A number in a quote, and the next word, which may be its unit. */
interface Quantity {
  readonly number: number;
  readonly unit: string;
}

/** Maximum length of a unit's name. */
const UNIT_CHARS_MAX = 40;

const CJK_UNIT_CHARS_MAX = 4;

/** Korean has spaces, but none after a unit. */
const JOINS_UNITS = new RegExp(`^[${SPACELESS_SCRIPTS}\\p{Script=Hangul}]`, "u");

/** The unit at the beginning of a word: scripts without spaces join it to the text that follows. */
const factorsAfter = (word: string): ReadonlyArray<number> => {
  const factors = factorsOf(word);
  if (factors.length > 0 || !JOINS_UNITS.test(word)) return factors;
  for (let chars = CJK_UNIT_CHARS_MAX; chars > 0; chars -= 1) {
    const ofHead = factorsOf(word.slice(0, chars));
    if (ofHead.length > 0) return ofHead;
  }
  return [];
};

const fractionsIn = (plain: string): ReadonlyArray<Quantity> =>
  [...plain.matchAll(FRACTION)].flatMap((found) => {
    const [whole = "0", above = "", below = ""] = found.slice(1);
    const unit =
      WORD_AFTER.exec(
        plain.slice(found.index + found[0].length, found.index + found[0].length + UNIT_CHARS_MAX)
      )?.[1] ?? "";
    return Number(below) === 0 ? [] : [{ number: Number(whole) + Number(above) / Number(below), unit }];
  });

/** All numbers in digits, all spelled-out numbers, and the values of their sequences: "two hundred and fifty". */
const numbersIn = (plain: string): ReadonlyArray<Quantity> => {
  const tokens = [...plain.matchAll(TOKENS)].map(([, numeral, word]) => ({ numeral, word }));
  const quantities: Array<Quantity> = [];
  let row: Array<number> = [];
  let total: number | null = null;
  const endRow = (unit: string): void => {
    quantities.push(...row.map((number) => ({ number, unit })));
    [row, total] = [[], null];
  };
  for (const [place, { numeral, word = "" }] of tokens.entries()) {
    if (numeral !== undefined) {
      endRow("");
      const [one = "", two = ""] = tokens.slice(place + 1, place + 3).map((token) => token.word);
      const unit = factorsOf(`${one} ${two}`).length > 0 ? `${one} ${two}` : one;
      quantities.push(...readings(numeral).map((number) => ({ number, unit })));
      continue;
    }
    const number = NUMBER_WORDS.get(word.toLowerCase());
    if (number === undefined) {
      if (!AND.has(word.toLowerCase())) endRow(word);
      continue;
    }
    const before: number = total ?? 0;
    total = number >= 100 && before > 0 && before < number ? before * number : before + number;
    row.push(number, total);
  }
  endRow("");
  return [...quantities, ...fractionsIn(plain)];
};

const near = (one: number, other: number): boolean =>
  Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(one), Math.abs(other));

/** Only calculated values differ in their last digits. */
const isTimes = (number: number, factor: number, value: number): boolean =>
  factor === 1 && Number.isInteger(number) && Number.isInteger(value)
    ? number === value
    : near(number * factor, value);

/** Amounts may be stated in a currency and stored in its hundredths, or vice versa. */
const isMoney = (quote: string): boolean =>
  /\p{Sc}|(?<![\p{L}\p{M}])(?:[A-Z]{3}|cents?|pence|euros?|dollars?|pounds?)(?![\p{L}\p{M}])/u.test(quote);

const wordsOf = (quote: string): ReadonlyArray<string> => quote.match(WORDS) ?? [];

/** Whether a quote states a duration or a point in time: by a unit, or by a colon. */
const statesTime = (quote: string): boolean =>
  /\d:\d/u.test(quote) || wordsOf(quote).some((word) => isTimeUnit(word));

/** What several parts can amount to: "1:30" is 90 seconds or minutes, or 5,400 seconds; "2 days 3 h", 51 hours. */
const totalsOf = ([first, second, third]: ReadonlyArray<number>): ReadonlyArray<number> => {
  if (first === undefined || second === undefined) return [];
  const pairs = [first * 60 + second, first * 3_600 + second * 60, first * 24 + second];
  return third === undefined ? pairs : [...pairs, first * 3_600 + second * 60 + third];
};

export const isNumberSupported = (value: number, quote: string): boolean => {
  const magnitude = Math.abs(value);
  const plain = plainOf(quote);
  const everywhere = isMoney(quote) ? [1, 100, 0.01] : [1];
  const isStated = numbersIn(plain).some(({ number, unit }) =>
    [...everywhere, ...factorsAfter(unit)].some((factor) => isTimes(number, factor, magnitude))
  );
  if (isStated || !statesTime(plain)) return isStated;
  return totalsOf((plain.match(/\d+/gu) ?? []).map(Number)).some((sum) => near(sum, magnitude));
};

/** Whether a quote states every number in the text. */
export const areNumbersSupported = (text: string, quote: string): boolean =>
  (plainOf(text).match(NUMERALS) ?? []).every((numeral) =>
    readings(numeral).some((number) => isNumberSupported(number, quote))
  );

/** A month (`2024-05`) or date of ISO 8601, optionally with a time of day. */
const DATE = /^(\d{4})-(\d{2})(?:-(\d{2})(?:[Tt ](\d{2}):(\d{2}).*)?)?$/u;
const TIME = /^(\d{2}):(\d{2})(?::\d{2}.*)?$/u;

interface Day {
  readonly year: number;
  readonly month: number;
  /** Null for a month, which matches any of its days. */
  readonly day: number | null;
}

/** Day and month in either order: `6.5.`, `5/6`, `5月6日`. */
const PAIR = /(?<![\d.,:])(\d{1,2})(?:[./]|\s?[月월]\s?)(\d{1,2})(?![\d,:])/gu;

/** `6th`, `1er`, `6.`, `6日`. */
const ORDINAL = /(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|\.|º|ª|日|일)(?!\d)/gu;

/** `6 May`, `May 6th, 2024`. */
interface NamedMonth {
  readonly months: ReadonlyArray<number>;
  /** Numbers next to the month. */
  readonly days: ReadonlyArray<number>;
}

const NUMBER_OR_WORD = /\d+|[\p{L}\p{M}]+/gu;
const JOINING: ReadonlySet<string> = new Set(["of", "de", "del", "d", "st", "nd", "rd", "th", "er"]);

/** Months next to a number; elsewhere the same letters are often another word. */
const namedMonthsIn = (quote: string): ReadonlyArray<NamedMonth> => {
  const tokens = (quote.match(NUMBER_OR_WORD) ?? []).filter((token) => !JOINING.has(token.toLowerCase()));
  return tokens.flatMap((token, place) => {
    const months = monthsNamed(token);
    const neighbours = [tokens[place - 1], tokens[place + 1]].filter((each) => /^\d{1,4}$/u.test(each ?? ""));
    const days = neighbours.filter((each) => (each ?? "").length <= 2).map(Number);
    return months.length === 0 || neighbours.length === 0 ? [] : [{ months, days }];
  });
};

const WEEKDAY_LOCALES = ["en", "de", "fr", "es", "it", "pt"];

let namesByWeekday: ReadonlyArray<ReadonlyArray<string>> | null = null;

/** From Sunday on; made when they are first needed. 2024 began on a Monday. */
const weekdayNames = (): ReadonlyArray<ReadonlyArray<string>> => {
  if (namesByWeekday !== null) return namesByWeekday;
  const formats = WEEKDAY_LOCALES.map(
    (locale) => new Intl.DateTimeFormat(locale, { weekday: "long", timeZone: "UTC" })
  );
  namesByWeekday = Array.from({ length: 7 }, (_, weekday) =>
    formats.map((format) => format.format(Date.UTC(2024, 0, weekday + 7)).toLowerCase())
  );
  return namesByWeekday;
};

const isWeekdayStated = ({ year, month, day }: Day, quote: string): boolean => {
  if (day === null) return false;
  const text = quote.toLowerCase();
  const names = weekdayNames()[new Date(Date.UTC(year, month - 1, day)).getUTCDay()] ?? [];
  return names.some((name) => text.includes(name));
};

/**
 * Whether parts of dates, the name of a month or two numbers, state this one; null if there are none. Beside whole
 * dates, a month without a day is none.
 */
const statesPart = (expected: Day, quote: string, isAlone: boolean): boolean | null => {
  const named = namedMonthsIn(quote);
  if (named.length > 0) {
    return named.some(
      ({ months, days }) =>
        months.includes(expected.month) &&
        (expected.day === null || days.includes(expected.day) || (isAlone && days.length === 0))
    );
  }
  const pairs = [...quote.matchAll(PAIR)].map(([, first, second]) => [Number(first), Number(second)]);
  return pairs.some((pair) => pair.includes(expected.month) && pair.includes(expected.day ?? -1)) || null;
};

/** True if the quote states this date, false if it states another one, null if it states none. */
const statesDay = (expected: Day, quote: string): boolean | null => {
  const dates = daysIn(quote);
  const whole = dates.flatMap(({ readings }) => readings);
  const isExpected = ({ day, month, year }: DayReading): boolean =>
    year === expected.year && month === expected.month && (expected.day ?? day) === day;
  if (whole.some(isExpected)) return true;
  // The years 1000 to 2199, not within `1,999` or `0.2024`.
  const alone = (quote.match(/(?<![\d.,])(?:1\d|20|21)\d{2}(?![\d.,]\d|\d)/gu) ?? []).map(Number);
  const years = [...alone, ...whole.map(({ year }) => year)];
  if (years.length > 0 && !years.includes(expected.year)) return false;
  const rest = dates.reduceRight(
    (text, { start, end }) => `${text.slice(0, start)} ${text.slice(end)}`,
    quote
  );
  const isPartStated = statesPart(expected, rest, dates.length === 0);
  if (isPartStated !== null || dates.length > 0) return isPartStated === true;
  if (years.length > 0) return true;
  const ordinals = [...quote.matchAll(ORDINAL)].map(([, day]) => Number(day));
  if (ordinals.length > 0) return ordinals.includes(expected.day ?? -1);
  return isWeekdayStated(expected, quote) ? true : null;
};

/** `14:30`, `2.30 pm`, `14 Uhr`, `14時30`. */
const CLOCK =
  /(?<![\d.,:])(\d{1,2})(?:\s?[:.h時시点]\s?(\d{2}))?\s?(a\.?m\b|p\.?m\b|uhr\b|h\b|o['’]clock|時|时|点|시)?/giu;

/** Minutes after midnight that a quote can mean; without "am" or "pm", both halves of the day. */
const timesIn = (quote: string): ReadonlyArray<number> =>
  [...quote.matchAll(CLOCK)].flatMap(([, hours = "", minutes, mark]) => {
    if (minutes === undefined && mark === undefined) return [];
    const hour = Number(hours) % 12;
    const rest = Number(minutes ?? 0);
    const half = mark?.toLowerCase().charAt(0);
    if (half === "a") return [hour * 60 + rest];
    if (half === "p") return [(hour + 12) * 60 + rest];
    return [Number(hours) * 60 + rest, (hour + 12) * 60 + rest];
  });

/** `UTC`, `CEST`, `+02:00`: the value may then have the time of another zone. */
const ZONE = /(?<![A-Z])(?:UTC|GMT|[A-Z]{1,4}T)(?![A-Za-z])|[+-]\d{2}:\d{2}(?!\d)/u;

/** All time zones differ by a multiple of this. */
const ZONE_STEP_MINUTES = 15;

const isTimeStated = (minutes: number, quote: string): boolean => {
  const stated = timesIn(quote);
  return (
    stated.includes(minutes) ||
    (ZONE.test(quote) && stated.some((each) => (each - minutes) % ZONE_STEP_MINUTES === 0))
  );
};

/** Midnight is also how a date is written where a time of day is demanded. */
const isDateSupported = ([, ...parts]: ReadonlyArray<string | undefined>, quote: string): boolean => {
  const [year = 0, month = 0] = parts.slice(0, 2).map(Number);
  const isDayStated = statesDay(
    { year, month, day: parts[2] === undefined ? null : Number(parts[2]) },
    quote
  );
  if (isDayStated === false || parts[3] === undefined) return isDayStated === true;
  const minutes = Number(parts[3]) * 60 + Number(parts[4]);
  return (isDayStated === true && minutes === 0) || isTimeStated(minutes, quote);
};

/** Null if the value is none of these. */
export const isTimeSupported = (value: string, quote: string): boolean | null => {
  const plain = plainOf(quote);
  const date = DATE.exec(value);
  if (date !== null) return isDateSupported(date, plain);
  const time = TIME.exec(value);
  if (time !== null) return timesIn(plain).includes(Number(time[1]) * 60 + Number(time[2]));
  const seconds = isoDurationSeconds(value);
  return seconds === null ? null : statesTime(plain) && isNumberSupported(seconds, plain);
};
