/**
 * The features of each block: its text, its position, repetition around it, and the type of its page. Only
 * numbers; their order is part of the model, so any change requires training it again.
 */
import { mainElements } from "../NoiseFilter.ts";
import type { PageScan } from "../PageScan.ts";
import type { PageElement } from "../PageTree.ts";
import { folded } from "../PlainText.ts";
import { type Block, type PageBlocks, type Region, REPEATED_MIN, type Twins } from "./Blocks.ts";
import { ContentScores } from "./ContentScores.ts";
import { KIND_COUNT } from "./NameKinds.ts";
import { declaredTexts, pageFeatures, share } from "./PageFeatures.ts";
import { wordFeatures, wordKinds } from "./WordFeatures.ts";

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

/** For the element's name; a heading begins a section. */
const HEADING = /^h[1-6]$/;

/** The lowest region around a block with at least this many characters of text. */
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
  /** What blocks with the same signature have in common. */
  readonly alike: ReadonlyArray<Signature>;
  readonly copies: ReadonlyMap<string, number>;
  /** Of the preceding blocks. */
  readonly repeats: Repeats;
  /** Selected by the noise filter. */
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

const distances = ({ leaf, box }: Block, row: Array<number>): void => {
  for (let kind = 0; kind < KIND_COUNT; kind += 1) {
    const depth = leaf.nearest[kind] ?? -1;
    row.push(depth < 0 ? NONE : Math.min(DISTANCE_MAX, leaf.depth - depth));
  }
  row.push(leaf.depth, leaf.depth - box.depth);
};

const regionFeatures = (region: Region | null, body: Region, row: Array<number>): void => {
  if (region === null) {
    row.push(0, 0, 0, 0, 0, 0, 0);
    return;
  }
  row.push(
    region.chars,
    share(region.linkChars, region.chars),
    share(region.proseChars, region.chars),
    share(region.chars, region.blockCount),
    share(region.chars, body.chars),
    share(region.proseChars, body.proseChars),
    share(region.imageCount, region.blockCount)
  );
};

/** Longer items are sections of the page rather than entries of a list. */
const ITEM_CHARS_MAX = 1_500;

/** Whether an element with these siblings is an entry of a list. */
const isItem = ({ chars, count }: Twins): boolean => count > REPEATED_MIN && chars < ITEM_CHARS_MAX * count;

/** For the nearest, the outermost and the outermost list-like element with similar siblings. */
const repetition = (block: Block, { body, repeatedChars }: PageBlocks, row: Array<number>): void => {
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
      row.push(NONE, 0, -1, 0, 0, 0, 0, 0, 0, 0);
      continue;
    }
    const { twins } = region;
    row.push(
      Math.min(DISTANCE_MAX, block.leaf.depth - region.depth),
      twins.count,
      region.twinIndex,
      share(twins.chars, twins.count),
      share(twins.linkChars, twins.chars),
      share(twins.proseChars, twins.chars),
      share(twins.imageCount, twins.count),
      share(twins.blockCount, twins.count),
      share(twins.chars, body.chars),
      share(twins.chars, repeatedChars)
    );
  }
};

const surroundings = (block: Block, context: Context, row: Array<number>): void => {
  const { body } = context.page;
  const { box } = block;
  regionFeatures(box.parent, body, row);
  let region: Region | null = box;
  for (const chars of REGION_CHARS) {
    while (region !== null && region.chars < chars) region = region.parent;
    regionFeatures(region, body, row);
    row.push(region === null ? NONE : Math.min(DISTANCE_MAX, box.depth - region.depth));
  }
  // How many levels above is the region with most of the text that looks like sentences.
  for (const part of [0.4, 0.75]) {
    region = box;
    while (region !== null && region.proseChars < part * body.proseChars) region = region.parent;
    row.push(region === null ? NONE : Math.min(DISTANCE_MAX, box.depth - region.depth));
    row.push(share(region?.chars ?? 0, body.chars));
  }
};

const shape = (block: Block | undefined, row: Array<number>): void => {
  if (block === undefined) {
    row.push(0, -1, -1);
    return;
  }
  row.push(block.chars, share(block.linkChars, block.chars), TAGS.get(block.box.element.name) ?? 0);
};

const standing = (context: Context, index: number, row: Array<number>, before: Running): void => {
  const { blocks, body } = context.page;
  const block = blocks[index] as Block;
  row.push(
    index,
    share(index, blocks.length),
    share(before.chars, body.chars),
    share(before.prose, body.proseChars)
  );
  row.push(
    context.headingIndex < 0 ? 9_999 : index - context.headingIndex,
    index - before.proseIndex,
    index - before.headingIndex,
    before.headingLevel,
    ...before.headingWords
  );
  for (const offset of [-2, -1, 1, 2]) shape(blocks[index + offset], row);
  let ahead = 1;
  while (ahead < DISTANCE_MAX && blocks[index + ahead]?.isProse === false) ahead += 1;
  row.push(blocks[index + ahead] === undefined ? NONE : ahead);
  row.push(blocks[index - 1]?.box.parent === block.box.parent ? 1 : 0);
  row.push(blocks[index + 1]?.box.parent === block.box.parent ? 1 : 0);
};

interface Running {
  chars: number;
  prose: number;
  proseIndex: number;
  headingIndex: number;
  headingLevel: number;
  headingWords: ReadonlyArray<number>;
}

const WORD = /[\p{L}\p{N}]+/gu;

/** Length of the word sequences used to compare texts. */
const RUN_WORDS = 3;

/** Pages repeat text for small and large screens; readers want it once. */
class Repeats {
  private readonly runs = new Set<number>();
  private readonly texts = new Map<string, number>();

  /** How often this text occurred before, and the share of its word sequences that did. */
  add(text: string): readonly [number, number] {
    const times = this.texts.get(text) ?? 0;
    this.texts.set(text, times + 1);
    const words = text.toLowerCase().match(WORD) ?? [];
    let known = 0;
    const count = Math.max(0, words.length - RUN_WORDS + 1);
    for (let at = 0; at < count; at += 1) {
      let hash = 0;
      for (let word = at; word < at + RUN_WORDS; word += 1)
        for (let index = 0; index < (words[word]?.length ?? 0); index += 1)
          hash = (Math.imul(hash, 31) + (words[word]?.charCodeAt(index) ?? 0)) | 0;
      if (this.runs.has(hash)) known += 1;
      this.runs.add(hash);
    }
    return [times, count === 0 ? -1 : known / count];
  }
}

const sameness = (context: Context, index: number, row: Array<number>): void => {
  const block = context.page.blocks[index] as Block;
  const alike = context.alike[index] as Signature;
  row.push(
    alike.count,
    alike.chars,
    share(alike.chars, alike.count),
    share(alike.linkChars, alike.chars),
    share(alike.prose, alike.count),
    share(alike.first, context.page.blocks.length),
    share(alike.chars, context.page.body.chars),
    context.copies.get(block.text) ?? 1,
    ...context.repeats.add(block.text)
  );
};

const claims = (text: string, context: Context, row: Array<number>): void => {
  const plain = folded(text);
  const words = plain.split(" ");
  row.push(
    share(words.filter((word) => context.titleWords.has(word)).length, words.length),
    plain !== "" && plain === context.heading ? 1 : 0,
    context.declared.length,
    plain.length > 8 && context.declared.includes(plain) ? 1 : 0
  );
};

const TEXT_CHARS_MAX = 2_000;

const rowOf = (context: Context, index: number, before: Running): Array<number> => {
  const block = context.page.blocks[index] as Block;
  const text = block.text.slice(0, TEXT_CHARS_MAX);
  const row: Array<number> = [
    block.chars,
    share(block.linkChars, block.chars),
    block.isProse ? 1 : 0,
    TAGS.get(block.box.element.name) ?? 0,
    INLINE.get(block.leaf.element.name) ?? 0
  ];
  wordFeatures(text, row);
  distances(block, row);
  repetition(block, context.page, row);
  surroundings(block, context, row);
  standing(context, index, row, before);
  sameness(context, index, row);
  claims(text, context, row);
  judgements(block, context, row);
  for (const value of context.pageRow) row.push(value);
  return row;
};

/** How two classic methods of finding an article judge a block. */
const judgements = (block: Block, { main, scores }: Context, row: Array<number>): void => {
  let keptCount = 0;
  let region: Region | null = block.leaf;
  while (region !== null && !main.has(region.element)) {
    keptCount += 1;
    region = region.parent;
  }
  row.push(region === null ? NONE : keptCount);
  row.push(...scores.of(block));
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
    const row = Float32Array.from(rowOf(context, index, before));
    before.chars += block.chars;
    if (block.isProse) {
      before.prose += block.chars;
      before.proseIndex = index;
    }
    const { name } = block.box.element;
    if (HEADING.test(name)) {
      before.headingIndex = index;
      before.headingLevel = Number(name[1]);
      before.headingWords = wordKinds(block.text);
    }
    return row;
  });
};
