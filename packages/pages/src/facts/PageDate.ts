/**
 * Parses dates as pages write them. A date is taken as written and never converted to another time zone: a page dated
 * 2025-03-04T23:30:00-08:00 was published on the 4th.
 */
import { monthNamed } from "@winnow/core/domain/evidence/WrittenForms";
import { isDay } from "@winnow/core/domain/text/DateTimeText";
import type { WrittenDate } from "@winnow/core/domain/source/StructuredData";

// Machine-readable dates (ISO 8601) have the precision that is written: year, month, day, time. Nothing is
// added; a time has a zone only if one is written.

const TIMED =
  /^\s*(\d{4})-?(\d{2})-?(\d{2})(?:T|\s+)(\d{2}):?(\d{2})(?::?(\d{2})(?:[.,]\d+)?)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2}|[+-]\d{2})?\s*$/i;
const PARTIAL = /^\s*(\d{4})(?:-(\d{2}))?\s*$/;

const zoneOf = (written: string | undefined): string => {
  if (written === undefined) return "";
  if (/^[zug]/i.test(written)) return "Z";
  const [, hours = "", minutes = "00"] = /^([+-]\d{2}):?(\d{2})?$/.exec(written) ?? [];
  return `${hours}:${minutes}`;
};

/** `day`: YYYYMMDD. */
export const dayDate = (day: string): WrittenDate => ({
  value: `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6, 8)}`,
  precision: "day"
});

/** The date and its time; null if there is no time or it is invalid. Does not check the date. */
const timedDate = (written: string): WrittenDate | null => {
  const [, year, month, day, hour = "", minute = "", second, zone] = TIMED.exec(written) ?? [];
  if (year === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second ?? 0) > 60) return null;
  const value = `${year}-${month}-${day}T${hour}:${minute}${second === undefined ? "" : `:${second}`}${zoneOf(zone)}`;
  return { value, precision: second === undefined ? "minute" : "second" };
};

/** A year or a month; null for anything else. */
const partialDate = (written: string): WrittenDate | null => {
  const [, year = "", month] = PARTIAL.exec(written) ?? [];
  if (Number(year) < 1_900 || Number(year) >= 2_100) return null;
  if (month === undefined) return { value: year, precision: "year" };
  const isMonth = Number(month) >= 1 && Number(month) <= 12;
  return isMonth ? { value: `${year}-${month}`, precision: "month" } : null;
};

const ISO = /^\s*(\d{4})[-/.]?(\d{2})[-/.]?(\d{2})(?!\d)/;
const WORD = "(\\p{L}[\\p{L}\\p{M}]{1,15})\\.?";
const DAY = "(\\d{1,2})(?:st|nd|rd|th|er|º|ª|\\.)?";
const DAY_FIRST = new RegExp(
  `(?<!\\d)${DAY}[\\s-]+(?:of\\s+|de\\s+|d['’])?${WORD},?[\\s-]+(?:del?\\s+)?(\\d{4})(?!\\d)`,
  "giu"
);
const MONTH_FIRST = new RegExp(`(?<![\\p{L}\\p{M}])${WORD}\\s+${DAY},?\\s+(\\d{4})(?!\\d)`, "giu");
const YEAR_FIRST = new RegExp(`(?<!\\d)(\\d{4})\\.?\\s+${WORD}\\s+(\\d{1,2})(?!\\d)`, "giu");
/** Year, month and day each followed by a sign, as in Chinese, Japanese and Korean. */
const EAST_ASIAN = /(?<!\d)(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]/u;

const dayOf = (year: string, month: number, day: string): string | null => {
  const isYear = Number(year) >= 1_900 && Number(year) < 2_100;
  return isYear && isDay(Number(year), month, Number(day))
    ? `${year}${String(month).padStart(2, "0")}${day.padStart(2, "0")}`
    : null;
};

/** Maximum characters examined: the date comes first in its field. */
const WRITTEN_CHARS_MAX = 200;

/** The date of the first match with the name of a month; `groups` are its capture groups. */
const namedDay = (
  text: string,
  form: RegExp,
  groups: readonly [day: number, month: number, year: number]
) => {
  for (const found of text.matchAll(form)) {
    const [day = "", word = "", year = ""] = groups.map((group) => found[group]);
    const month = monthNamed(word);
    if (month !== null) return dayOf(year, month, day);
  }
  return null;
};

/**
 * YYYYMMDD of a machine-readable date, or of one that names its month or has East Asian signs; null for anything
 * else.
 */
export const pageDate = (written: string | null | undefined): string | null => {
  const text = (written ?? "").slice(0, WRITTEN_CHARS_MAX).normalize("NFC");
  const iso = ISO.exec(text);
  if (iso !== null) return dayOf(iso[1] ?? "", Number(iso[2]), iso[3] ?? "");
  const eastAsian = EAST_ASIAN.exec(text);
  if (eastAsian !== null) return dayOf(eastAsian[1] ?? "", Number(eastAsian[2]), eastAsian[3] ?? "");
  return (
    namedDay(text, DAY_FIRST, [1, 2, 3]) ??
    namedDay(text, MONTH_FIRST, [2, 1, 3]) ??
    namedDay(text, YEAR_FIRST, [3, 2, 1])
  );
};

/**
 * Like {@link pageDate}, with the time if there is one; also accepts a month or a year alone. Null for anything else.
 */
export const writtenDate = (written: string | null | undefined): WrittenDate | null => {
  const text = (written ?? "").slice(0, WRITTEN_CHARS_MAX);
  const day = pageDate(text);
  if (day === null) return partialDate(text);
  return (ISO.test(text) ? timedDate(text) : null) ?? dayDate(day);
};

/** YYYYMMDD; null for a month or a year alone. */
export const dayOfDate = (date: WrittenDate | null): string | null =>
  date === null || date.precision === "year" || date.precision === "month"
    ? null
    : date.value.slice(0, 10).replaceAll("-", "");

/** The order of day and month in numeric dates such as 3/4/2025. */
export type NumericOrder = "day-first" | "month-first";

const NUMERIC = /(?<![\d/.-])(\d{4})([-./])(\d{2})\2(\d{2})(?![\d/-]|\.\d)/;
const AMBIGUOUS = /(?<![\d/.-])(\d{1,2})([/.])(\d{1,2})\2(\d{4})(?![\d/.-])/;

/** Null if the date is ambiguous. With dots, the day comes first in every language. */
const orderOf = (first: string, mark: string | undefined, second: string): NumericOrder | null => {
  if (mark === "." || Number(first) > 12 || first === second) return "day-first";
  return Number(second) > 12 ? "month-first" : null;
};

const numericDay = (text: string, order: NumericOrder | null): string | null => {
  const iso = NUMERIC.exec(text);
  if (iso !== null) return dayOf(iso[1] ?? "", Number(iso[3]), iso[4] ?? "");
  const [, first = "", mark, second = "", year = ""] = AMBIGUOUS.exec(text) ?? [];
  if (year === "") return null;
  const known = orderOf(first, mark, second) ?? order;
  if (known === null) return null;
  return known === "day-first" ? dayOf(year, Number(second), first) : dayOf(year, Number(first), second);
};

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
  const orders = new Set<NumericOrder>();
  for (const line of lines) {
    const [, first = "", mark, second = ""] = AMBIGUOUS.exec(line) ?? [];
    const order = mark === "/" && first !== second ? orderOf(first, mark, second) : null;
    if (order !== null) orders.add(order);
  }
  const [only = null] = orders;
  return orders.size === 0 ? orderOfLanguage(language) : orders.size === 1 ? only : null;
};

/** YYYYMMDD of the first full date in a line of text; null if there is none or it is ambiguous. */
export const dateIn = (text: string, order: NumericOrder | null = null): string | null =>
  pageDate(text) ?? numericDay(text, order);

/** YYYYMMDD of a path such as /2025/03/04/ or /2025/march/4/; null if it contains no full date. */
export const dateInPath = (url: string): string | null => {
  const found = /\/((?:19|20)\d{2})[/-](\d{1,2}|\p{L}{3,12})[/-](\d{1,2})(?=[/-])/u.exec(url);
  if (found === null) return null;
  const [, year = "", month = "", day = ""] = found;
  const isNumber = /^\d/.test(month);
  if (isNumber && month.length + day.length < 4) return null;
  const named = isNumber ? Number(month) : monthNamed(month);
  return named === null ? null : dayOf(year, named, day);
};
