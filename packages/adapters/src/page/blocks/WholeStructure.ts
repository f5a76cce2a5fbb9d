/**
 * Chosen text made whole by the structure of the page: a model judges block by block, and so leaves out a few cells of
 * a table, items of a list or all of them, a heading or an example of code amid what it keeps. Measured by
 * bench/page-markdown.ts.
 */
import { isSuspected } from "../NoiseRules.ts";
import { CELL_CHARS_MEAN_MAX, isLayoutTable, rowsOf } from "../Tables.ts";
import type { Block, Region } from "./Blocks.ts";

/** Of the text of a table: with this much of it chosen, all of it is. */
const TABLE_SHARE_MIN = 0.2;

/** Of the items of a list: with so many of them chosen, likely short ones are, too. */
const ITEMS_SHARE_MIN = 0.5;
const ITEMS_MIN = 2;
const ITEM_CHARS_MAX = 200;

/** How likely a block must be, beside what is asked of one that stands alone. */
const LIKELY_SHARE = 0.4;

/** Of the text of a section: with this much of it chosen, a list or table right below chosen text is part of it. */
const SECTION_SHARE_MIN = 0.4;

/** How likely these must be at the mean, beside what is asked of a block that stands alone. */
const LIST_LIKELY_SHARE = 0.25;
const TABLE_LIKELY_SHARE = 0.15;

/** Code is looked at with so many blocks before and after it. */
const CODE_NEIGHBOURS = 4;

const TABLES: ReadonlySet<string> = new Set(["table"]);
const LISTS: ReadonlySet<string> = new Set(["ul", "ol", "dl", "menu"]);
const QUOTES: ReadonlySet<string> = new Set(["blockquote"]);
const HEADINGS: ReadonlySet<string> = new Set(["h1", "h2", "h3", "h4", "h5", "h6"]);

interface Holder {
  readonly region: Region;
  /** Its child on the way to the block. */
  readonly part: Region;
}

/** The innermost element of such a name around a block. */
const holderOf = ({ leaf }: Block, names: ReadonlySet<string>): Holder | null => {
  let part = leaf;
  for (let region: Region | null = leaf; region !== null; region = region.parent) {
    if (names.has(region.element.name)) return { region, part };
    part = region;
  }
  return null;
};

const charsOf = (blocks: ReadonlyArray<Block>): number => blocks.reduce((sum, { chars }) => sum + chars, 0);

interface Chosen {
  readonly blocks: ReadonlyArray<Block>;
  readonly kept: Set<Block>;
  /** Beside what is asked of one that stands alone. */
  readonly predict: (block: Block) => number;
  /** Whether a block may be added that is not surely part of what it stands in. */
  readonly isLikely: (block: Block) => boolean;
}

const isDataTable = ({ element }: Region, cells: ReadonlyArray<Block>): boolean =>
  rowsOf(element).length > 1 &&
  charsOf(cells) <= CELL_CHARS_MEAN_MAX * cells.length &&
  !isLayoutTable(element, () => true);

/** Data tables of which something is left out. */
const openTables = ({ blocks, kept }: Chosen): ReadonlyArray<readonly [Region, ReadonlyArray<Block>]> =>
  [...Map.groupBy(blocks, (block) => holderOf(block, TABLES)?.region ?? null)].flatMap(([table, cells]) =>
    table !== null && cells.some((cell) => !kept.has(cell)) && isDataTable(table, cells)
      ? [[table, cells] as const]
      : []
  );

const addTables = (page: Chosen): void => {
  for (const [, cells] of openTables(page)) {
    const chosen = cells.filter((block) => page.kept.has(block));
    if (chosen.length > 0 && charsOf(chosen) >= TABLE_SHARE_MIN * charsOf(cells))
      for (const cell of cells) page.kept.add(cell);
  }
};

const addItems = ({ blocks, isLikely, kept }: Chosen): void => {
  const listed = blocks.flatMap((block) => {
    const holder = holderOf(block, LISTS);
    return holder === null ? [] : [{ ...holder, block }];
  });
  for (const list of Map.groupBy(listed, ({ region }) => region).values()) {
    const items = [...Map.groupBy(list, ({ part }) => part).values()].map((parts) =>
      parts.map(({ block }) => block)
    );
    const others = items.filter((item) => !item.some((block) => kept.has(block)));
    const chosenCount = items.length - others.length;
    if (chosenCount < Math.max(ITEMS_MIN, ITEMS_SHARE_MIN * items.length)) continue;
    for (const item of others)
      if (charsOf(item) <= ITEM_CHARS_MAX) for (const block of item.filter(isLikely)) kept.add(block);
  }
};

/** The text in a region and the regions right inside that have some. */
interface Held {
  readonly blocks: Array<Block>;
  readonly parts: Set<Region>;
}

/** All lists and quotes, those inside each other, too. */
const listsOf = (blocks: ReadonlyArray<Block>): ReadonlyMap<Region, Held> => {
  const lists = new Map<Region, Held>();
  for (const block of blocks) {
    let part = block.leaf;
    for (let region = part.parent; region !== null; region = region.parent) {
      if (LISTS.has(region.element.name) || QUOTES.has(region.element.name)) {
        const group = lists.get(region) ?? { blocks: [], parts: new Set() };
        group.blocks.push(block);
        group.parts.add(part);
        lists.set(region, group);
      }
      part = region;
    }
  }
  return lists;
};

/** How many characters of the blocks each region has. */
const charsByRegion = (blocks: Iterable<Block>): ReadonlyMap<Region, number> => {
  const sums = new Map<Region, number>();
  for (const { chars, leaf } of blocks)
    for (let region: Region | null = leaf; region !== null; region = region.parent)
      sums.set(region, (sums.get(region) ?? 0) + chars);
  return sums;
};

const isInside = ({ leaf }: Block, around: Region): boolean => {
  let region: Region | null = leaf;
  while (region !== null && region !== around) region = region.parent;
  return region !== null;
};

/** The outermost region that holds nothing else. */
const wrapperOf = (region: Region): Region => {
  let whole = region;
  while (whole.parent?.chars === region.chars) whole = whole.parent;
  return whole;
};

/** Tells regions that stand right below chosen text of their own section, and are not named as noise. */
const belowChosen = ({ blocks, kept }: Chosen): ((region: Region, first: Block) => boolean) => {
  const chosen = charsByRegion(kept);
  const before = new Map(blocks.slice(1).map((block, index) => [block, blocks[index]]));
  return ({ depth, element, parent }, first) => {
    const last = before.get(first);
    return (
      last !== undefined &&
      kept.has(last) &&
      parent !== null &&
      isInside(last, parent) &&
      !isSuspected(element, depth) &&
      (chosen.get(parent) ?? 0) >= SECTION_SHARE_MIN * parent.chars
    );
  };
};

const isAsLikely = ({ predict: chanceOf }: Chosen, blocks: ReadonlyArray<Block>, share: number): boolean =>
  blocks.reduce((sum, block) => sum + block.chars * chanceOf(block), 0) >= share * charsOf(blocks);

/**
 * Whole lists and quotes right below chosen text, of which the model took nothing: links alone, and short words. What
 * it found likely was left out for another reason.
 */
const addLists = (page: Chosen): void => {
  const isBelow = belowChosen(page);
  for (const [list, { blocks, parts }] of listsOf(page.blocks)) {
    if (parts.size < ITEMS_MIN && !QUOTES.has(list.element.name)) continue;
    if (blocks.some((block) => page.kept.has(block) || page.predict(block) >= 1)) continue;
    if (isBelow(list, blocks[0] as Block) && isAsLikely(page, blocks, LIST_LIKELY_SHARE))
      for (const block of blocks) page.kept.add(block);
  }
};

/** Tables of data as well, of which the model took little. */
const addTablesBelow = (page: Chosen): void => {
  const isBelow = belowChosen(page);
  for (const [table, cells] of openTables(page))
    if (isBelow(wrapperOf(table), cells[0] as Block) && isAsLikely(page, cells, TABLE_LIKELY_SHARE))
      for (const cell of cells) page.kept.add(cell);
};

const addCode = ({ blocks, kept }: Chosen): void => {
  const isNear = (from: number, to: number): boolean =>
    blocks.slice(Math.max(0, from), to).some((block) => kept.has(block));
  blocks.forEach((block, index) => {
    if (
      block.box.element.name === "pre" &&
      isNear(index - CODE_NEIGHBOURS, index) &&
      isNear(index + 1, index + 1 + CODE_NEIGHBOURS)
    )
      kept.add(block);
  });
};

/** From the end, so that a heading above a heading comes, too. */
const addHeadings = ({ blocks, isLikely, kept }: Chosen): void => {
  for (let index = blocks.length - 2; index >= 0; index -= 1) {
    const [block, next] = [blocks[index], blocks[index + 1]];
    if (block === undefined || next === undefined || kept.has(block) || !kept.has(next)) continue;
    if (holderOf(block, HEADINGS) !== null && isLikely(block)) kept.add(block);
  }
};

/**
 * `chances` says how likely a block is by its place in `blocks`, with its neighbours and whatever says the same
 * elsewhere; `needed` is what is asked of one that stands alone.
 */
export const completeStructures = (
  blocks: ReadonlyArray<Block>,
  chosen: ReadonlyArray<Block>,
  { chances, needed }: { readonly chances: Float32Array; readonly needed: number }
): ReadonlyArray<Block> => {
  const places = new Map(blocks.map((block, index) => [block, index]));
  const predict = (block: Block): number => (chances[places.get(block) ?? -1] ?? 0) / needed;
  const isLikely = (block: Block): boolean => predict(block) >= LIKELY_SHARE;
  const page: Chosen = { blocks, kept: new Set(chosen), predict, isLikely };
  addTables(page);
  addItems(page);
  addCode(page);
  addHeadings(page);
  addLists(page);
  addTablesBelow(page);
  return blocks.filter((block) => page.kept.has(block));
};
