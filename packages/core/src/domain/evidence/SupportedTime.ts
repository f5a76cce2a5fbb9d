/** Whether a quote states a date, a time of day or a duration. Pure. */
import { isNumberSupported, statesTime } from "./SupportedNumber.ts";
import { monthsNamed } from "./WrittenForms.ts";

/** A month or date of ISO 8601, optionally with a time of day. */
const DATE = /^(\d{4})-(\d{2})(?:-(\d{2})(?:[Tt ](\d{2}):(\d{2}).*)?)?$/u;
const TIME = /^(\d{2}):(\d{2})(?::\d{2}.*)?$/u;
const DURATION = /^P(?=.)(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/u;

interface Day {
  readonly year: number;
  readonly month: number;
  /** Null for a month, which matches any of its days. */
  readonly day: number | null;
}

/** Three numbers with the same separator: the year is first or last. */
const NUMERIC = /(?<!\d)(\d{1,4})\s?([-/.年년])\s?(\d{1,2})\s?(?:\2|[月월])\s?(\d{1,4})(?!\d)/gu;
const PAIR = /(?<![\d.,:])(\d{1,2})(?:[./]|\s?[月월]\s?)(\d{1,2})(?![\d,:])/gu;

const ORDINAL = /(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|\.|º|ª|日|일)(?!\d)/gu;

/** A two-digit year belongs to this century or the previous one. */
const isYear = (number: number, year: number): boolean =>
  number === year || (number < 100 && number === year % 100);

const isTriple = ([first, second, third]: ReadonlyArray<number>, { year, month, day }: Day): boolean => {
  const [one = -1, two = -1, three = -1] = [first, second, third];
  if (one > 31) return isYear(one, year) && two === month && (day === null || three === day);
  const isDay = (number: number): boolean => day === null || number === day;
  return isYear(three, year) && ((one === month && isDay(two)) || (isDay(one) && two === month));
};

interface Named {
  readonly months: ReadonlyArray<number>;
  /** Numbers next to the month. */
  readonly days: ReadonlyArray<number>;
}

const NUMBER_OR_WORD = /\d+|[\p{L}\p{M}]+/gu;
const JOINING: ReadonlySet<string> = new Set(["of", "de", "del", "d", "st", "nd", "rd", "th", "er"]);

/** Months next to a number; elsewhere the same letters are often another word. */
const namedIn = (quote: string): ReadonlyArray<Named> => {
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

/** True if the quote states this date, false if it states another one, null if it states none. */
const statesDay = (expected: Day, quote: string): boolean | null => {
  const triples = [...quote.matchAll(NUMERIC)].map(([, first, , second, third]) =>
    [first, second, third].map(Number)
  );
  if (triples.length > 0) return triples.some((triple) => isTriple(triple, expected));
  const years = (quote.match(/(?<![\d.,])(?:1\d|20|21)\d{2}(?![\d.,]\d|\d)/gu) ?? []).map(Number);
  if (years.length > 0 && !years.includes(expected.year)) return false;
  const named = namedIn(quote);
  if (named.length > 0) {
    return named.some(
      ({ months, days }) =>
        months.includes(expected.month) &&
        (expected.day === null || days.length === 0 || days.includes(expected.day))
    );
  }
  const pairs = [...quote.matchAll(PAIR)].map(([, first, second]) => [Number(first), Number(second)]);
  if (pairs.some((pair) => pair.includes(expected.month) && pair.includes(expected.day ?? -1))) return true;
  if (years.length > 0) return true;
  const ordinals = [...quote.matchAll(ORDINAL)].map(([, day]) => Number(day));
  if (ordinals.length > 0) return ordinals.includes(expected.day ?? -1);
  return isWeekdayStated(expected, quote) ? true : null;
};

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

const isDateSupported = ([, ...parts]: ReadonlyArray<string | undefined>, quote: string): boolean => {
  const [year = 0, month = 0] = parts.slice(0, 2).map(Number);
  const isDayStated = statesDay(
    { year, month, day: parts[2] === undefined ? null : Number(parts[2]) },
    quote
  );
  if (isDayStated !== null || parts[3] === undefined) return isDayStated === true;
  return timesIn(quote).includes(Number(parts[3]) * 60 + Number(parts[4]));
};

/** Null if the value is none of these. */
export const isTimeSupported = (value: string, quote: string): boolean | null => {
  const plain = quote.normalize("NFKC").replaceAll(/\s+/gu, " ");
  const date = DATE.exec(value);
  if (date !== null) return isDateSupported(date, plain);
  const time = TIME.exec(value);
  if (time !== null) return timesIn(plain).includes(Number(time[1]) * 60 + Number(time[2]));
  const duration = DURATION.exec(value);
  if (duration === null) return null;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = duration.slice(1).map((part) => Number(part ?? 0));
  return statesTime(plain) && isNumberSupported(((days * 24 + hours) * 60 + minutes) * 60 + seconds, plain);
};
