/**
 * Drops copies of texts: in a menu or teaser of what the main text says, and those that pages have for small and
 * large screens or as a preview of expandable content. What the main text itself repeats, such as a chorus or the
 * question of an interview, stays.
 */
import { nameWords } from "../../tree/NoiseRules.ts";
import type { Block, Region } from "./Blocks.ts";

/** Shorter texts, such as prices and labels, are repeated for different things. */
const COPY_CHARS_MIN = 25;

/** Names of elements that are shown instead of others with the same text. */
const INSTEAD =
  /(?:^|[\s_:-])(?:mobile|desktop|tablet|phone|small|large|xs|sm|md|lg|xl|hidden|hide|visible|show|clon(?:e|ed)|duplicate|preview|excerpt|summary|teaser|short|full|more|less|collaps(?:e|ed|ible)|expand(?:ed|able)?|truncated?|sticky|print|pull-?quote|d-none)(?:[\s_:-]|$)/i;

const isCode = ({ box }: Block): boolean => box.element.name === "pre";

/** The regions around two blocks below what both are in, from the inside. */
const apart = (one: Block, other: Block): readonly [ReadonlyArray<Region>, ReadonlyArray<Region>] => {
  const [mine, others]: [Array<Region>, Array<Region>] = [[], []];
  let [a, b]: [Region | null, Region | null] = [one.leaf, other.leaf];
  while (a !== b) {
    if (a !== null && (b === null || a.depth >= b.depth)) {
      mine.push(a);
      a = a.parent;
    } else if (b !== null) {
      others.push(b);
      b = b.parent;
    }
  }
  return [mine, others];
};

/** Whether the markup of both is alike, and neither is there instead of the other. */
const isRepetition = (one: Block, other: Block): boolean => {
  const [mine, others] = apart(one, other);
  return (
    mine.length === others.length &&
    mine.every(({ element }, index) => element.name === others[index]?.element.name) &&
    ![...mine, ...others].some(({ element }) => INSTEAD.test(nameWords(element)))
  );
};

/**
 * The probabilities of blocks; of copies of one text, only the most probable one and its repetitions keep their
 * probability.
 */
export const withoutCopies = (blocks: ReadonlyArray<Block>, chances: Float32Array): Float32Array => {
  const once = chances.slice();
  const chanceOf = (index: number): number => chances[index] ?? 0;
  const copies = Map.groupBy(blocks.keys(), (index) => {
    const block = blocks[index];
    return block === undefined || block.chars < COPY_CHARS_MIN || isCode(block) ? null : block.text;
  });
  for (const [text, indexes] of copies) {
    if (text === null || indexes.length < 2) continue;
    const best = indexes.reduce((most, index) => (chanceOf(index) > chanceOf(most) ? index : most));
    for (const index of indexes)
      if (index !== best && !isRepetition(blocks[best] as Block, blocks[index] as Block)) once[index] = 0;
  }
  return once;
};
