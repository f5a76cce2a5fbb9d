/**
 * Parses machine-readable dates (ISO 8601) with the precision they have: year, month, day, time. Nothing is
 * added; a time has a zone only if one is written.
 */
import type { WrittenDate } from "@winnow/core/domain/source/StructuredData";

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
export const timedDate = (written: string): WrittenDate | null => {
  const [, year, month, day, hour = "", minute = "", second, zone] = TIMED.exec(written) ?? [];
  if (year === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second ?? 0) > 60) return null;
  const value = `${year}-${month}-${day}T${hour}:${minute}${second === undefined ? "" : `:${second}`}${zoneOf(zone)}`;
  return { value, precision: second === undefined ? "minute" : "second" };
};

/** A year or a month; null for anything else. */
export const partialDate = (written: string): WrittenDate | null => {
  const [, year = "", month] = PARTIAL.exec(written) ?? [];
  if (Number(year) < 1_900 || Number(year) >= 2_100) return null;
  if (month === undefined) return { value: year, precision: "year" };
  const isMonth = Number(month) >= 1 && Number(month) <= 12;
  return isMonth ? { value: `${year}-${month}`, precision: "month" } : null;
};

/** Length of YYYY-MM-DD. */
const DAY_CHARS = 10;

const instantOf = ({ precision, value }: WrittenDate): number | null => {
  const isInstant = /[Z+]|-\d\d:\d\d$/.test(value.slice(DAY_CHARS));
  return isInstant && precision !== "day" ? Date.parse(value) : null;
};

/**
 * Whether two values may mean the same moment: the same instant, or the same date at their common precision.
 */
export const areSameDates = (one: WrittenDate, other: WrittenDate): boolean => {
  const [first, second] = [instantOf(one), instantOf(other)];
  if (first !== null && second !== null && Math.abs(first - second) < 60_000) return true;
  const chars = Math.min(one.value.length, other.value.length, DAY_CHARS);
  return one.value.slice(0, chars) === other.value.slice(0, chars);
};
