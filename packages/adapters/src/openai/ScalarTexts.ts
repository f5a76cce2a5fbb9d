/** Numbers and dates in the ways that people write them, where there is one reading only. Pure. */
import { monthNamed } from "@winnow/core/domain/WrittenForms";

const CURRENCY = "(?:[$€£¥₹₩₽₺₫₴]|(?:US|CA|AU|NZ|HK)\\$|[A-Z]{3}(?=[\\s\\d])|(?<=[\\s\\d])[A-Z]{3})";
const AROUND = new RegExp(`^${CURRENCY}\\s*|\\s*${CURRENCY}$`, "gu");

const PLAIN = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/u;

/** Groups of three, of one and the same separator, and perhaps a part after the other one. */
const GROUPED =
  /^[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$|^[+-]?[1-9]\d{0,2}(?:[ \u00a0\u202f\u2009'’]\d{3})+(?:[.,]\d+)?$/u;
const GROUPED_BY_POINTS = /^[+-]?[1-9]\d{0,2}(?:\.\d{3})+,\d+$|^[+-]?[1-9]\d{0,2}(?:\.\d{3}){2,}$/u;

/** No groups: they would have three digits and no zero before them. */
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

/** Digits are shifted in the text, so that 12.3 % is 0.123 and no neighbour of it. */
const hundredth = (number: number): number => Number(`${number}e-2`);

/**
 * A number with its currency or percent sign; null for what is none, or has a unit.
 *
 * @param isShare whether 1 is the whole, so that "12%" is 0.12
 */
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

/** In numbers alone the order of day and month is plain only where one of them is not a month. */
const ofNumbers = (first: number, second: number, year: number, separator: string): string | null => {
  if (separator === "." || first > 12) return isoDate(year, second, first);
  return second > 12 || first === second ? isoDate(year, first, second) : null;
};

/** As ISO 8601 has it; null for what is not a whole date, or may be two. */
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

/** Offsets without their colon, a space for the T; a time without an offset stays: it may be anywhere. */
export const dateTimeIn = (text: string): string | null => {
  const parts =
    /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?\s?(Z|z|UTC|[+-]\d{2}:?\d{2})$/u.exec(text);
  if (parts === null) return null;
  const [, date, time, seconds = ":00", zone = ""] = parts;
  const offset = /^(?:z|utc)$/iu.test(zone) ? "Z" : zone.replace(/^(...):?(..)$/u, "$1:$2");
  return `${date}T${time}${seconds}${offset}`;
};
