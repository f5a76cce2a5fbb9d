/**
 * Drops repeated texts, which pages have for small and large screens or as a preview of expandable content. Readers
 * want a text once, and no feature can tell which copy the ground truth contains.
 */
import type { Block } from "./Blocks.ts";

/** Shorter texts, such as prices and labels, are repeated for different things. */
const COPY_CHARS_MIN = 25;

const isCode = ({ box }: Block): boolean => box.element.name === "pre";

/**
 * The probabilities of blocks; of blocks with the same text, only the most probable one keeps its probability.
 */
export const withoutCopies = (blocks: ReadonlyArray<Block>, chances: Float32Array): Float32Array => {
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
