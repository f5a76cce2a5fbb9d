/** JSON that programs print, before anything is known of its shape. */

export type OutputRecord = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is OutputRecord =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Python writes numbers that are none into its JSON; strings are matched to be passed over. */
const NO_NUMBERS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?Infinity|NaN/gsu;

/** JSON as Python writes it, with null for what is not a number; undefined when it is none. */
export const readJson = (text: string): unknown => {
  const inPlain = (): string => text.replace(NO_NUMBERS, (found) => (found.startsWith('"') ? found : "null"));
  for (const written of [() => text, inPlain]) {
    try {
      return JSON.parse(written());
    } catch {
      continue;
    }
  }
  return undefined;
};
