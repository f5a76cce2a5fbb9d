/** Time expressions of TTML (W3C TTML2, section 12.3.1): clock times and offsets, in frames or ticks too. */

export interface Clock {
  readonly framesPerSecond: number;
  readonly ticksPerSecond: number;
}

const FRAMES_PER_SECOND = 30;

const positive = (text: string | undefined): number | null => {
  const value = Number(text);
  return text !== undefined && Number.isFinite(value) && value > 0 ? value : null;
};

/** From the attributes of the root element. */
export const clockOf = (attributes: Readonly<Record<string, string>>): Clock => {
  const frames = positive(attributes["ttp:frameRate"]);
  const [numerator, denominator] = (attributes["ttp:frameRateMultiplier"] ?? "1 1").split(/[\s:]/u);
  const multiplier = (positive(numerator) ?? 1) / (positive(denominator) ?? 1);
  const framesPerSecond = (frames ?? FRAMES_PER_SECOND) * multiplier;
  const subFrames = positive(attributes["ttp:subFrameRate"]) ?? 1;
  return {
    framesPerSecond,
    ticksPerSecond:
      positive(attributes["ttp:tickRate"]) ?? (frames === null ? 1 : framesPerSecond * subFrames)
  };
};

const CLOCK_TIME = /^(\d{1,4}):(\d{1,2}):(\d{1,2})(?:(\.\d{1,9})|:(\d{2,4})(?:\.\d{1,4})?)?$/u;
const OFFSET = /^(\d{1,12}(?:\.\d{1,9})?)(h|m|s|ms|f|t)$/u;

const secondsPer = (unit: string, { framesPerSecond, ticksPerSecond }: Clock): number => {
  switch (unit) {
    case "h":
      return 3_600;
    case "m":
      return 60;
    case "ms":
      return 0.001;
    case "f":
      return 1 / framesPerSecond;
    case "t":
      return 1 / ticksPerSecond;
    default:
      return 1;
  }
};

/** Seconds; null if it is not a time. */
export const secondsOf = (text: string | undefined, clock: Clock): number | null => {
  const trimmed = text?.trim() ?? "";
  const time = CLOCK_TIME.exec(trimmed);
  if (time !== null) {
    const [, hours, minutes, seconds, fraction = "0", frames = "0"] = time;
    const whole = Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
    return whole + Number(fraction) + Number(frames) / clock.framesPerSecond;
  }
  const [, amount, unit] = OFFSET.exec(trimmed) ?? [];
  return amount === undefined || unit === undefined ? null : Number(amount) * secondsPer(unit, clock);
};
