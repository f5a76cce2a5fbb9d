/** The measures of the WCXB benchmark, and the loader of its pages. */
import { readFileSync } from "node:fs";
import { constants, zstdDecompressSync } from "node:zlib";

/** One line of a data set. Body, title, author, date and Markdown are the ground truth. */
export interface Page {
  readonly id: string;
  readonly url: string | null;
  readonly type: string;
  readonly html: string;
  readonly body: string;
  readonly title: string | null;
  readonly author: string | null;
  readonly date: string | null;
  readonly markdown?: string | null;
}

/** Of a file of JSON lines, compressed with zstd. */
export const loadPages = (path: string): ReadonlyArray<Page> =>
  zstdDecompressSync(readFileSync(path), {
    params: { [constants.ZSTD_d_windowLogMax]: 27 },
    maxOutputLength: 2 ** 31
  })
    .toString()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

export const wordsOf = (text: string): ReadonlyArray<string> =>
  text.toLowerCase().match(/[\p{L}\p{N}_\p{M}]+/gu) ?? [];

export const tally = (words: ReadonlyArray<string>): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
};

/** F1 over the bag of words. */
export const wordF1 = (found: string, truth: string): number => {
  const [a, b] = [wordsOf(found), wordsOf(truth)];
  if (a.length === 0 || b.length === 0) return a.length === b.length ? 1 : 0;
  const counts = tally(b);
  let shared = 0;
  for (const [word, times] of tally(a)) shared += Math.min(times, counts.get(word) ?? 0);
  return shared === 0 ? 0 : (2 * shared) / (a.length + b.length);
};

export const mean = (values: ReadonlyArray<number>): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

/** Half the width of the 95 % interval of a mean. */
export const interval = (values: ReadonlyArray<number>): number => {
  const centre = mean(values);
  return 1.96 * Math.sqrt(mean(values.map((value) => (value - centre) ** 2)) / Math.max(1, values.length));
};
