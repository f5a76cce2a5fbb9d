/**
 * Lists without the markup of one: numbered parts of a page, such as the entries of a ranking or the steps of a
 * process, and hand-typed lists with bullets or numbers at line starts. Removes markers that are typed in addition to
 * those of a list.
 */
import type { PageElement, PageNode } from "../parse/PageTree.ts";
import { linesOf as breakLines, trimmedEnds } from "./InlineRun.ts";
import type { KeptText } from "./KeptText.ts";
import type { Inline, ContentBlock } from "./Content.ts";

/** The block consists only of its number. */
const PART_NUMBER = /^\s*(?:#|№|nr\.?|no\.?)?\s*0*([1-9]\d{0,2})\s*[.):]?\s*$/i;
/** The number at the start of a paragraph, which the list marker replaces. */
const NUMBER_FIRST = /^\s*(?:#|№|nr\.?|no\.?)?\s*0*[1-9]\d{0,2}\s*[.):]?(?=\s|$)\s*/i;

/** Fewer are a coincidence. */
const PARTS_MIN = 3;

const PARTS: ReadonlySet<string> = new Set(["div", "section", "article", "a", "span", "tr"]);

/** Siblings with consecutive numbers. */
interface CountedParts {
  readonly start: number;
  readonly parts: ReadonlyArray<PageElement>;
}

/** Longer parts are sections of the page rather than entries of a list. */
const PART_CHARS_MAX = 1_500;

const numberOf = (part: PageElement, kept: KeptText): number | null => {
  if (!PARTS.has(part.name)) return null;
  const [first, ...rest] = kept.blocksIn(part);
  if (first === undefined || rest.length === 0 || /^h[1-6]$/.test(first.box.element.name)) return null;
  const number = PART_NUMBER.exec(first.text)?.[1];
  const chars = rest.reduce((sum, block) => sum + block.chars, 0);
  return number === undefined || chars > PART_CHARS_MAX ? null : Number(number);
};

/** Sequences of such parts; unselected content may be between them. */
export const countedParts = (nodes: ReadonlyArray<PageNode>, kept: KeptText): ReadonlyArray<CountedParts> => {
  const found: Array<CountedParts> = [];
  let parts: Array<PageElement> = [];
  let next = 0;
  const end = (): void => {
    if (parts.length >= PARTS_MIN) found.push({ start: next - parts.length, parts });
    parts = [];
  };
  for (const node of nodes) {
    if (typeof node === "string" ? node.trim() === "" : !kept.has(node)) continue;
    const number = typeof node === "string" ? null : numberOf(node, kept);
    if (parts.length > 0 && number !== next) end();
    if (typeof node === "string" || number === null) continue;
    parts.push(node);
    next = number + 1;
  }
  end();
  return found;
};

const withoutNumberFirst = ([first, ...rest]: ReadonlyArray<Inline>): ReadonlyArray<Inline> => {
  if (first?.type === "text") {
    const text = first.text.replace(NUMBER_FIRST, "");
    return text === "" ? rest : [{ ...first, text }, ...rest];
  }
  if (first === undefined || !("children" in first)) return first === undefined ? [] : [first, ...rest];
  const children = withoutNumberFirst(first.children);
  return children.length === 0 ? rest : [{ ...first, children }, ...rest];
};

type Written = ContentBlock & { readonly type: "paragraph" | "heading" };

const isWritten = (block: ContentBlock | undefined): block is Written =>
  block?.type === "paragraph" || block?.type === "heading";

/** If a link surrounds the whole part, the text after the number becomes the link. */
const linkedFirst = (
  [number]: ReadonlyArray<Inline>,
  blocks: ReadonlyArray<ContentBlock>
): ReadonlyArray<ContentBlock> => {
  const [first, ...rest] = blocks;
  if (number?.type !== "link" || !isWritten(first) || hasLink(first.children)) return blocks;
  return [{ ...first, children: [{ ...number, children: first.children }] }, ...rest];
};

const hasLink = (inlines: ReadonlyArray<Inline>): boolean =>
  inlines.some((inline) => inline.type === "link" || ("children" in inline && hasLink(inline.children)));

/** The content of a part without its number; all of it if the number is not first. */
export const withoutNumber = (blocks: ReadonlyArray<ContentBlock>): ReadonlyArray<ContentBlock> => {
  const [first, ...rest] = blocks;
  if (!isWritten(first)) return blocks;
  const children = trimmedEnds(withoutNumberFirst(first.children));
  return children.length === 0 ? linkedFirst(first.children, rest) : [{ ...first, children }, ...rest];
};

const BULLET = /^\s*(?:[•●▪◦‣∙■○◆➢➤►▸·✓✔☑✅→➔➜➞]\uFE0F?\s*|[-*]\s+)(?=\S|$)/u;
/**
 * A dash may also introduce direct speech: it is a list marker only if lines of one paragraph follow each other.
 */
const DASH = /^\s*–\s+(?=\S|$)/u;
const NUMBER = /^\s*(\d{1,3})[.)]\s+(?=\S|$)/u;
/** In an item of a list, the text may directly follow its number. */
const ITEM_NUMBER = /^\s*(\d{1,3})[.)]\s*(?=[^\s\d]|$)/u;

/** A single such line is running text. */
const ITEMS_MIN = 2;
/** Minimum numbered paragraphs with other blocks between them. */
const SCATTERED_MIN = 3;

interface Line {
  readonly inlines: ReadonlyArray<Inline>;
  /** Number of the item, `null` for a bullet, `undefined` without a marker. */
  readonly mark: number | null | undefined;
  /** Number of the paragraph, the same for all its lines. */
  readonly paragraph: number;
}

const markOf = ([first]: ReadonlyArray<Inline>, isAmongLines = false): Line["mark"] => {
  if (first?.type !== "text") return undefined;
  const number = NUMBER.exec(first.text)?.[1];
  if (number !== undefined) return Number(number);
  return BULLET.test(first.text) || (isAmongLines && DASH.test(first.text)) ? null : undefined;
};

const linesOf = (inlines: ReadonlyArray<Inline>, paragraph: number): ReadonlyArray<Line> => {
  const written = breakLines(inlines)
    .map(trimmedEnds)
    .filter((line) => line.length > 0);
  return written.map((line) => ({ inlines: line, mark: markOf(line, written.length > 1), paragraph }));
};

const without = (
  [first, ...rest]: ReadonlyArray<Inline>,
  marks: ReadonlyArray<RegExp>
): ReadonlyArray<Inline> =>
  first?.type === "text"
    ? trimmedEnds([
        { ...first, text: marks.reduce((text, mark) => text.replace(mark, ""), first.text) },
        ...rest
      ])
    : [];

const unmarked = (inlines: ReadonlyArray<Inline>): ReadonlyArray<Inline> =>
  without(inlines, [NUMBER, BULLET, DASH]);

/** How many lines from here are items of one list. */
const itemCount = (lines: ReadonlyArray<Line>, from: number): number => {
  const first = lines[from]?.mark;
  if (first === undefined) return 0;
  let count = 1;
  while (from + count < lines.length) {
    const { inlines, mark } = lines[from + count] as Line;
    if (mark !== (first === null ? null : first + count) || unmarked(inlines).length === 0) break;
    count += 1;
  }
  return unmarked(lines[from]?.inlines ?? []).length > 0 && count >= ITEMS_MIN ? count : 0;
};

/** Finds lists in the lines of adjacent paragraphs. */
const readLines = (lines: ReadonlyArray<Line>): ReadonlyArray<ContentBlock> => {
  const out: Array<ContentBlock> = [];
  let last: number | null = null;
  for (let at = 0; at < lines.length;) {
    const { inlines, mark, paragraph } = lines[at] as Line;
    const count = itemCount(lines, at);
    const before = out.at(-1);
    if (count > 0) {
      const items = lines
        .slice(at, at + count)
        .map((line): ReadonlyArray<ContentBlock> => [
          { type: "paragraph", children: unmarked(line.inlines) }
        ]);
      out.push({ type: "list", start: mark ?? null, items });
    } else if (before?.type === "paragraph" && last === paragraph)
      out[out.length - 1] = {
        type: "paragraph",
        children: [...before.children, { type: "break" }, ...inlines]
      };
    else out.push({ type: "paragraph", children: inlines });
    last = paragraph;
    at += Math.max(1, count);
  }
  return out;
};

/**
 * Paragraphs numbered from 1, each an item with the content below it; lists that continue the numbering are
 * included.
 */
const withScatteredNumbers = (blocks: ReadonlyArray<ContentBlock>): ReadonlyArray<ContentBlock> => {
  const numbers = new Map<number, number>();
  let run: Array<readonly [at: number, number: number]> = [];
  let next = 1;
  const end = (): void => {
    if (next > SCATTERED_MIN) for (const [at, number] of run) numbers.set(at, number);
    run = [];
    next = 1;
  };
  blocks.forEach((block, at) => {
    if (block.type === "list" && block.start === next) next += block.items.length;
    if (block.type !== "paragraph" || unmarked(block.children).length === 0) return;
    const mark = markOf(block.children);
    if (mark === 1) end();
    if (typeof mark !== "number" || mark !== next) return;
    run.push([at, mark]);
    next += 1;
  });
  end();
  return blocks.map((block, at) => {
    const start = numbers.get(at);
    return start === undefined || block.type !== "paragraph"
      ? block
      : { type: "list", start, items: [[{ type: "paragraph", children: unmarked(block.children) }]] };
  });
};

type List = ContentBlock & { readonly type: "list" };
type Item = List["items"][number];

const itemWithout = ([first, ...rest]: Item, marks: ReadonlyArray<RegExp>): Item => {
  if (first?.type !== "paragraph") return [];
  const children = without(first.children, marks);
  return children.length === 0 ? rest : [{ ...first, children }, ...rest];
};

const textOfFirst = ([first]: Item): string => {
  const inline = first?.type === "paragraph" ? first.children[0] : undefined;
  return inline?.type === "text" ? inline.text : "";
};

/** Removes the bullets or numbers that all items have in addition to those of the list. */
export const withoutTypedMarks = (list: List): List => {
  const texts = list.items.map(textOfFirst);
  const start = Number(/^\s*(\d{1,3})(?=[.)]|\s*$)/u.exec(texts[0] ?? "")?.[1] ?? Number.NaN);
  const isCounted = texts.every((text, index) => {
    const number = ITEM_NUMBER.exec(text)?.[1] ?? /^\s*(\d{1,3})\s*$/u.exec(text)?.[1];
    return number !== undefined && Number(number) === start + index;
  });
  const isNumbered = isCounted && (list.start === null || list.start === start);
  const isMarked = texts.every((text) => BULLET.test(text));
  if (list.items.length < ITEMS_MIN || (!isNumbered && !isMarked)) return list;
  const marks = isNumbered ? [ITEM_NUMBER, /^\s*\d{1,3}\s*$/u] : [BULLET];
  const items = list.items.map((item) => itemWithout(item, marks));
  if (items.some((item) => item.length === 0)) return list;
  return { ...list, start: isNumbered ? start : list.start, items };
};

/** All other blocks stay unchanged. */
export const withTypedLists = (blocks: ReadonlyArray<ContentBlock>): ReadonlyArray<ContentBlock> => {
  const out: Array<ContentBlock> = [];
  for (let at = 0; at < blocks.length;) {
    const end = blocks.findIndex((block, index) => index >= at && block.type !== "paragraph");
    const paragraphs = blocks.slice(at, end < 0 ? blocks.length : end);
    const lines = paragraphs.flatMap((block, index) =>
      block.type === "paragraph" ? linesOf(block.children, index) : []
    );
    const isTyped = lines.some((_, index) => itemCount(lines, index) > 0);
    out.push(...(isTyped ? readLines(lines) : paragraphs));
    const next = end < 0 ? undefined : blocks[end];
    if (next === undefined) break;
    out.push(next);
    at = end + 1;
  }
  return withScatteredNumbers(out);
};
