/** The keyword `multipleOf` on decimals as written: in binary fractions, 8.1 is not a multiple of 0.1. */
import { type FuncKeywordDefinition, str } from "ajv";

/** A number as digits and a power of ten. */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

/** Parses the shortest representation of the number (ECMA-262, Number::toString): `-1.5e-7` is -15 and -8. */
const decimalOf = (value: number): Decimal => {
  const [significand = "0", exponent = "0"] = String(value).split("e");
  const [whole = "0", fraction = ""] = significand.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
};

/** Both have at most 17 digits and 325 decimal places, so no number takes long. */
const isMultiple = (step: number, value: number): boolean => {
  if (!Number.isFinite(value) || !(step > 0)) return false;
  if (Number.isSafeInteger(step) && Number.isSafeInteger(value)) return value % step === 0;
  const [one, other] = [decimalOf(value), decimalOf(step)];
  const least = Math.min(one.exponent, other.exponent);
  const scaled = ({ digits, exponent }: Decimal): bigint => digits * 10n ** BigInt(exponent - least);
  return scaled(one) % scaled(other) === 0n;
};

export const multipleOf: FuncKeywordDefinition = {
  keyword: "multipleOf",
  type: "number",
  schemaType: "number",
  error: { message: ({ schemaCode }) => str`must be multiple of ${schemaCode}` },
  validate: isMultiple
};
