/**
 * Pages say things twice, for small screens and large or as a preview of what unfolds. Readers want them once, and
 * no feature can tell which copy somebody took for the right one.
 */
import type { Block } from "./Blocks.ts";

/** Shorter texts, such as prices and labels, belong to each of the things they stand beside. */
const COPY_CHARS_MIN = 25;

const isCode = ({ box }: Block): boolean => box.element.name === "pre";

/** The chances of blocks, where only the likeliest of those with the same text has one. */
export const saidOnce = (blocks: ReadonlyArray<Block>, chances: Float32Array): Float32Array => {
  const once = chances.slice();
  const best = new Map<string, number>();
  blocks.forEach((block, index) => {
    if (block.chars < COPY_CHARS_MIN || isCode(block)) return;
    const other = best.get(block.text);
    const isBest = other === undefined || (chances[index] ?? 0) > (chances[other] ?? 0);
    if (isBest) best.set(block.text, index);
    if (other !== undefined) once[isBest ? other : index] = 0;
  });
  return once;
};
