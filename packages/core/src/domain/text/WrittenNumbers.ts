/** Numbers in digits as people write them: `1,234.5`, `1.234,5`, `1 234,5`, `1'234`. Pure. */

const GROUPED = String.raw`[1-9]\d{0,2}(?<group>[.,'’ \u00a0\u202f\u2009])\d{3}(?:\k<group>\d{3})*`;

const WHOLE = new RegExp(`^(?:\\d+|${GROUPED})$`, "u");
const WITH_FRACTION = /^(?<whole>\d+)[.,](?<fraction>\d+)$/u;
const GROUPED_WITH_FRACTION = new RegExp(`^(?<whole>${GROUPED})(?!\\k<group>)[.,](?<fraction>\\d+)$`, "u");

/**
 * All that digits without a sign can mean, in JSON's notation: `1,234` is 1234 or 1.234, the more usual first. None if
 * it is not one number, such as a date.
 */
export const numberReadings = (written: string): ReadonlyArray<string> => {
  const whole = WHOLE.test(written) ? [written.replaceAll(/\D/gu, "")] : [];
  const parts = (WITH_FRACTION.exec(written) ?? GROUPED_WITH_FRACTION.exec(written))?.groups;
  return parts === undefined
    ? whole
    : [...whole, `${parts["whole"]?.replaceAll(/\D/gu, "")}.${parts["fraction"]}`];
};
