/** Dates and times that callers send, and which days there are. */

/** RFC 3339, section 5.6; seconds may be left out. */
const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:[Zz]|[+-]\d{2}:\d{2})$/u;

/** The calendar repeats after this many years. Date.UTC maps the years 0 to 99 to 1900 to 1999. */
const GREGORIAN_CYCLE_YEARS = 400;

const daysOf = (year: number, month: number): number =>
  new Date(Date.UTC(GREGORIAN_CYCLE_YEARS + (year % GREGORIAN_CYCLE_YEARS), month, 0)).getUTCDate();

/** Whether the calendar has the day; `month` from 1. */
export const isDay = (year: number, month: number, day: number): boolean =>
  month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month);

/** Unix milliseconds; null if invalid, including 30 February, which Date.parse reads as 2 March. */
export const unixMsOf = (text: string): number | null => {
  const [, year, month, day] = DATE_TIME.exec(text) ?? [];
  if (!isDay(Number(year), Number(month), Number(day))) return null;
  const unixMs = Date.parse(text);
  return Number.isNaN(unixMs) ? null : unixMs;
};
