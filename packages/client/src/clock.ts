/** Times within a video as people write them, `1:05` or `1:02:03.5`: `@winnow/client/clock`. */

const MS_PER_SECOND = 1_000;
const MINUTE_SECONDS = 60;

/** `h:mm:ss`, `m:ss` or seconds, each with at most three decimals. */
const CLOCK = /^(?:(?:\d{1,4}:[0-5]\d|\d{1,6}):[0-5]\d|\d{1,8})(?:\.\d{1,3})?$/u;

/** In seconds, to the millisecond; null if it is no time. */
export const readClock = (text: string): number | null => {
  const time = text.trim();
  if (!CLOCK.test(time)) return null;
  const seconds = time.split(":").reduce((sum, part) => sum * MINUTE_SECONDS + Number(part), 0);
  return Math.round(seconds * MS_PER_SECOND) / MS_PER_SECOND;
};

/** `4:05`, `1:02:03.5`: {@link readClock} gives the same seconds. */
export const clockText = (seconds: number): string => {
  const ms = Math.round(seconds * MS_PER_SECOND);
  const whole = Math.floor(ms / MS_PER_SECOND);
  const minutes = Math.floor(whole / MINUTE_SECONDS);
  const hours = Math.floor(minutes / MINUTE_SECONDS);
  const two = (value: number): string => String(value % MINUTE_SECONDS).padStart(2, "0");
  const decimals = String((ms % MS_PER_SECOND) / MS_PER_SECOND).slice(1);
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(whole)}${decimals}`;
};

/** A `range` of the API: "1:05 to 2:30", "1:05 to the end". */
export const stretchText = ({
  startSec = 0,
  endSec
}: {
  readonly startSec?: number | undefined;
  readonly endSec?: number | undefined;
}): string => `${clockText(startSec)} to ${endSec === undefined ? "the end" : clockText(endSec)}`;
