/**
 * Dates of pages. They are taken as written and never converted to another time zone: a page dated
 * 2025-03-04T23:30:00-08:00 was published on the 4th. Tests: Metadata.test.ts, PublicationDates.test.ts.
 */
import { dayInOrder, daysIn, momentOf, type NumericOrder } from "@winnow/core/domain/text/WrittenDays";
import type { WrittenDate } from "@winnow/core/domain/source/StructuredData";

/** `day`: YYYYMMDD. */
export const dayDate = (day: string): WrittenDate => ({
  value: `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6, 8)}`,
  precision: "day"
});

/** "2025", "2025-03". */
const PARTIAL = /^\s*(\d{4})(?:-(\d{2}))?\s*$/;

const isYear = (year: number): boolean => year >= 1_900 && year < 2_100;

/** A year or a month; null for anything else. */
const partialDate = (written: string): WrittenDate | null => {
  const [, year = "", month] = PARTIAL.exec(written) ?? [];
  if (!isYear(Number(year))) return null;
  if (month === undefined) return { value: year, precision: "year" };
  const isMonth = Number(month) >= 1 && Number(month) <= 12;
  return isMonth ? { value: `${year}-${month}`, precision: "month" } : null;
};

/** Length of YYYY-MM-DD. */
const DAY_CHARS = 10;

/** Maximum characters examined: the date comes first in its field. */
const WRITTEN_CHARS_MAX = 200;

/** YYYYMMDD of the first full date in a text; null if there is none or it is ambiguous. */
export const dateIn = (
  written: string | null | undefined,
  order: NumericOrder | null = null
): string | null => {
  for (const date of daysIn((written ?? "").slice(0, WRITTEN_CHARS_MAX))) {
    const day = dayInOrder(date, order);
    if (day !== null && isYear(Number(day.slice(0, 4)))) return day.replaceAll("-", "");
  }
  return null;
};

/** Like {@link dateIn}. */
export const dayIn = (written: string | null | undefined): WrittenDate | null => {
  const day = dateIn(written);
  return day === null ? null : dayDate(day);
};

/** Like {@link dateIn}, with the time if the text is a date with one; also accepts a month or a year alone. */
export const writtenDate = (written: string | null | undefined): WrittenDate | null => {
  const text = (written ?? "").slice(0, WRITTEN_CHARS_MAX);
  const date = dayIn(text);
  if (date === null) return partialDate(text);
  const { time = null, zone = "" } = momentOf(text) ?? {};
  return time === null
    ? date
    : {
        value: `${date.value}T${time}${zone}`,
        precision: time.length > "00:00".length ? "second" : "minute"
      };
};

/** YYYYMMDD; null for a month or a year alone. */
export const dayOfDate = (date: WrittenDate | null): string | null =>
  date === null || date.precision === "year" || date.precision === "month"
    ? null
    : date.value.slice(0, DAY_CHARS).replaceAll("-", "");

/** Many systems declare `en` or `en-US` by default, so neither is evidence of the author's habits. */
const DEFAULT_LANGUAGE = /^en(?:-US)?$/;

const orderOfLanguage = (language: string | null): NumericOrder | null => {
  if (language === null || DEFAULT_LANGUAGE.test(language)) return null;
  if (Intl.DateTimeFormat.supportedLocalesOf(language).length === 0) return null;
  const parts = new Intl.DateTimeFormat(language, { calendar: "gregory" }).formatToParts();
  const first = parts.find(({ type }) => type === "day" || type === "month" || type === "year");
  return first?.type === "day" ? "day-first" : first?.type === "month" ? "month-first" : null;
};

/**
 * The order of numeric dates on a page: that of its unambiguous dates, otherwise that of its language. Null if these
 * dates contradict each other or the language gives no order. `language`: canonical BCP 47 tag.
 */
export const numericOrder = (lines: ReadonlyArray<string>, language: string | null): NumericOrder | null => {
  const clear = lines.flatMap(daysIn).filter(({ isAmbiguous }) => !isAmbiguous);
  const [only, other] = new Set(clear.flatMap(({ readings: [reading] }) => reading?.order ?? []));
  if (only === undefined) return orderOfLanguage(language);
  return other === undefined ? only : null;
};

/** YYYYMMDD of a path such as /2025/03/04/ or /2025/march/4/; null if it contains no full date. */
export const dateInPath = (url: string): string | null => {
  const [, year = "", month = "", day = ""] =
    /\/((?:19|20)\d{2})[/-](\d{1,2}|\p{L}{3,12})[/-](\d{1,2})(?=[/-])/u.exec(url) ?? [];
  if (!/^\d/.test(month)) return dateIn(`${year} ${month} ${day}`);
  return month.length + day.length < 4 ? null : dateIn(`${year}-${month}-${day}`);
};
