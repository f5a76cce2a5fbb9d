/**
 * Numbers, sizes, lengths and times, in the reader's locale.
 */
import { locale } from "./words.ts";

const SECOND_MS = 1_000;
const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;
const BYTE_UNITS = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;
const BYTES_PER_UNIT = 1_000;

export const number = (value: number): string => value.toLocaleString(locale);

export const signed = (value: number): string => value.toLocaleString(locale, { signDisplay: "exceptZero" });

const CREDITS_PER_USD = 10_000;

export const usd = (credits: number): string =>
  (credits / CREDITS_PER_USD).toLocaleString(locale, {
    style: "currency",
    currency: "USD",
    maximumFractionDigits: 4
  });

export const cents = (value: number): string =>
  (value / 100).toLocaleString(locale, { style: "currency", currency: "USD" });

/** `German` for `de`; the tag itself where nobody has a name for it. */
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
    // The short form of "bytes" is "byte", whatever the number.
    unitDisplay: unit === 0 ? "long" : "short",
    maximumFractionDigits: unit < 2 ? 0 : 1
  });
};

/** `1:02:03`, `4:05`: the way players write it. */
export const clock = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(seconds));
  const hours = Math.floor(whole / HOUR_SECONDS);
  const minutes = Math.floor((whole % HOUR_SECONDS) / MINUTE_SECONDS);
  const rest = String(whole % MINUTE_SECONDS).padStart(2, "0");
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
};

/** `4 minutes 5 seconds` for those who hear it, `4:05` for the others. */
export const spokenClock = (seconds: number): string => {
  const minutes = Math.floor(seconds / MINUTE_SECONDS);
  const unit = (value: number, name: string) =>
    value.toLocaleString(locale, { style: "unit", unit: name, unitDisplay: "long" });
  const rest = unit(Math.floor(seconds % MINUTE_SECONDS), "second");
  return minutes === 0 ? rest : `${unit(minutes, "minute")} ${rest}`;
};

export const milliseconds = (value: number): string =>
  value < SECOND_MS
    ? value.toLocaleString(locale, { style: "unit", unit: "millisecond", maximumFractionDigits: 0 })
    : (value / SECOND_MS).toLocaleString(locale, { style: "unit", unit: "second", maximumFractionDigits: 1 });

export const fullDate = (iso: string): string =>
  new Date(iso).toLocaleString(locale, { dateStyle: "medium", timeStyle: "medium" });

export const day = (iso: string): string =>
  new Date(iso).toLocaleDateString(locale, { dateStyle: "medium", timeZone: "UTC" });

export const ago = (iso: string, nowMs: number): string => {
  const seconds = (Date.parse(iso) - nowMs) / SECOND_MS;
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
