/**
 * Estimates the quality of a page's text: its word F1 against what people consider the main text. The model's
 * own expectation, corrected by results on pages it had not seen (bench/train-page-text.ts).
 */
import type { Block, PageBlocks } from "./Blocks.ts";

/** What the model expects of the selected blocks: twice the shared text divided by the sum of both texts. */
export const expectedF1 = (
  { blocks }: PageBlocks,
  chances: Float32Array,
  kept: ReadonlyArray<Block>
): number => {
  const keptBlocks = new Set(kept);
  let keptChars = 0;
  let sharedChars = 0;
  let wantedChars = 0;
  blocks.forEach((block, index) => {
    const expectedChars = block.chars * (chances[index] ?? 0);
    wantedChars += expectedChars;
    if (!keptBlocks.has(block)) return;
    keptChars += block.chars;
    sharedChars += expectedChars;
  });
  return keptChars === 0 ? 0 : (2 * sharedChars) / (keptChars + wantedChars);
};

/**
 * Expected and measured values, both increasing, with linear interpolation. Averages of ten equal groups of
 * 1,346 pages, each read by a model that had not seen its site.
 */
const MEASURED: ReadonlyArray<readonly [expected: number, measured: number]> = [
  [0, 0],
  [0.45, 0.59],
  [0.77, 0.73],
  [0.86, 0.824],
  [0.908, 0.874],
  [0.939, 0.92],
  [0.959, 0.949],
  [0.971, 0.966],
  [0.984, 0.986],
  [1, 0.995]
];

/** 0 to 1; `expected` as in {@link expectedF1}. */
export const textConfidence = (expected: number): number => {
  const next = MEASURED.findIndex(([point]) => point >= expected);
  const [x2, y2] = MEASURED[next] ?? [1, 1];
  const [x1, y1] = MEASURED[next - 1] ?? [0, 0];
  const value = x2 === x1 ? y2 : y1 + ((y2 - y1) * (expected - x1)) / (x2 - x1);
  return Math.max(0, Math.min(1, value));
};
