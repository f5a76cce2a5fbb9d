/**
 * Days as people write them, in the languages of WrittenForms: all that a text can mean, so that each caller chooses,
 * and whether only one is meant. A time of day is taken as written and never converted to another zone. Pure.
 */
import { isDay } from "./DateTimeText.ts";
import { monthsNamed } from "./WrittenForms.ts";

/** The order of day and month in dates of digits, such as 3/4/2025. */
export type NumericOrder = "day-first" | "month-first";

export interface DayReading {
  readonly year: number;
  /** 1 for January. */
  readonly month: number;
  readonly day: number;
  /** Null if it is the same in both orders, or the text tells which number is the month. */
  readonly order: NumericOrder | null;
}

export interface WrittenDay {
  /** Position in the text, and that of what follows it. */
  readonly start: number;
  readonly end: number;
  /** Empty if the calendar has no such day, several if it is ambiguous. */
  readonly readings: ReadonlyArray<DayReading>;
  readonly isAmbiguous: boolean;
}

/** Zero digits of other common scripts: Arabic, Persian, Devanagari, Bengali, Thai, full width. */
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xff10];

/** With ASCII digits, at the same positions. */
export const asciiDigits = (text: string): string =>
  text.replace(/(?![0-9])\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    const zero = ZEROS.find((each) => code >= each && code < each + 10);
    return zero === undefined ? digit : String(code - zero);
  });

const YEAR = "(?<year>\\d{4})";
const SHORT_YEAR = "(?<year>\\d{4}|\\d{2})";
const DAY = "(?<day>\\d{1,2})(?:st|nd|rd|th|er|º|ª|\\.)?";
const MONTH = "(?<month>\\d{1,2})";
/** The name of a month, perhaps shortened. */
const NAME = "(?<name>\\p{L}[\\p{L}\\p{M}.׳॰]{1,15}?)\\.?(?![\\p{L}\\p{M}])";
const AFTER = "(?!\\d|[-/.]\\d)";

const FORMS: ReadonlyArray<RegExp> = [
  // 20240506, only at the beginning: elsewhere it is any number.
  `^\\s*${YEAR}(?<month>\\d{2})(?<day>\\d{2})(?!\\d)`,
  // 2024-05-06
  `(?<![\\d/.-])${YEAR}\\s?(?<mark>[-/.])\\s?${MONTH}\\s?\\k<mark>\\s?(?<day>\\d{1,2})${AFTER}`,
  // 6.5.2024
  `(?<![\\d/.-])(?<first>\\d{1,2})\\s?(?<mark>[-/.])\\s?(?<second>\\d{1,2})\\s?\\k<mark>\\s?${SHORT_YEAR}${AFTER}`,
  // 2024年5月6日, 2024년 5월 6일
  `(?<!\\d)${SHORT_YEAR}\\s?[年년]\\s?${MONTH}\\s?[月월]\\s?(?<day>\\d{1,2})(?:\\s?[日일])?(?!\\d)`,
  // 6 tháng 5, 2024
  `(?<!\\d)(?<day>\\d{1,2}) th(?:áng|g) ${MONTH},? (?:năm )?${YEAR}(?!\\d)`,
  // 6 May 2024, 6. Mai 2024, 6 de mayo de 2024
  `(?<!\\d)${DAY}[\\s/-]*(?:of\\s+|de\\s+|d['’]|ב)?${NAME},?[\\s/-]+(?:del?\\s+|ค\\.ศ\\. )?${YEAR}${AFTER}`,
  // May 6, 2024
  `(?<![\\p{L}\\p{M}])${NAME}\\s*${DAY},?\\s+${YEAR}${AFTER}`,
  // 2024. május 6., 2024 m. gegužės 6 d.
  `(?<!\\d)${YEAR}\\.?\\s+(?:m\\.\\s+)?${NAME}\\s+(?<day>\\d{1,2})\\.?(?: d\\.)?(?!\\d)`,
  // 2024. gada 6. maijs
  `(?<!\\d)${YEAR}\\. gada ${DAY} ${NAME}`
].map((form) => new RegExp(form, "giu"));

/** Years of two digits are of this century or the previous one. */
const yearsOf = (written: string): ReadonlyArray<number> =>
  written.length === 4 ? [Number(written)] : [1_900 + Number(written), 2_000 + Number(written)];

type Numbers = readonly [month: number, day: number, order: NumericOrder | null];

/** With dots, the day comes first in every language. */
const ofDigits = (first: number, second: number, mark: string | undefined): ReadonlyArray<Numbers> => {
  if (mark === "." || first === second) return [[second, first, null]];
  return [
    [second, first, "day-first"],
    [first, second, "month-first"]
  ];
};

/** Null if a word is no name of a month. */
const numbersOf = (groups: Readonly<Record<string, string>>): ReadonlyArray<Numbers> | null => {
  const { day, first, mark, month, name, second } = groups;
  if (first !== undefined) return ofDigits(Number(first), Number(second), mark);
  if (name === undefined) return [[Number(month), Number(day), null]];
  const months = monthsNamed(name);
  return months.length === 0 ? null : months.map((each) => [each, Number(day), null]);
};

/** In the order of the text, without those within others. */
export const daysIn = (written: string): ReadonlyArray<WrittenDay> => {
  // Arabic dates have marks of direction before their slashes.
  const text = asciiDigits(written).replaceAll(/[\u200e\u200f]/gu, " ");
  if (!/\d/u.test(text)) return [];
  const found = FORMS.flatMap((form) =>
    [...text.matchAll(form)].flatMap(({ 0: match, groups = {}, index }): ReadonlyArray<WrittenDay> => {
      const readings = numbersOf(groups)?.flatMap(([month, day, order]) =>
        yearsOf(groups["year"] ?? "").flatMap((year) =>
          isDay(year, month, day) ? [{ year, month, day, order }] : []
        )
      );
      if (readings === undefined) return [];
      return [{ start: index, end: index + match.length, readings, isAmbiguous: readings.length > 1 }];
    })
  ).toSorted((one, other) => one.start - other.start || other.end - one.end);
  let end = 0;
  return found.filter((each) => {
    const isFree = each.start >= end;
    if (isFree) end = each.end;
    return isFree;
  });
};

const digits = (number: number, count: number): string => String(number).padStart(count, "0");

const isoDay = ({ day, month, year }: DayReading): string =>
  `${digits(year, 4)}-${digits(month, 2)}-${digits(day, 2)}`;

/** ISO 8601; null if it can be several days in that order. */
export const dayInOrder = ({ readings }: WrittenDay, order: NumericOrder | null = null): string | null => {
  const [only, ...others] =
    readings.length > 1 ? readings.filter((reading) => order !== null && reading.order === order) : readings;
  return only === undefined || others.length > 0 ? null : isoDay(only);
};

export interface WrittenMoment {
  /** ISO 8601; null if it is ambiguous or the calendar has no such day. */
  readonly day: string | null;
  /** `14:00` or `14:00:05`; null if only the day is written, or it is of a zone such as EST, which several have. */
  readonly time: string | null;
  /** With its point; empty if there is none. */
  readonly fraction: string;
  /** `Z` or the distance from UTC, `+02:00`; empty if it is not written. */
  readonly zone: string;
}

/** Before the day: a weekday, an article, as in "Monday, the ". */
const BEFORE = /^\s*(?:[\p{L}\p{M}'’-]+[.,]?\s+){0,2}$/u;
/** After the day: " at 2:30 pm (CET)", "T14:30:05.250+02:00", " г., 14:30", " um 14.30 Uhr"; or nothing. */
const CLOCK =
  /^\.?\s*(?:г\.?|р\.?)?(?:[T\s,]+(?:\p{L}{1,3}\.?\s+){0,2}(?=\d{4}|\d{1,2}[:.h])(?<hour>\d{1,2})[:.h]?(?<minute>\d{2})(?::?(?<second>\d{2})(?<fraction>[.,]\d+)?)?\s*(?<half>[ap]\.?m\b\.?)?(?:\s*Uhr)?\s*(?:(?:UTC|GMT)(?=[+-]))?(?<zone>Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?(?<place>\s*(?:\([^()]{1,40}\)|\p{L}{2,5}))?)?\s*$/iu;

const zoneOf = (written: string): string => {
  if (/^[zug]/iu.test(written)) return "Z";
  const [, hours = "", minutes = "00"] = /^([+-]\d{2}):?(\d{2})?$/u.exec(written) ?? [];
  return hours === "" ? "" : `${hours}:${minutes}`;
};

/** The most hours of any zone from UTC. */
const ZONE_HOURS_MAX = 14;

/** From one time to another, which looks like a zone: people write no zone so, only ISO 8601 does. */
const FROM_TO = /^(?!\s*\d{4}).*\d[:.h]\d{2}-\d{2}:\d{2}\s*$/su;

/** Longer texts are more than a date and its time, in characters. */
const MOMENT_CHARS_MAX = 100;

/** A text that is one date and at most its weekday and time of day; null for any other. */
export const momentOf = (written: string): WrittenMoment | null => {
  if (written.length > MOMENT_CHARS_MAX) return null;
  const text = asciiDigits(written);
  const [date, ...others] = daysIn(text);
  if (date === undefined || others.length > 0 || !BEFORE.test(text.slice(0, date.start))) return null;
  const clock = CLOCK.exec(text.slice(date.end))?.groups;
  if (clock === undefined) return null;
  const { fraction = "", half, hour, minute = "", place, second, zone = "" } = clock;
  const read = { day: dayInOrder(date), fraction: fraction.replace(",", "."), zone: zoneOf(zone) };
  const isNoZone = FROM_TO.test(text) || Math.abs(Number.parseInt(read.zone, 10)) > ZONE_HOURS_MAX;
  if (hour === undefined || isNoZone || (place !== undefined && zone === "")) return { ...read, time: null };
  const isPm = half?.toLowerCase().startsWith("p") === true;
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (isPm ? 12 : 0);
  if (hours > 23 || Number(minute) > 59 || Number(second ?? 0) > 60) return null;
  return { ...read, time: [digits(hours, 2), minute, ...(second === undefined ? [] : [second])].join(":") };
};
