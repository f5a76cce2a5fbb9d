/**
 * Completes structures of the page: the model judges each block separately, so it omits a few cells of a table,
 * some or all items of a list, a heading or a code example within selected text.
 * Measured by bench/page-markdown.ts.
 */
import { isSuspected } from "../../parse/NoiseRules.ts";
import { CELL_CHARS_MEAN_MAX, isLayoutTable, rowsOf } from "../../parse/Tables.ts";
import { headingLevel, type PageElement, walk } from "../../parse/PageTree.ts";
import { isFormula } from "../../parse/Formulas.ts";
import { type Block, charsOfAll, isWithin, type Region, regionsOf } from "./Blocks.ts";

/** Share of a table's text: with this much selected, the whole table is. */
const TABLE_SHARE_MIN = 0.2;

/** Share of a list's items: with this many selected, likely short ones are added. */
const ITEMS_SHARE_MIN = 0.5;
const ITEMS_MIN = 2;
const ITEM_CHARS_MAX = 200;

/** Required probability, relative to that for a separate block. */
const LIKELY_SHARE = 0.4;

/**
 * Share of a section's text: with this much selected, a list or table right below selected text belongs to it.
 */
const SECTION_SHARE_MIN = 0.4;

/** Their required average probability, relative to that for a separate block. */
const LIST_LIKELY_SHARE = 0.25;
const TABLE_LIKELY_SHARE = 0.15;

/** How many blocks before and after are considered for code and formulas. */
const EXAMPLE_NEIGHBOURS = 4;

const TABLES: ReadonlySet<string> = new Set(["table"]);
const LISTS: ReadonlySet<string> = new Set(["ul", "ol", "dl", "menu"]);
const QUOTES: ReadonlySet<string> = new Set(["blockquote"]);

interface Holder {
  readonly region: Region;
  /** The child of the region that contains the block. */
  readonly part: Region;
}

/** The innermost element with such a name around a block. */
const containerOf = (block: Block, names: ReadonlySet<string>): Holder | null => {
  const regions = regionsOf(block);
  const at = regions.findIndex(({ element }) => names.has(element.name));
  const region = regions[at];
  return region === undefined ? null : { region, part: regions[at - 1] ?? region };
};

interface Chosen {
  readonly blocks: ReadonlyArray<Block>;
  readonly kept: Set<Block>;
  /** Relative to the probability required of a separate block. */
  readonly predict: (block: Block) => number;
  /** Whether a block may be added that does not certainly belong to its structure. */
  readonly isLikely: (block: Block) => boolean;
}

const isDataTable = ({ element }: Region, cells: ReadonlyArray<Block>): boolean =>
  rowsOf(element).length > 1 &&
  charsOfAll(cells) <= CELL_CHARS_MEAN_MAX * cells.length &&
  !isLayoutTable(element, () => true);

/** Data tables that are only partly selected. */
const openTables = ({ blocks, kept }: Chosen): ReadonlyArray<readonly [Region, ReadonlyArray<Block>]> =>
  [...Map.groupBy(blocks, (block) => containerOf(block, TABLES)?.region ?? null)].flatMap(([table, cells]) =>
    table !== null && cells.some((cell) => !kept.has(cell)) && isDataTable(table, cells)
      ? [[table, cells] as const]
      : []
  );

const addTables = (page: Chosen): void => {
  for (const [, cells] of openTables(page)) {
    const chosen = cells.filter((block) => page.kept.has(block));
    if (chosen.length > 0 && charsOfAll(chosen) >= TABLE_SHARE_MIN * charsOfAll(cells))
      for (const cell of cells) page.kept.add(cell);
  }
};

const addItems = ({ blocks, isLikely, kept }: Chosen): void => {
  const listed = blocks.flatMap((block) => {
    const container = containerOf(block, LISTS);
    return container === null ? [] : [{ ...container, block }];
  });
  for (const list of Map.groupBy(listed, ({ region }) => region).values()) {
    const items = [...Map.groupBy(list, ({ part }) => part).values()].map((parts) =>
      parts.map(({ block }) => block)
    );
    const others = items.filter((item) => !item.some((block) => kept.has(block)));
    const chosenCount = items.length - others.length;
    if (chosenCount < Math.max(ITEMS_MIN, ITEMS_SHARE_MIN * items.length)) continue;
    for (const item of others)
      if (charsOfAll(item) <= ITEM_CHARS_MAX) for (const block of item.filter(isLikely)) kept.add(block);
  }
};

/** Longer entries, and those with pictures, headings or several links, are cards rather than facts. */
const ENTRY_CHARS_MAX = 200;
const ENTRY_LINKS_MAX = 1;
const ENTRIES: ReadonlySet<string> = new Set(["li", "tr"]);
const CARD_PARTS: ReadonlySet<string> = new Set(["img", "picture", "svg", "form", "time"]);
const PAIRS: ReadonlySet<string> = new Set(["dt", "dd"]);
const BUTTONS: ReadonlySet<string> = new Set(["button"]);

const isCard = (entry: PageElement): boolean => {
  let links = 0;
  let isFound = false;
  walk(entry, (inner) => {
    const { name } = inner;
    if (name === "a") links += 1;
    isFound ||= CARD_PARTS.has(name) || headingLevel(inner) !== null || links > ENTRY_LINKS_MAX;
    return !isFound;
  });
  return isFound;
};

/** A row of a table that is used for layout. */
const isLaidOut = ({ name, parent }: PageElement): boolean => {
  let table = name === "tr" ? parent : null;
  while (table !== null && table.name !== "table") table = table.parent;
  return table !== null && isLayoutTable(table, () => true);
};

/** The term that each definition belongs to, and the term itself. */
const pairOf = ({ element, parent }: Region): PageElement | null => {
  if (element.name === "dt") return element;
  let term: PageElement | null = null;
  for (const child of parent?.element.children ?? []) {
    if (child === element) break;
    if (typeof child !== "string" && child.name === "dt") term = child;
  }
  return term;
};

/** The rest of each list item, table row and pair of term and definition of which a part is selected. */
const addRest = ({ blocks, kept }: Chosen): void => {
  const entries = Map.groupBy(blocks, (block) => {
    const pair = containerOf(block, PAIRS);
    const entry = containerOf(block, ENTRIES);
    if (pair !== null && (entry === null || pair.region.depth > entry.region.depth))
      return pairOf(pair.region);
    return entry?.region.element ?? null;
  });
  for (const [entry, parts] of entries) {
    const isPart = parts.some((block) => kept.has(block)) && parts.some((block) => !kept.has(block));
    if (entry === null || !isPart || isLaidOut(entry) || charsOfAll(parts) > ENTRY_CHARS_MAX || isCard(entry))
      continue;
    for (const block of parts) if (!isWithin(block, BUTTONS)) kept.add(block);
  }
};

/** The text in a region, and its child regions with text. */
interface RegionContent {
  readonly blocks: Array<Block>;
  readonly parts: Set<Region>;
}

/** All lists and quotes, including nested ones. */
const listsOf = (blocks: ReadonlyArray<Block>): ReadonlyMap<Region, RegionContent> => {
  const lists = new Map<Region, RegionContent>();
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

/** How many characters of the blocks are in each region. */
const charsByRegion = (blocks: Iterable<Block>): ReadonlyMap<Region, number> => {
  const sums = new Map<Region, number>();
  for (const block of blocks)
    for (const region of regionsOf(block)) sums.set(region, (sums.get(region) ?? 0) + block.chars);
  return sums;
};

/** The outermost region that contains nothing else. */
const wrapperOf = (region: Region): Region => {
  let whole = region;
  while (whole.parent?.chars === region.chars) whole = whole.parent;
  return whole;
};

/** Matches regions right below selected text of their own section whose names do not suggest noise. */
const belowChosen = ({ blocks, kept }: Chosen): ((region: Region, first: Block) => boolean) => {
  const chosen = charsByRegion(kept);
  const before = new Map(blocks.slice(1).map((block, index) => [block, blocks[index]]));
  return ({ depth, element, parent }, first) => {
    const last = before.get(first);
    return (
      last !== undefined &&
      kept.has(last) &&
      parent !== null &&
      regionsOf(last).includes(parent) &&
      !isSuspected(element, depth) &&
      (chosen.get(parent) ?? 0) >= SECTION_SHARE_MIN * parent.chars
    );
  };
};

const isAsLikely = (
  { predict: probabilityOf }: Chosen,
  blocks: ReadonlyArray<Block>,
  share: number
): boolean =>
  blocks.reduce((sum, block) => sum + block.chars * probabilityOf(block), 0) >= share * charsOfAll(blocks);

/**
 * Whole lists and quotes right below selected text of which the model selected nothing: bare links and single
 * words. Blocks that it found likely were left out for another reason.
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

/** Also data tables of which the model selected little. */
const addTablesBelow = (page: Chosen): void => {
  const isBelow = belowChosen(page);
  for (const [table, cells] of openTables(page))
    if (isBelow(wrapperOf(table), cells[0] as Block) && isAsLikely(page, cells, TABLE_LIKELY_SHARE))
      for (const cell of cells) page.kept.add(cell);
};

/** Code and formulas between selected blocks. */
const addExamples = ({ blocks, kept }: Chosen): void => {
  const isNear = (from: number, to: number): boolean =>
    blocks.slice(Math.max(0, from), to).some((block) => kept.has(block));
  blocks.forEach((block, index) => {
    if (
      (block.box.element.name === "pre" || isFormula(block.leaf.element)) &&
      isNear(index - EXAMPLE_NEIGHBOURS, index) &&
      isNear(index + 1, index + 1 + EXAMPLE_NEIGHBOURS)
    )
      kept.add(block);
  });
};

/** Backwards, so that a heading above a heading is included. */
const addHeadings = ({ blocks, isLikely, kept }: Chosen): void => {
  for (let index = blocks.length - 2; index >= 0; index -= 1) {
    const [block, next] = [blocks[index], blocks[index + 1]];
    if (block === undefined || next === undefined || kept.has(block) || !kept.has(next)) continue;
    if (regionsOf(block).some(({ element }) => headingLevel(element) !== null) && isLikely(block))
      kept.add(block);
  }
};

/**
 * `chances`: the probability of each block, including its neighbours and copies; `needed`: the probability
 * required of a separate block.
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
  addExamples(page);
  addHeadings(page);
  addLists(page);
  addTablesBelow(page);
  addRest(page);
  return blocks.filter((block) => page.kept.has(block));
};
