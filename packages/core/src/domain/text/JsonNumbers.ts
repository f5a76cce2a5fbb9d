/**
 * Numbers of JSON texts that a double does not hold as they are written: integers beyond 2^53, decimals with many
 * digits. Loads nothing, as Json.ts.
 */

/** Sign, whole part, fraction and exponent: `-12.50e3` has `-`, `12`, `50` and `3`. */
const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/u;

/** The same for equal numbers, such as `125e-1` for "12.50" and "1.25e1": digits without zeros around them, power of ten. */
const decimalOf = (written: string): string => {
  const [, sign, whole = "", fraction = "", exponent = "0"] = NUMBER.exec(written) ?? [];
  const digits = whole + fraction;
  let end = digits.length;
  while (digits[end - 1] === "0") end -= 1;
  const significant = digits.slice(0, end).replace(/^0+/u, "");
  const power = Number(exponent) - fraction.length + digits.length - end;
  return significant === "" ? "0" : `${sign === "-" ? "-" : ""}${significant}e${power}`;
};

/** Whether the double nearest to a decimal number is written with the same value; false for Infinity. */
export const isExactNumber = (written: string): boolean => {
  const value = Number(written);
  return Number.isFinite(value) && decimalOf(written) === decimalOf(String(value));
};

/** What `JSON.parse` calls for every value, members before their owner; `source` is the text of a number. */
type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;

/** A number of a schema's `const` or `enum` that a double would change; null if there is none. */
export const roundedChoiceIn = (json: string): string | null => {
  let found: string | null = null;
  const rounded = new Map<unknown, string>();
  const reviver: Reviver = (key, value, { source }) => {
    const isRounded = typeof value === "number" && source !== undefined && !isExactNumber(source);
    const read = isRounded ? Symbol(source) : value;
    if (isRounded) rounded.set(read, source);
    if (key === "const" || key === "enum")
      found ??= [read].flat().flatMap((choice) => rounded.get(choice) ?? [])[0] ?? null;
    return read;
  };
  JSON.parse(json, reviver as (key: string, value: unknown) => unknown);
  return found;
};

/** `JSON.parse`, where `read` is given every number whose text is not how JavaScript writes it. */
export const parseJsonNumbers = (text: string, read: (written: string) => unknown): unknown => {
  const reviver: Reviver = (_key, value, { source }) =>
    typeof value !== "number" || source === undefined || source === String(value) ? value : read(source);
  return JSON.parse(text, reviver as (key: string, value: unknown) => unknown);
};

/** A value of that many digits, or what looks like one within a text: reading all numbers takes ten times as long. */
const LONG_INTEGER = /[:,[]\s{0,9}-?\d{16}/u;

/** `JSON.parse`, where an integer that a double does not hold, which is an identifier, becomes the text of its digits. */
export const parseJsonIds = (text: string): unknown =>
  LONG_INTEGER.test(text)
    ? parseJsonNumbers(text, (written) =>
        /^-?\d+$/u.test(written) && !isExactNumber(written) ? written : Number(written)
      )
    : JSON.parse(text);
