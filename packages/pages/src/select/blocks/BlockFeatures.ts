/**
 * The features of each block: its text, its position, repetition around it, and the type of its page. Only
 * numbers; their order is part of the model, so any change requires training it again. Retrain: train/train-page-text.ts.
 * Tests: golden.test.ts.
 */
import { mainElements } from "./NoiseFilter.ts";
import type { PageScan } from "../../parse/PageScan.ts";
import { headingLevel, type PageElement } from "../../parse/PageTree.ts";
import { folded, foldedWords } from "../../parse/PlainText.ts";
import { type Block, type PageBlocks, type Region, REPEATED_MIN, type Twins } from "./Blocks.ts";
import { ContentScores, declaredTexts, pageFeatures, share } from "./PageFeatures.ts";
import { addWordFeatures, FeatureRow, Repeats, wordKinds } from "./WordFeatures.ts";
import { KIND_COUNT } from "./NameKinds.ts";

/** Larger distances are capped at this. */
const DISTANCE_MAX = 20;
const NONE = 30;

const TAGS: ReadonlyMap<string, number> = new Map(
  [
    "p",
    "li",
    "h1",
    "h2",
    "h3",
    "h4 h5 h6",
    "td th tr table",
    "dt dd",
    "blockquote",
    "pre",
    "div",
    "section article main",
    "button label",
    "figcaption caption",
    "summary",
    "footer header nav aside"
  ].flatMap((names, index) => names.split(" ").map((name) => [name, index + 1] as const))
);

const INLINE: ReadonlyMap<string, number> = new Map(
  ["a", "span", "b strong", "i em", "time", "small", "code kbd samp"].flatMap((names, index) =>
    names.split(" ").map((name) => [name, index + 1] as const)
  )
);

/**
 * Sizes of the three regions around a block that are measured: each is the innermost one with this many characters.
 */
const REGION_CHARS: ReadonlyArray<number> = [150, 600, 2_500];

interface Signature {
  count: number;
  chars: number;
  linkChars: number;
  prose: number;
  first: number;
}

interface Context {
  readonly page: PageBlocks;
  /** Totals of all blocks with the same signature, for each block. */
  readonly alike: ReadonlyArray<Signature>;
  readonly copies: ReadonlyMap<string, number>;
  /** Repetition of texts from preceding blocks. */
  readonly repeats: Repeats;
  readonly row: FeatureRow;
  /** Elements selected by the noise filter. */
  readonly main: ReadonlySet<PageElement>;
  readonly scores: ContentScores;
  readonly pageRow: ReadonlyArray<number>;
  readonly declared: string;
  readonly titleWords: ReadonlySet<string>;
  readonly heading: string;
  readonly headingIndex: number;
  readonly proseTotal: number;
}

const signatureOf = ({ box, leaf }: Block): string =>
  `${box.parent?.signature ?? ""}>${box.signature}>${leaf.signature}`;

const contextOf = (page: PageBlocks, scan: PageScan, url: string): Context => {
  const signatures = new Map<string, Signature>();
  const copies = new Map<string, number>();
  let headingIndex = -1;
  const alike = page.blocks.map((block, index) => {
    const key = signatureOf(block);
    const known = signatures.get(key) ?? { count: 0, chars: 0, linkChars: 0, prose: 0, first: index };
    known.count += 1;
    known.chars += block.chars;
    known.linkChars += block.linkChars;
    known.prose += block.isProse ? 1 : 0;
    signatures.set(key, known);
    copies.set(block.text, (copies.get(block.text) ?? 0) + 1);
    if (headingIndex < 0 && block.box.element.name === "h1") headingIndex = index;
    return known;
  });
  const title = folded(scan.meta.get("og:title")?.[0] ?? scan.title ?? "");
  return {
    page,
    alike,
    copies,
    repeats: new Repeats(),
    row: new FeatureRow(),
    main: mainElements(page.body.element),
    scores: new ContentScores(page),
    pageRow: pageFeatures(page, scan, url),
    declared: declaredTexts(scan),
    titleWords: new Set(title.split(" ")),
    heading: folded(scan.heading ?? ""),
    headingIndex,
    proseTotal: page.body.proseChars
  };
};

const distances = ({ leaf, box }: Block, row: FeatureRow): void => {
  for (let kind = 0; kind < KIND_COUNT; kind += 1) {
    const depth = leaf.nearest[kind] ?? -1;
    row.add(depth < 0 ? NONE : Math.min(DISTANCE_MAX, leaf.depth - depth));
  }
  row.add(leaf.depth);
  row.add(leaf.depth - box.depth);
};

const NO_REGION: ReadonlyArray<number> = [0, 0, 0, 0, 0, 0, 0];

const regionFeatures = (region: Region | null, body: Region, row: FeatureRow): void => {
  if (region === null) {
    row.addAll(NO_REGION);
    return;
  }
  row.add(region.chars);
  row.add(share(region.linkChars, region.chars));
  row.add(share(region.proseChars, region.chars));
  row.add(share(region.chars, region.blockCount));
  row.add(share(region.chars, body.chars));
  row.add(share(region.proseChars, body.proseChars));
  row.add(share(region.imageCount, region.blockCount));
};

/** Longer items are sections of the page rather than entries of a list. */
const ITEM_CHARS_MAX = 1_500;

/** Whether an element with these siblings is a list entry. */
const isItem = ({ chars, count }: Twins): boolean => count > REPEATED_MIN && chars < ITEM_CHARS_MAX * count;

const NO_TWINS: ReadonlyArray<number> = [NONE, 0, -1, 0, 0, 0, 0, 0, 0, 0];

/**
 * Three groups of features: for the nearest, the outermost and the outermost list-like element with similar siblings.
 */
const repetition = (block: Block, { body, repeatedChars }: PageBlocks, row: FeatureRow): void => {
  let nearest: Region | null = null;
  let outermost: Region | null = null;
  let item: Region | null = null;
  for (let region: Region | null = block.leaf; region !== null; region = region.parent) {
    const { twins } = region;
    if (twins.count < REPEATED_MIN || twins.chars === 0) continue;
    nearest ??= region;
    outermost = region;
    if (isItem(twins)) item = region;
  }
  for (const region of [nearest, outermost, item]) {
    if (region === null) {
      row.addAll(NO_TWINS);
      continue;
    }
    const { twins } = region;
    row.add(Math.min(DISTANCE_MAX, block.leaf.depth - region.depth));
    row.add(twins.count);
    row.add(region.twinIndex);
    row.add(share(twins.chars, twins.count));
    row.add(share(twins.linkChars, twins.chars));
    row.add(share(twins.proseChars, twins.chars));
    row.add(share(twins.imageCount, twins.count));
    row.add(share(twins.blockCount, twins.count));
    row.add(share(twins.chars, body.chars));
    row.add(share(twins.chars, repeatedChars));
  }
};

const surroundings = (block: Block, context: Context, row: FeatureRow): void => {
  const { body } = context.page;
  const { box } = block;
  regionFeatures(box.parent, body, row);
  let region: Region | null = box;
  for (const chars of REGION_CHARS) {
    while (region !== null && region.chars < chars) region = region.parent;
    regionFeatures(region, body, row);
    row.add(region === null ? NONE : Math.min(DISTANCE_MAX, box.depth - region.depth));
  }
  // How many levels up a region contains this share of the page's prose.
  for (const part of [0.4, 0.75]) {
    region = box;
    while (region !== null && region.proseChars < part * body.proseChars) region = region.parent;
    row.add(region === null ? NONE : Math.min(DISTANCE_MAX, box.depth - region.depth));
    row.add(share(region?.chars ?? 0, body.chars));
  }
};

const NO_BLOCK: ReadonlyArray<number> = [0, -1, -1];

const shape = (block: Block | undefined, row: FeatureRow): void => {
  if (block === undefined) {
    row.addAll(NO_BLOCK);
    return;
  }
  row.add(block.chars);
  row.add(share(block.linkChars, block.chars));
  row.add(TAGS.get(block.box.element.name) ?? 0);
};

const standing = (context: Context, index: number, row: FeatureRow, before: Running): void => {
  const { blocks, body } = context.page;
  const block = blocks[index] as Block;
  row.add(index);
  row.add(share(index, blocks.length));
  row.add(share(before.chars, body.chars));
  row.add(share(before.prose, body.proseChars));
  row.add(context.headingIndex < 0 ? 9_999 : index - context.headingIndex);
  row.add(index - before.proseIndex);
  row.add(index - before.headingIndex);
  row.add(before.headingLevel);
  row.addAll(before.headingWords);
  for (const offset of [-2, -1, 1, 2]) shape(blocks[index + offset], row);
  let ahead = 1;
  while (ahead < DISTANCE_MAX && blocks[index + ahead]?.isProse === false) ahead += 1;
  row.add(blocks[index + ahead] === undefined ? NONE : ahead);
  row.add(blocks[index - 1]?.box.parent === block.box.parent ? 1 : 0);
  row.add(blocks[index + 1]?.box.parent === block.box.parent ? 1 : 0);
};

interface Running {
  chars: number;
  prose: number;
  proseIndex: number;
  headingIndex: number;
  headingLevel: number;
  headingWords: ReadonlyArray<number>;
}

const sameness = (context: Context, index: number, row: FeatureRow): void => {
  const block = context.page.blocks[index] as Block;
  const alike = context.alike[index] as Signature;
  row.add(alike.count);
  row.add(alike.chars);
  row.add(share(alike.chars, alike.count));
  row.add(share(alike.linkChars, alike.chars));
  row.add(share(alike.prose, alike.count));
  row.add(share(alike.first, context.page.blocks.length));
  row.add(share(alike.chars, context.page.body.chars));
  row.add(context.copies.get(block.text) ?? 1);
  row.addAll(context.repeats.add(block.text));
};

const claims = (text: string, context: Context, row: FeatureRow): void => {
  const found = foldedWords(text);
  const plain = found.join(" ");
  // A text without letters or digits counts as one empty word; an empty title consists of the same word.
  const words = found.length === 0 ? [""] : found;
  let titled = 0;
  for (const word of words) if (context.titleWords.has(word)) titled += 1;
  row.add(share(titled, words.length));
  row.add(plain !== "" && plain === context.heading ? 1 : 0);
  row.add(context.declared.length);
  row.add(plain.length > 8 && context.declared.includes(plain) ? 1 : 0);
};

const TEXT_CHARS_MAX = 2_000;

const rowOf = (
  context: Context,
  index: number,
  before: Running,
  kinds: ReadonlyArray<number>
): Float32Array => {
  const { row } = context;
  const block = context.page.blocks[index] as Block;
  const text = block.text.slice(0, TEXT_CHARS_MAX);
  row.add(block.chars);
  row.add(share(block.linkChars, block.chars));
  row.add(block.isProse ? 1 : 0);
  row.add(TAGS.get(block.box.element.name) ?? 0);
  row.add(INLINE.get(block.leaf.element.name) ?? 0);
  addWordFeatures(text, kinds, row);
  distances(block, row);
  repetition(block, context.page, row);
  surroundings(block, context, row);
  standing(context, index, row, before);
  sameness(context, index, row);
  claims(text, context, row);
  judgements(block, context, row);
  row.addAll(context.pageRow);
  return row.take();
};

/** How two classic methods of finding an article judge a block. */
const judgements = (block: Block, { main, scores }: Context, row: FeatureRow): void => {
  let steps = 0;
  let region: Region | null = block.leaf;
  while (region !== null && !main.has(region.element)) {
    steps += 1;
    region = region.parent;
  }
  row.add(region === null ? NONE : steps);
  row.addAll(scores.of(block));
};

/** One row per block, all of the same length. */
export const blockFeatures = (page: PageBlocks, scan: PageScan, url: string): ReadonlyArray<Float32Array> => {
  const context = contextOf(page, scan, url);
  const before: Running = {
    chars: 0,
    prose: 0,
    proseIndex: -NONE,
    headingIndex: -NONE,
    headingLevel: 0,
    headingWords: wordKinds("")
  };
  return page.blocks.map((block, index) => {
    const kinds = wordKinds(block.text);
    const row = rowOf(context, index, before, kinds);
    before.chars += block.chars;
    if (block.isProse) {
      before.prose += block.chars;
      before.proseIndex = index;
    }
    const level = headingLevel(block.box.element);
    if (level !== null) {
      before.headingIndex = index;
      before.headingLevel = level;
      before.headingWords = kinds;
    }
    return row;
  });
};
