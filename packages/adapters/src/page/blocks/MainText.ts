/**
 * The main text of a page: a model judges each block, and what is likely enough for this page stays. Linear in the page; measured by bench/page-text.ts, trained by bench/train-page-text.ts.
 */
import type { PageScan } from "../PageScan.ts";
import { tidyLines } from "../PlainText.ts";
import { type Block, BLOCKS_MAX, type PageBlocks } from "./Blocks.ts";
import { saidOnce } from "./Copies.ts";
import { withoutAdditions } from "./ReaderAdditions.ts";
import { blockFeatures } from "./BlockFeatures.ts";
import { blockWords } from "./BlockWords.ts";
import { predict } from "./Forest.ts";
import { type BlockModel, modelRow } from "./Model.ts";
import { expectedF1 } from "./TextConfidence.ts";
import { completeStructures } from "./WholeStructure.ts";

/** A block stays when it is this likely beside the middle one of what the page is expected to keep. */
const RELATIVE_CHANCE = 0.45;
/** Never asked for more or less than this, however sure or unsure the page. */
const CHANCE_MAX = 0.45;
const CHANCE_MIN = 0.1;
/** A page with nothing as likely as this has no main text: a shell, an error, a wall. */
const LIKELIEST_MIN = 0.2;

/** Steps over elements around blocks; the deepest real pages take a tenth. */
const STEPS_MAX = 1_000_000;

/** Features cost time by depth and number of blocks; on others than real pages the noise filter must do. */
export const isWithinModelLimits = ({ blocks }: PageBlocks): boolean => {
  if (blocks.length >= BLOCKS_MAX) return false;
  let steps = 0;
  for (const { leaf } of blocks) steps += leaf.depth;
  return steps <= STEPS_MAX;
};

/** What a page says beside its blocks; `url` is its address. */
export interface PageSource {
  readonly scan: PageScan;
  readonly url: string;
}

/** How likely each block is main text, by itself. */
export const blockChances = (
  page: PageBlocks,
  { scan, url }: PageSource,
  { forest, words }: BlockModel
): Float32Array => {
  const own = blockWords(page, url);
  return Float32Array.from(blockFeatures(page, scan, url), (features, block) =>
    predict(forest, modelRow(features, own[block] ?? [], words))
  );
};

/** Blocks on either side that a block is judged with, and how much they count. */
const NEIGHBOURS = 3;
const NEIGHBOURS_SHARE = 0.3;

/**
 * What stands amid main text is more likely some, too: the geometric mean with what is around a block by text, itself
 * included, so that what is surely noise stays noise.
 */
const amongNeighbours = (blocks: ReadonlyArray<Block>, chances: Float32Array): Float32Array =>
  chances.map((chance, index) => {
    let chars = 0;
    let mass = 0;
    const end = Math.min(blocks.length, index + NEIGHBOURS + 1);
    for (let at = Math.max(0, index - NEIGHBOURS); at < end; at += 1) {
      chars += blocks[at]?.chars ?? 0;
      mass += (blocks[at]?.chars ?? 0) * (chances[at] ?? 0);
    }
    return chance ** (1 - NEIGHBOURS_SHARE) * (mass / Math.max(1, chars)) ** NEIGHBOURS_SHARE;
  });

/** What a page is sure of differs by kind: articles stand out, lists of goods do not. */
const chanceNeeded = (blocks: ReadonlyArray<Block>, chances: Float32Array): number => {
  const order = [...blocks.keys()].sort((a, b) => (chances[b] ?? 0) - (chances[a] ?? 0));
  const massOf = (index: number): number => (chances[index] ?? 0) * (blocks[index]?.chars ?? 0);
  const half = order.reduce((sum, index) => sum + massOf(index), 0) / 2;
  let mass = 0;
  const middle = order.find((index) => (mass += massOf(index)) >= half);
  const chance = middle === undefined ? 1 : (chances[middle] ?? 1);
  return Math.min(CHANCE_MAX, Math.max(CHANCE_MIN, RELATIVE_CHANCE * chance));
};

/** One block a line; the cells of a row and the pieces of a box stay on one. */
export const joinBlocks = (blocks: ReadonlyArray<Block>): string => {
  const parts: Array<string> = [];
  let last: Block | null = null;
  for (const block of blocks) {
    const sameRow =
      last !== null &&
      (last.box === block.box ||
        (/^t[dh]$/.test(block.box.element.name) && last.box.parent === block.box.parent));
    parts.push(last === null ? "" : sameRow ? " " : "\n", block.text);
    last = block;
  }
  return tidyLines(parts.join(""));
};

/** On a page with no more text than this nothing needs to be sorted out. */
const SMALL_CHARS_MAX = 250;

export interface MainText {
  /** In order. */
  readonly blocks: ReadonlyArray<Block>;
  /** Of these blocks, as the model sees them. */
  readonly expectedF1: number;
}

/** `judged` is how likely the model finds each block by itself. */
export const mainText = (page: PageBlocks, judged: Float32Array, { scan, url }: PageSource): MainText => {
  const around = amongNeighbours(page.blocks, judged);
  const chances = saidOnce(page.blocks, around);
  const needed = chanceNeeded(page.blocks, chances);
  const hasText = chances.some((chance) => chance >= LIKELIEST_MIN);
  const likely = hasText ? page.blocks.filter((_, index) => (chances[index] ?? 0) >= needed) : [];
  const chosen = withoutAdditions(likely, scan, url);
  const completed = completeStructures(page.blocks, chosen, { chances: around, needed });
  const blocks = completed.length === 0 && page.body.chars < SMALL_CHARS_MAX ? page.blocks : completed;
  return { blocks, expectedF1: expectedF1(page, chances, blocks) };
};
