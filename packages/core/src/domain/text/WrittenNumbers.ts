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

const IN_DATA = /^\s*\p{Sc}?\s*(\d{1,15}(?:\.\d{1,6})?|\d{1,3}(?:[,\s]\d{3})+(?:\.\d{1,6})?)\s*$/u;

/** As data is written, `1299.5` or `$1,299.50`; null for anything else, such as `1.299,50`. */
export const amountOf = (written: string): number | null => {
  const digits = IN_DATA.exec(written)?.[1];
  return digits === undefined ? null : Number(digits.replaceAll(/[,\s]/gu, ""));
};

/** A number, or text that is one, if it is whole and not negative; null for anything else. */
export const countOf = (value: unknown): number | null => {
  const number = typeof value === "string" ? amountOf(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) && number >= 0 ? number : null;
};
