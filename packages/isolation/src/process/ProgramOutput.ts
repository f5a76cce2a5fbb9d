/** Parses JSON printed by programs, without assumptions about its shape. */
import { parseJsonIds } from "@winnow/core/domain/text/JsonNumbers";

export type OutputRecord = Readonly<Record<string, unknown>>;

/** Python writes NaN and Infinity into JSON; strings, such as `"NaN \" NaN"`, are matched so that they are skipped. */
const NO_NUMBERS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?Infinity|NaN/gsu;

/** JSON as written by Python, with null for numbers that JSON does not have; undefined if invalid. */
export const readJson = (text: string): unknown => {
  const inPlain = (): string => text.replace(NO_NUMBERS, (found) => (found.startsWith('"') ? found : "null"));
  for (const written of [() => text, inPlain]) {
    try {
      return parseJsonIds(written());
    } catch {
      continue;
    }
  }
  return undefined;
};
