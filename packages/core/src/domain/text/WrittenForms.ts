/** Words for months, units and powers of ten, in the most common languages of content. Pure. Tests: WrittenDays.test.ts, QuoteSupport.test.ts. */
import { MONTH_FORMS, SCALE_FORMS, UNIT_FORMS } from "./generated/writtenForms.ts";

/** Possible meanings of each form: the same letters can mean different things in different languages. */
const readingsOf = <A>(
  table: Readonly<Record<string, string>>,
  meaningOf: (name: string) => A
): ReadonlyMap<string, ReadonlyArray<A>> => {
  const readings = new Map<string, Array<A>>();
  for (const [name, forms] of Object.entries(table)) {
    for (const form of forms.split("|")) readings.set(form, [...(readings.get(form) ?? []), meaningOf(name)]);
  }
  return readings;
};

const months = readingsOf(MONTH_FORMS, Number);
const scales = readingsOf(SCALE_FORMS, Number);

/** Sizes of convertible units; a month has 30 days, a year 365. */
const DIMENSIONS: ReadonlyArray<Readonly<Record<string, number>>> = [
  {
    millisecond: 0.001,
    second: 1,
    minute: 60,
    hour: 3_600,
    day: 86_400,
    week: 604_800,
    month: 2_592_000,
    year: 31_536_000
  },
  { month: 1, year: 12 },
  { gram: 1, kilogram: 1_000 },
  { millimeter: 0.001, centimeter: 0.01, meter: 1, kilometer: 1_000 },
  { milliliter: 0.001, liter: 1 },
  { byte: 1, kilobyte: 1_000, megabyte: 1_000_000, gigabyte: 1_000_000_000 },
  { percent: 0.01, whole: 1 }
];

const factorsOfUnit = (unit: string): ReadonlyArray<number> =>
  DIMENSIONS.flatMap((sizes) => {
    const size = sizes[unit];
    return size === undefined ? [] : Object.values(sizes).map((other) => size / other);
  });

const units = readingsOf(UNIT_FORMS, (unit) => unit);

const TIME_UNITS: ReadonlySet<string> = new Set(["millisecond", "second", "minute", "hour", "day", "week"]);

/** Persian adds a hamza to a month before its year. */
const formOf = (word: string): string =>
  word
    .normalize("NFC")
    .toLowerCase()
    .replace(/(?:\.|\u0654)$/u, "");

/** Month numbers that a word can mean, 1 for January; empty if none. */
export const monthsNamed = (word: string): ReadonlyArray<number> => months.get(formOf(word)) ?? [];

/** Factors that convert a number before the word into the base unit, or apply its power of ten. */
export const factorsOf = (word: string): ReadonlyArray<number> => {
  const form = formOf(word);
  return [...(scales.get(form) ?? []), ...(units.get(form) ?? []).flatMap(factorsOfUnit)];
};

export const isTimeUnit = (word: string): boolean =>
  (units.get(formOf(word)) ?? []).some((unit) => TIME_UNITS.has(unit));
