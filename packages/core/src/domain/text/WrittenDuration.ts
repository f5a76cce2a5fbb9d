/** Durations as pages, manifests and models write them: ISO 8601 with the liberties that are taken with it, and the clock. */

/** Longer texts are no duration, in characters. */
const DURATION_CHARS_MAX = 64;

const NUMBER = String.raw`(?:\d+(?:[.,]\d*)?|[.,]\d+)`;
const TIME = `T(?:(?<hours>${NUMBER})H)?(?:(?<minutes>${NUMBER})M)?(?:(?<seconds>${NUMBER})S)?`;

/** `P1DT2H30M`, `PT1.5S`; years and months, which have no fixed length, only if they are 0. */
const ISO = new RegExp(
  `^\\+?P(?:0+Y)?(?:0+M)?(?:(?<weeks>${NUMBER})W)?(?:(?<days>${NUMBER})D)?(?:${TIME})?$`,
  "iu"
);

/** Without the P in front. */
const ISO_TIME = new RegExp(`^\\+?${TIME}$`, "iu");

/** ISO 8601-1, 5.5.2.4, the alternative format: `PT01:30:00`. */
const ISO_CLOCK =
  /^\+?P(?:0000-00-(?<days>\d\d))?T(?<hours>\d\d):?(?<minutes>\d\d):?(?<seconds>\d\d(?:[.,]\d+)?)$/iu;

/** `1:02:03`, `62:03.5`. */
const CLOCK = /^(?:(?<hours>\d{1,3}):)?(?<minutes>\d{1,3}):(?<seconds>\d{2}(?:[.,]\d+)?)$/u;
const PLAIN = /^(?<seconds>\d{1,9}(?:[.,]\d+)?)$/u;

/** `3 min 30 s`, `1h 2m`. */
const UNITS = new RegExp(
  `^(?:(?<hours>${NUMBER})\\s*h(?:(?:ou)?rs?)?)?[\\s,]*(?:(?<minutes>${NUMBER})\\s*m(?:in(?:ute)?s?)?)?[\\s,]*(?:(?<seconds>${NUMBER})\\s*s(?:ec(?:ond)?s?)?)?$`,
  "iu"
);

const UNIT_SECONDS = { weeks: 604_800, days: 86_400, hours: 3_600, minutes: 60, seconds: 1 } as const;

const read = (written: string, formats: ReadonlyArray<RegExp>): number | null => {
  const text = written.trim();
  if (text.length > DURATION_CHARS_MAX || !/\d/u.test(text)) return null;
  const groups = formats.map((format) => format.exec(text)?.groups).find((found) => found !== undefined);
  if (groups === undefined) return null;
  const seconds = Object.entries(UNIT_SECONDS).reduce(
    (sum, [unit, length]) => sum + Number(groups[unit]?.replace(",", ".") ?? 0) * length,
    0
  );
  return Number.isFinite(seconds) ? seconds : null;
};

/** Seconds of an ISO 8601 duration, null for anything else and for negative ones. */
export const isoDurationSeconds = (written: string): number | null =>
  read(written, [ISO, ISO_TIME, ISO_CLOCK]);

/** Also of `h:mm:ss`, of hours, minutes and seconds, and of a plain number of seconds. */
export const writtenDurationSeconds = (written: string): number | null =>
  isoDurationSeconds(written) ?? read(written, [CLOCK, PLAIN, UNITS]);
