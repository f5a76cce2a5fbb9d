/**
 * The main text of a page: a model scores each block, and those above the page's threshold are selected, without
 * copies, with the notes they refer to, and with an estimate of how good the selection is. {@link mainText}, at the end,
 * has the order of these steps. Linear in the page; measured by bench/page-text.ts, trained by train/train-page-text.ts.
 */
import { nameWords } from "../../parse/NoiseRules.ts";
import { type Block, BLOCKS_MAX, charsOfAll, type PageBlocks, type Region, regionsOf } from "./Blocks.ts";
import type { PageElement } from "../../parse/PageTree.ts";
import { NOTE_CHARS_MAX, NoteLinks } from "../../parse/NoteLinks.ts";
import type { PageScan } from "../../parse/PageScan.ts";
import { withFactLists } from "./FactLists.ts";
import { withPassedOver } from "./PassedOver.ts";
import { withoutAdditions } from "./ReaderAdditions.ts";
import { blockFeatures } from "./BlockFeatures.ts";
import { blockWords } from "./BlockWords.ts";
import { type BlockModel, modelRows, predict } from "./Model.ts";
import { completeStructures } from "./WholeStructure.ts";

// Copies of texts are dropped: in a menu or teaser of what the main text says, and those that pages have for small and
// large screens or as a preview of expandable content. What the main text itself repeats, such as a chorus or the
// question of an interview, stays.

/** Shorter texts, such as prices and labels, are repeated for different things. */
const COPY_CHARS_MIN = 25;

/** Names of elements that are shown instead of others with the same text: "hidden-xs", "post-excerpt". */
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
const withoutCopies = (blocks: ReadonlyArray<Block>, chances: Float32Array): Float32Array => {
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

/** With more text in the notes, relative to the selected text, they are the references of a paper. */
const NOTES_SHARE_MAX = 0.2;

/** The links that selected blocks contain. */
const linksIn = (kept: ReadonlyArray<Block>): ReadonlySet<PageElement> => {
  const links = new Set<PageElement>();
  for (const { box, places } of kept)
    for (const { element } of places)
      for (let each: PageElement | null = element; each !== null && each !== box.element; each = each.parent)
        if (each.name === "a") links.add(each);
  return links;
};

/** Adds the notes that selected text refers to, which are often far from it and in small print. */
const withNotes = (
  blocks: ReadonlyArray<Block>,
  kept: ReadonlyArray<Block>,
  body: PageElement
): ReadonlyArray<Block> => {
  const links = new NoteLinks(body);
  const notes = new Map<PageElement, Array<Block>>();
  for (const link of linksIn(kept)) {
    const note = links.noteOf(link);
    if (note !== null) notes.set(note, []);
  }
  if (notes.size === 0) return kept;
  const all = new Set(kept);
  for (const block of blocks) {
    if (all.has(block)) continue;
    for (const region of regionsOf(block)) {
      if (region.chars <= NOTE_CHARS_MAX) notes.get(region.element)?.push(block);
    }
  }
  const added = [...notes.values()].flat();
  if (charsOfAll(added) > NOTES_SHARE_MAX * charsOfAll(kept)) return kept;
  for (const block of added) all.add(block);
  return blocks.filter((block) => all.has(block));
};

// The quality of a page's text is estimated: its word F1 against what people consider the main text. The model's
// own expectation, corrected by results on pages it had not seen (train/train-page-text.ts).

/** What the model expects of the selected blocks: twice the shared text divided by the sum of both texts. */
const expectedF1 = ({ blocks }: PageBlocks, chances: Float32Array, kept: ReadonlyArray<Block>): number => {
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
interface ScannedPage {
  readonly scan: PageScan;
  readonly url: string;
}

/** The probability of each block, judged on its own. */
export const blockChances = (
  page: PageBlocks,
  { scan, url }: ScannedPage,
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

/** A page with less text than this is taken completely if nothing is selected. */
const SMALL_CHARS_MAX = 250;

interface MainText {
  /** The selected blocks, in order. */
  readonly blocks: ReadonlyArray<Block>;
  /** Expected F1 of these blocks, see {@link textConfidence}. */
  readonly expectedF1: number;
}

/** `judged`: the probability of each block, judged on its own. */
export const mainText = (page: PageBlocks, judged: Float32Array, { scan, url }: ScannedPage): MainText => {
  const around = amongNeighbours(page.blocks, judged);
  const chances = withoutCopies(page.blocks, around);
  const needed = chanceNeeded(page.blocks, chances);
  const hasText = chances.some((chance) => chance >= LIKELIEST_MIN);
  const likely = hasText ? page.blocks.filter((_, index) => (chances[index] ?? 0) >= needed) : [];
  const chosen = withoutAdditions(likely, scan, url);
  const listed = withFactLists(page.blocks, chosen, scan);
  const completed = completeStructures(page.blocks, listed, { chances: around, needed });
  const whole = withPassedOver(page.blocks, completed, page.body, scan);
  const noted = withNotes(page.blocks, whole, page.body.element);
  const blocks = noted.length === 0 && page.body.chars < SMALL_CHARS_MAX ? page.blocks : noted;
  return { blocks, expectedF1: expectedF1(page, chances, blocks) };
};
