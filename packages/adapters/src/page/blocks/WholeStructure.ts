/**
 * Chosen text made whole by the structure of the page: a model judges block by block, and so leaves out a few cells of
 * a table, items of a list, a heading or an example of code amid what it keeps. Measured by bench/page-markdown.ts.
 */
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

/** Code is looked at with so many blocks before and after it. */
const CODE_NEIGHBOURS = 4;

const TABLES: ReadonlySet<string> = new Set(["table"]);
const LISTS: ReadonlySet<string> = new Set(["ul", "ol", "dl", "menu"]);
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
  /** Whether a block may be added that is not surely part of what it stands in. */
  readonly isLikely: (block: Block) => boolean;
}

const addTables = ({ blocks, kept }: Chosen): void => {
  for (const [holder, cells] of Map.groupBy(blocks, (block) => holderOf(block, TABLES)?.region ?? null)) {
    const chosen = cells.filter((block) => kept.has(block));
    if (holder === null || chosen.length === 0 || chosen.length === cells.length) continue;
    const chars = charsOf(cells);
    const isData =
      rowsOf(holder.element).length > 1 &&
      chars <= CELL_CHARS_MEAN_MAX * cells.length &&
      !isLayoutTable(holder.element, () => true);
    if (isData && charsOf(chosen) >= TABLE_SHARE_MIN * chars) for (const cell of cells) kept.add(cell);
  }
};

const addItems = ({ blocks, isLikely, kept }: Chosen): void => {
  const held = blocks.flatMap((block) => {
    const holder = holderOf(block, LISTS);
    return holder === null ? [] : [{ ...holder, block }];
  });
  for (const list of Map.groupBy(held, ({ region }) => region).values()) {
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
export const madeWhole = (
  blocks: ReadonlyArray<Block>,
  chosen: ReadonlyArray<Block>,
  { chances, needed }: { readonly chances: Float32Array; readonly needed: number }
): ReadonlyArray<Block> => {
  const places = new Map(blocks.map((block, index) => [block, index]));
  const isLikely = (block: Block): boolean =>
    (chances[places.get(block) ?? -1] ?? 0) >= LIKELY_SHARE * needed;
  const page: Chosen = { blocks, kept: new Set(chosen), isLikely };
  addTables(page);
  addItems(page);
  addCode(page);
  addHeadings(page);
  return blocks.filter((block) => page.kept.has(block));
};
