/**
 * The main text of a page: a model scores each block, and those above the page's threshold are selected. Linear
 * in the page; measured by bench/page-text.ts, trained by bench/train-page-text.ts.
 */
import type { PageScan } from "../../tree/PageScan.ts";
import { tidyLines } from "../../tree/PlainText.ts";
import { type Block, BLOCKS_MAX, type PageBlocks, type Region } from "./Blocks.ts";
import { withoutCopies } from "./Copies.ts";
import { withFactLists } from "./FactLists.ts";
import { withNotes } from "./NoteBlocks.ts";
import { withoutAdditions } from "./ReaderAdditions.ts";
import { blockFeatures } from "./BlockFeatures.ts";
import { blockWords } from "./BlockWords.ts";
import { predict } from "./Forest.ts";
import { type BlockModel, modelRows } from "./Model.ts";
import { isAmount } from "./TextShape.ts";
import { expectedF1 } from "./TextConfidence.ts";
import { completeStructures } from "./WholeStructure.ts";

/** The threshold relative to the median probability of the blocks that the page is expected to keep. */
const RELATIVE_CHANCE = 0.45;
/** Bounds of the threshold, however confident the model is about the page. */
const CHANCE_MAX = 0.45;
const CHANCE_MIN = 0.1;
/**
 * A page without a block of at least this probability has no main text: it is a shell, an error page or a login
 * wall.
 */
const LIKELIEST_MIN = 0.2;

/** Maximum steps over elements around blocks; the deepest real pages take a tenth of this. */
const STEPS_MAX = 1_000_000;

/** The time for features grows with depth and number of blocks; pages beyond this use the noise filter. */
export const isWithinModelLimits = ({ blocks }: PageBlocks): boolean => {
  if (blocks.length >= BLOCKS_MAX) return false;
  let steps = 0;
  for (const { leaf } of blocks) steps += leaf.depth;
  return steps <= STEPS_MAX;
};

/** What a page has besides its blocks; `url` is its URL. */
export interface PageSource {
  readonly scan: PageScan;
  readonly url: string;
}

/** The probability of each block, judged on its own. */
export const blockChances = (
  page: PageBlocks,
  { scan, url }: PageSource,
  { forest, words }: BlockModel
): Float32Array => predict(forest, modelRows(blockFeatures(page, scan, url), blockWords(page, url), words));

/** How many blocks on either side are taken into account, and their weight. */
const NEIGHBOURS = 3;
const NEIGHBOURS_SHARE = 0.3;

/**
 * Blocks surrounded by main text are more likely main text too: the geometric mean with the surrounding blocks,
 * weighted by text and including the block itself, so that clear noise remains noise.
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

/** Confidence differs by type of page: articles stand out, product lists do not. */
const chanceNeeded = (blocks: ReadonlyArray<Block>, chances: Float32Array): number => {
  const order = [...blocks.keys()].sort((a, b) => (chances[b] ?? 0) - (chances[a] ?? 0));
  const massOf = (index: number): number => (chances[index] ?? 0) * (blocks[index]?.chars ?? 0);
  const half = order.reduce((sum, index) => sum + massOf(index), 0) / 2;
  let mass = 0;
  const middle = order.find((index) => (mass += massOf(index)) >= half);
  const chance = middle === undefined ? 1 : (chances[middle] ?? 1);
  return Math.min(CHANCE_MAX, Math.max(CHANCE_MIN, RELATIVE_CHANCE * chance));
};

const itemOf = ({ box }: Block): Region | null => {
  let item: Region | null = box;
  while (item !== null && item.element.name !== "li") item = item.parent;
  return item;
};

/** An amount and what it is an amount of, in one list item. */
const isAmountOf = (amount: Block, block: Block): boolean => {
  const item = isAmount(amount.text) ? itemOf(amount) : null;
  return item !== null && item === itemOf(block);
};

/** One block per line; the cells of a row, the parts of a box, and amounts and their things stay on one line. */
export const joinBlocks = (blocks: ReadonlyArray<Block>): string => {
  const parts: Array<string> = [];
  let last: Block | null = null;
  for (const block of blocks) {
    if (block.shown === "") continue;
    const sameRow =
      last !== null &&
      (last.box === block.box ||
        isAmountOf(last, block) ||
        (/^t[dh]$/.test(block.box.element.name) && last.box.parent === block.box.parent));
    parts.push(last === null ? "" : sameRow ? " " : "\n", block.shown);
    last = block;
  }
  return tidyLines(parts.join(""));
};

/** A page with less text than this is taken completely if nothing is selected. */
const SMALL_CHARS_MAX = 250;

export interface MainText {
  /** The selected blocks, in order. */
  readonly blocks: ReadonlyArray<Block>;
  /** Expected F1 of these blocks, see TextConfidence. */
  readonly expectedF1: number;
}

/** `judged`: the probability of each block, judged on its own. */
export const mainText = (page: PageBlocks, judged: Float32Array, { scan, url }: PageSource): MainText => {
  const around = amongNeighbours(page.blocks, judged);
  const chances = withoutCopies(page.blocks, around);
  const needed = chanceNeeded(page.blocks, chances);
  const hasText = chances.some((chance) => chance >= LIKELIEST_MIN);
  const likely = hasText ? page.blocks.filter((_, index) => (chances[index] ?? 0) >= needed) : [];
  const chosen = withoutAdditions(likely, scan, url);
  const listed = withFactLists(page.blocks, chosen, scan);
  const completed = completeStructures(page.blocks, listed, { chances: around, needed });
  const noted = withNotes(page.blocks, completed, page.body.element);
  const blocks = noted.length === 0 && page.body.chars < SMALL_CHARS_MAX ? page.blocks : noted;
  return { blocks, expectedF1: expectedF1(page, chances, blocks) };
};
