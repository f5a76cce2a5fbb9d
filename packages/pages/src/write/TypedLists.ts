/**
 * Finds the lists that are typed: lines and paragraphs with bullets or numbers, and marks beside those of a list.
 * Measured by bench/page-markdown.ts (list items). Tests: readContent.test.ts.
 */
import { BREAK, linesOf, trimmedEnds } from "./InlineRun.ts";
import type { ContentBlock, Inline } from "./Content.ts";

/** The signs before items, for a class of a regular expression. */
export const BULLETS = "•●▪◦‣∙■○◆➢➤►▸";

/** After a hyphen that is a minus: "5 °C", "5,5 C" in a list of temperatures. */
const TEMPERATURE = String.raw`\d+(?:[.,]\d+)?\s?(?:[°º]?\s?[CF]\b|[℃℉])`;

/** The "• " of "• Water", the "- " of "- Water", the "✔️" of "✔️Water". */
const BULLET = new RegExp(
  `^\\s*(?:[${BULLETS}·✓✔☑✅→➔➜➞]\uFE0F?\\s*|\\*\\s+|-\\s+(?!${TEMPERATURE}))(?=\\S|$)`,
  "u"
);
/** A bullet, or the "1. " of "1. Mix", the "12) " of "12) Bake". */
const MARK = new RegExp(`^\\s*(\\d{1,3})[.)]\\s+(?=\\S|$)|${BULLET.source}`, "u");
/**
 * A dash may also introduce direct speech: it is a list marker only if lines of one paragraph follow each other.
 */
const LINE_MARK = new RegExp(`${MARK.source}|^\\s*–\\s+(?=\\S|$)`, "u");
/** In an item of a list, the text may directly follow its number, or the number be a part of its own: "1.Mix", "1". */
const ITEM_NUMBER = /^\s*(\d{1,3})(?:[.)]\s*(?=[^\s\d]|$)|\s*$)/u;

/** A single such line is running text. */
const ITEMS_MIN = 2;
/** Minimum numbered paragraphs with other blocks between them. */
const SCATTERED_MIN = 3;

interface TypedItem {
  /** Null for a bullet. */
  readonly number: number | null;
  /** As typed, such as `1)`. */
  readonly mark: string;
  readonly content: ReadonlyArray<Inline>;
}

const without = ([first, ...rest]: ReadonlyArray<Inline>, mark: RegExp): ReadonlyArray<Inline> =>
  first?.type === "text" ? trimmedEnds([{ ...first, text: first.text.replace(mark, "") }, ...rest]) : [];

/** Null if it has no mark, or nothing but a mark. */
const typedItem = (inlines: ReadonlyArray<Inline>, mark: RegExp): TypedItem | null => {
  const [first] = inlines;
  const found = first?.type === "text" ? mark.exec(first.text) : null;
  const content = found === null ? [] : without(inlines, mark);
  if (found === null || content.length === 0) return null;
  return { number: found[1] === undefined ? null : Number(found[1]), mark: found[0].trim(), content };
};

const listOf = (items: ReadonlyArray<TypedItem>): ContentBlock => ({
  type: "list",
  start: items[0]?.number ?? null,
  labels: items.map(({ mark }) => mark),
  items: items.map(({ content }) => [{ type: "paragraph", children: content }])
});

interface Line {
  readonly inlines: ReadonlyArray<Inline>;
  readonly item: TypedItem | null;
  /** Number of the paragraph, the same for all its lines. */
  readonly paragraph: number;
}

const linesOfParagraph = (inlines: ReadonlyArray<Inline>, paragraph: number): ReadonlyArray<Line> => {
  const written = linesOf(inlines)
    .map(trimmedEnds)
    .filter((line) => line.length > 0);
  const mark = written.length > 1 ? LINE_MARK : MARK;
  return written.map((line) => ({ inlines: line, item: typedItem(line, mark), paragraph }));
};

/** The items of one list from here on. */
const itemsFrom = (lines: ReadonlyArray<Line>, from: number): ReadonlyArray<TypedItem> => {
  const items: Array<TypedItem> = [];
  for (let item = lines[from]?.item ?? null; item !== null; item = lines[from + items.length]?.item ?? null) {
    const first = items[0]?.number ?? item.number;
    if (item.number !== (first === null ? null : first + items.length)) break;
    items.push(item);
  }
  return items.length < ITEMS_MIN ? [] : items;
};

/** Finds lists in the lines of adjacent paragraphs. Spreads no array: a paragraph may have any number of lines. */
const readLines = (lines: ReadonlyArray<Line>, out: Array<ContentBlock>): void => {
  let children: Array<Inline> = [];
  let last: number | null = null;
  for (let at = 0; at < lines.length;) {
    const { inlines, paragraph } = lines[at] as Line;
    const items = itemsFrom(lines, at);
    if (items.length > 0) out.push(listOf(items));
    else {
      if (last === paragraph) children.push(BREAK);
      else out.push({ type: "paragraph", children: (children = []) });
      for (const inline of inlines) children.push(inline);
    }
    last = items.length > 0 ? null : paragraph;
    at += Math.max(1, items.length);
  }
};

/**
 * Paragraphs numbered from 1, each an item with the content below it; lists that continue the numbering are
 * included.
 */
const withScatteredNumbers = (blocks: ReadonlyArray<ContentBlock>): ReadonlyArray<ContentBlock> => {
  const items = blocks.map((block) => (block.type === "paragraph" ? typedItem(block.children, MARK) : null));
  const counted = new Set<number>();
  let run: Array<number> = [];
  let next = 1;
  const end = (): void => {
    if (next > SCATTERED_MIN) for (const at of run) counted.add(at);
    run = [];
    next = 1;
  };
  blocks.forEach((block, at) => {
    if (block.type === "list" && block.start === next) next += block.items.length;
    const number = items[at]?.number ?? null;
    if (number === 1) end();
    if (number === null || number !== next) return;
    run.push(at);
    next += 1;
  });
  end();
  return blocks.map((block, at) => (counted.has(at) ? listOf([items[at] as TypedItem]) : block));
};

/** All other blocks stay unchanged. */
export const withTypedLists = (blocks: ReadonlyArray<ContentBlock>): ReadonlyArray<ContentBlock> => {
  const out: Array<ContentBlock> = [];
  let lines: Array<Line> = [];
  for (const [at, block] of blocks.entries()) {
    if (block.type === "paragraph") {
      for (const line of linesOfParagraph(block.children, at)) lines.push(line);
      continue;
    }
    readLines(lines, out);
    lines = [];
    out.push(block);
  }
  readLines(lines, out);
  return withScatteredNumbers(out);
};

type List = ContentBlock & { readonly type: "list" };
type Item = List["items"][number];

const itemWithout = ([first, ...rest]: Item, mark: RegExp): Item => {
  if (first?.type !== "paragraph") return [];
  const children = without(first.children, mark);
  return children.length === 0 ? rest : [{ ...first, children }, ...rest];
};

const textOfFirst = ([first]: Item): string => {
  const inline = first?.type === "paragraph" ? first.children[0] : undefined;
  return inline?.type === "text" ? inline.text : "";
};

/** Removes the bullets or numbers that all items have in addition to those of the list. */
export const withoutTypedMarks = (list: List): List => {
  const texts = list.items.map(textOfFirst);
  const numbers = texts.map((text) => Number(ITEM_NUMBER.exec(text)?.[1] ?? Number.NaN));
  const start = numbers[0] ?? Number.NaN;
  const isNumbered =
    (list.start === null || list.start === start) &&
    numbers.every((number, index) => number === start + index);
  const isMarked = texts.every((text) => BULLET.test(text));
  if (list.items.length < ITEMS_MIN || (!isNumbered && !isMarked)) return list;
  const items = list.items.map((item) => itemWithout(item, isNumbered ? ITEM_NUMBER : BULLET));
  if (items.some((item) => item.length === 0)) return list;
  return { ...list, start: isNumbered ? start : list.start, items };
};
