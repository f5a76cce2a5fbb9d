/** Numbers, money, sizes, durations, dates and language names in the reader's locale. */
import { clockText } from "@winnow/client/clock";

/** BCP 47: the reader's own English, such as `en-GB`, for dates and numbers. */
export const locale = globalThis.navigator?.languages?.find((each) => each.split("-")[0] === "en") ?? "en";

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3_600;
export const DAY_SECONDS = 86_400;

export const number = (value: number): string => value.toLocaleString(locale);

/** `1:02:03`, `4:05`, as in players. */
export const clock = (seconds: number): string => clockText(Math.max(0, Math.floor(seconds)));

export const fullDate = (iso: string): string =>
  new Date(iso).toLocaleString(locale, { dateStyle: "medium", timeStyle: "medium" });

/** `16:02`. */
export const timeOfDay = (unixMs: number): string =>
  new Date(unixMs).toLocaleTimeString(locale, { timeStyle: "short" });

/** A time slightly in the future is now, because this clock and the server's may differ. */
export const ago = (iso: string, nowMs: number): string => {
  const ahead = (Date.parse(iso) - nowMs) / 1_000;
  const seconds = ahead > 0 && ahead < MINUTE_SECONDS ? 0 : ahead;
  const distance = Math.abs(seconds);
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto", style: "short" });
  const within = (unitSeconds: number, unit: Intl.RelativeTimeFormatUnit) =>
    relative.format(Math.trunc(seconds / unitSeconds), unit);
  if (distance < MINUTE_SECONDS) return within(1, "second");
  if (distance < HOUR_SECONDS) return within(MINUTE_SECONDS, "minute");
  if (distance < DAY_SECONDS) return within(HOUR_SECONDS, "hour");
  if (distance < 7 * DAY_SECONDS) return within(DAY_SECONDS, "day");
  return new Date(iso).toLocaleDateString(locale, { dateStyle: "medium" });
};

const BYTE_UNITS = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;
const BYTES_PER_UNIT = 1_000;

/** With the minus sign of typography, which is as wide as the plus. */
export const signed = (value: number): string =>
  value.toLocaleString(locale, { signDisplay: "exceptZero" }).replace("-", "−");

export const CREDITS_PER_USD = 10_000;

export const usd = (credits: number): string =>
  (credits / CREDITS_PER_USD).toLocaleString(locale, {
    style: "currency",
    currency: "USD",
    maximumFractionDigits: 4
  });

export const cents = (value: number): string =>
  (value / 100).toLocaleString(locale, { style: "currency", currency: "USD" });

/** `German` for `de`; the tag itself if it has no name. */
export const languageName = (tag: string): string => {
  try {
    return new Intl.DisplayNames(locale, { type: "language" }).of(tag) ?? tag;
  } catch {
    return tag;
  }
};

export const size = (bytes: number): string => {
  let value = bytes;
  let unit = 0;
  while (value >= BYTES_PER_UNIT && unit < BYTE_UNITS.length - 1) {
    value /= BYTES_PER_UNIT;
    unit += 1;
  }
  return value.toLocaleString(locale, {
    style: "unit",
    unit: BYTE_UNITS[unit] ?? "byte",
    // The short form of "bytes" is "byte" for any number.
    unitDisplay: unit === 0 ? "long" : "short",
    maximumFractionDigits: unit < 2 ? 0 : 1
  });
};

/** `4 minutes 5 seconds` for screen readers, `4:05` for display. */
export const spokenClock = (seconds: number): string => {
  const minutes = Math.floor(seconds / MINUTE_SECONDS);
  const unit = (value: number, name: string) =>
    value.toLocaleString(locale, { style: "unit", unit: name, unitDisplay: "long" });
  const rest = Math.floor(seconds % MINUTE_SECONDS);
  const parts = [
    minutes === 0 ? "" : unit(minutes, "minute"),
    rest > 0 || minutes === 0 ? unit(rest, "second") : ""
  ];
  return parts.join(" ").trim();
};

export const milliseconds = (value: number): string =>
  value < 1_000
    ? value.toLocaleString(locale, { style: "unit", unit: "millisecond", maximumFractionDigits: 0 })
    : (value / 1_000).toLocaleString(locale, { style: "unit", unit: "second", maximumFractionDigits: 1 });

export const day = (iso: string): string =>
  new Date(iso).toLocaleDateString(locale, { dateStyle: "medium", timeZone: "UTC" });

/** `24 Nov, 18:05`. */
export const dayTime = (iso: string): string =>
  new Date(iso).toLocaleString(locale, {
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit"
  });

/** A date with the precision of its source, ISO 8601; a time without a zone is shown unchanged. */
export const writtenDate = ({
  value,
  precision
}: {
  readonly value: string;
  readonly precision: string;
}): string => {
  const isTime = precision === "minute" || precision === "second";
  const isZoned = /(?:Z|[+-]\d{2}:?\d{2})$/u.test(value);
  const at = new Date(isTime && !isZoned ? `${value}Z` : value);
  if (Number.isNaN(at.getTime())) return value;
  const zone = isTime && isZoned ? {} : { timeZone: "UTC" };
  if (precision === "year") return at.toLocaleDateString(locale, { year: "numeric", ...zone });
  if (precision === "month")
    return at.toLocaleDateString(locale, { year: "numeric", month: "long", ...zone });
  if (!isTime) return at.toLocaleDateString(locale, { dateStyle: "medium", ...zone });
  const timeStyle = precision === "minute" ? "short" : "medium";
  return at.toLocaleString(locale, { dateStyle: "medium", timeStyle, ...zone });
};
