/**
 * Numbers, durations and times of the first screen in the reader's locale; `measures.ts` has those of the others.
 */

/** BCP 47: the reader's own English, such as `en-GB`, for dates and numbers. */
export const locale = globalThis.navigator?.languages?.find((each) => each.split("-")[0] === "en") ?? "en";

const SECOND_MS = 1_000;
const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;

export const number = (value: number): string => value.toLocaleString(locale);

/** `1:02:03`, `4:05`, as in players. */
export const clock = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(seconds));
  const hours = Math.floor(whole / HOUR_SECONDS);
  const minutes = Math.floor((whole % HOUR_SECONDS) / MINUTE_SECONDS);
  const rest = String(whole % MINUTE_SECONDS).padStart(2, "0");
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
};

export const fullDate = (iso: string): string =>
  new Date(iso).toLocaleString(locale, { dateStyle: "medium", timeStyle: "medium" });

/** `16:02`. */
export const timeOfDay = (unixMs: number): string =>
  new Date(unixMs).toLocaleTimeString(locale, { timeStyle: "short" });

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
