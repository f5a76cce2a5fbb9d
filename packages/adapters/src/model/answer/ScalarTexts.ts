/** Parses numbers and dates as people write them, if there is only one interpretation. Pure. */
import { monthNamed } from "@winnow/core/domain/evidence/WrittenForms";

const CURRENCY = "(?:[$€£¥₹₩₽₺₫₴]|(?:US|CA|AU|NZ|HK)\\$|[A-Z]{3}(?=[\\s\\d])|(?<=[\\s\\d])[A-Z]{3})";
const AROUND = new RegExp(`^${CURRENCY}\\s*|\\s*${CURRENCY}$`, "gu");

const PLAIN = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/u;

/** Groups of three with one separator, and optionally a fraction after the other one. */
const GROUPED =
  /^[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$|^[+-]?[1-9]\d{0,2}(?:[ \u00a0\u202f\u2009'’]\d{3})+(?:[.,]\d+)?$/u;
const GROUPED_BY_POINTS = /^[+-]?[1-9]\d{0,2}(?:\.\d{3})+,\d+$|^[+-]?[1-9]\d{0,2}(?:\.\d{3}){2,}$/u;

/** No groups: these would have three digits and no leading zero. */
const DECIMAL_COMMA = /^[+-]?(?:\d+,(?:\d{1,2}|\d{4,})|0,\d+|\d{4,},\d+)$/u;

const SEPARATORS = /[ \u00a0\u202f\u2009'’]/gu;

const plainNumber = (text: string): string => {
  if (GROUPED.test(text)) {
    const tight = text.replaceAll(SEPARATORS, "");
    return tight === text ? tight.replaceAll(",", "") : tight.replace(",", ".");
  }
  if (GROUPED_BY_POINTS.test(text)) return text.replaceAll(".", "").replace(",", ".");
  return DECIMAL_COMMA.test(text) ? text.replace(",", ".") : text;
};

/** Shifts digits in the text, so that 12.3 % is exactly 0.123. */
const hundredth = (number: number): number => Number(`${number}e-2`);

/** A number with a currency or percent sign; null for anything else or with a unit. */
export const numberIn = (text: string, isShare = false): number | null => {
  const isPercent = /\d\s*[%٪]$/u.test(text);
  const bare = text
    .replaceAll("−", "-")
    .replace(/\s*[%٪]$/u, "")
    .replaceAll(AROUND, "")
    .trim();
  const plain = plainNumber(bare);
  const number = PLAIN.test(plain) ? Number(plain) : Number.NaN;
  if (!Number.isFinite(number)) return null;
  return isPercent && isShare ? hundredth(number) : number;
};

const DAY_FIRST =
  /^(?:\p{L}+,?\s+){0,2}(\d{1,2})(?:st|nd|rd|th|er|º|\.)?\s+(?:of\s+|de\s+|d['’])?(\p{L}[\p{L}\p{M}]*\.?),?\s+(?:de\s+|del\s+)?(\d{4})(?:\sг\.)?$/u;
const MONTH_FIRST = /^(?:\p{L}+,\s+)?(\p{L}+\.?)\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})$/u;
const YEAR_FIRST = /^(\d{4})(?:[-/.]|\s?[年년]\s?)(\d{1,2})(?:[-/.]|\s?[月월]\s?)(\d{1,2})\s?[日일]?$/u;
const NUMBERS = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})$/u;
const WITH_TIME = /^(\d{4}-\d{2}-\d{2})[T ]\d{2}:\d{2}/u;

const isoDate = (year: number, month: number | null, day: number): string | null => {
  if (month === null) return null;
  const date = new Date(Date.UTC(year, month - 1, day));
  const isThere = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1;
  return isThere && date.getUTCDate() === day ? date.toISOString().slice(0, 10) : null;
};

/** In all-numeric dates, the order of day and month is clear only if one of them cannot be a month. */
const ofNumbers = (first: number, second: number, year: number, separator: string): string | null => {
  if (separator === "." || first > 12) return isoDate(year, second, first);
  return second > 12 || first === second ? isoDate(year, first, second) : null;
};

/** ISO 8601; null if it is not a complete, unambiguous date. */
export const dateIn = (text: string): string | null => {
  const dayFirst = DAY_FIRST.exec(text);
  if (dayFirst !== null)
    return isoDate(Number(dayFirst[3]), monthNamed(dayFirst[2] ?? ""), Number(dayFirst[1]));
  const monthFirst = MONTH_FIRST.exec(text);
  if (monthFirst !== null)
    return isoDate(Number(monthFirst[3]), monthNamed(monthFirst[1] ?? ""), Number(monthFirst[2]));
  const yearFirst = YEAR_FIRST.exec(text);
  if (yearFirst !== null) return isoDate(Number(yearFirst[1]), Number(yearFirst[2]), Number(yearFirst[3]));
  const numbers = NUMBERS.exec(text);
  if (numbers !== null)
    return ofNumbers(Number(numbers[1]), Number(numbers[3]), Number(numbers[4]), numbers[2] ?? "");
  return WITH_TIME.exec(text)?.[1] ?? null;
};

/**
 * Accepts offsets without a colon and a space for the T. A time without an offset is unchanged, because its zone is
 * unknown.
 */
export const dateTimeIn = (text: string): string | null => {
  const parts =
    /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?\s?(Z|z|UTC|[+-]\d{2}:?\d{2})$/u.exec(text);
  if (parts === null) return null;
  const [, date, time, seconds = ":00", zone = ""] = parts;
  const offset = /^(?:z|utc)$/iu.test(zone) ? "Z" : zone.replace(/^(...):?(..)$/u, "$1:$2");
  return `${date}T${time}${seconds}${offset}`;
};
