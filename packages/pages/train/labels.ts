/**
 * Which blocks of a page are in its ground truth: both are aligned as word sequences, first by sequences that
 * occur once in each, then between them by shorter ones, then out of order for the rest.
 */
import { wordsOf } from "../bench/page-text/measures.ts";

interface Span {
  readonly a: number;
  readonly aEnd: number;
  readonly b: number;
  readonly bEnd: number;
}

const runsOnce = (
  words: ReadonlyArray<string>,
  from: number,
  to: number,
  size: number
): Map<string, number> => {
  const found = new Map<string, number>();
  for (let index = from; index + size <= to; index += 1) {
    const key = words.slice(index, index + size).join(" ");
    found.set(key, found.has(key) ? -1 : index);
  }
  return found;
};

/** Longest increasing subsequence of `b` over pairs ordered by `a`. */
const increasing = (
  pairs: ReadonlyArray<readonly [number, number]>
): ReadonlyArray<readonly [number, number]> => {
  const tails: Array<number> = [];
  const before: Array<number> = [];
  pairs.forEach(([, b], index) => {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[tails[middle] as number]?.[1] ?? 0) < b) low = middle + 1;
      else high = middle;
    }
    before[index] = low > 0 ? (tails[low - 1] as number) : -1;
    tails[low] = index;
  });
  const chosen: Array<readonly [number, number]> = [];
  for (let index = tails.at(-1) ?? -1; index >= 0; index = before[index] as number)
    chosen.push(pairs[index] as readonly [number, number]);
  return chosen.toReversed();
};

const align = (
  a: ReadonlyArray<string>,
  b: ReadonlyArray<string>,
  { a: from, aEnd: to, b: bFrom, bEnd: bTo }: Span,
  size: number,
  matched: Int32Array
): void => {
  if (from >= to || bFrom >= bTo) return;
  while (from < to && bFrom < bTo && a[from] === b[bFrom]) matched[from++] = bFrom++;
  while (from < to && bFrom < bTo && a[to - 1] === b[bTo - 1]) matched[--to] = --bTo;
  if (from >= to || bFrom >= bTo || size === 0) return;
  const inB = runsOnce(b, bFrom, bTo, size);
  const pairs: Array<readonly [number, number]> = [];
  for (const [key, index] of runsOnce(a, from, to, size)) {
    const other = inB.get(key);
    if (index >= 0 && other !== undefined && other >= 0) pairs.push([index, other]);
  }
  pairs.sort((x, y) => x[0] - y[0]);
  const anchors = increasing(pairs);
  const next = size > 3 ? 3 : size > 2 ? 2 : size - 1;
  let [atA, atB] = [from, bFrom];
  for (const [x, y] of anchors) {
    if (x < atA || y < atB) continue;
    align(a, b, { a: atA, aEnd: x, b: atB, bEnd: y }, next, matched);
    let length = 0;
    while (length < size) {
      matched[x + length] = y + length;
      length += 1;
    }
    [atA, atB] = [x + length, y + length];
  }
  align(a, b, { a: atA, aEnd: to, b: atB, bEnd: bTo }, next, matched);
};

/** Share of the words of each text that are in the ground truth, in order; 0 for texts without words. */
export const keptShares = (texts: ReadonlyArray<string>, truth: string): Float32Array => {
  const words: Array<string> = [];
  const starts: Array<number> = [];
  for (const text of texts) {
    starts.push(words.length);
    words.push(...wordsOf(text));
  }
  starts.push(words.length);
  const wanted = wordsOf(truth);
  const matched = new Int32Array(words.length).fill(-1);
  align(words, wanted, { a: 0, aEnd: words.length, b: 0, bEnd: wanted.length }, 5, matched);
  const left = new Map<string, number>();
  for (const word of wanted) left.set(word, (left.get(word) ?? 0) + 1);
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] as string;
    if ((matched[index] as number) >= 0) left.set(word, (left.get(word) ?? 0) - 1);
  }
  return Float32Array.from(texts, (_, index) => {
    const [from, to] = [starts[index] as number, starts[index + 1] as number];
    if (from === to) return 0;
    let kept = 0;
    for (let at = from; at < to; at += 1) if ((matched[at] as number) >= 0) kept += 1;
    if (kept >= 0.3 * (to - from) || to - from < 6) return kept / (to - from);
    // Out of order: nearly all of its words must still be unmatched in the ground truth.
    const own = new Map<string, number>();
    for (let at = from; at < to; at += 1)
      own.set(words[at] as string, (own.get(words[at] as string) ?? 0) + 1);
    let could = 0;
    for (const [word, times] of own) could += Math.min(times, Math.max(0, left.get(word) ?? 0));
    if (could < 0.9 * (to - from)) return kept / (to - from);
    for (const [word, times] of own) left.set(word, (left.get(word) ?? 0) - times);
    return could / (to - from);
  });
};
