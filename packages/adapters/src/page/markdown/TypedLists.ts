/** Lists that a page types by hand, line by line with bullets or numbers, as the lists they are. */
import { trimmedEnds } from "./InlineRun.ts";
import type { Inline, MarkdownBlock } from "./MarkdownTree.ts";

const BULLET = /^\s*(?:[•●▪◦‣∙■○◆➢➤►▸·]\s*|[-*]\s+)(?=\S|$)/u;
const NUMBER = /^\s*(\d{1,3})[.)]\s+(?=\S|$)/u;

/** One such line alone is running text. */
const ITEMS_MIN = 2;

interface Line {
  readonly inlines: ReadonlyArray<Inline>;
  /** Its number, `null` after a bullet, `undefined` without a mark. */
  readonly mark: number | null | undefined;
  /** Lines of one paragraph have the same. */
  readonly paragraph: number;
}

const markOf = ([first]: ReadonlyArray<Inline>): Line["mark"] => {
  if (first?.type !== "text") return undefined;
  const number = NUMBER.exec(first.text)?.[1];
  if (number !== undefined) return Number(number);
  return BULLET.test(first.text) ? null : undefined;
};

const linesOf = (inlines: ReadonlyArray<Inline>, paragraph: number): ReadonlyArray<Line> => {
  const lines: Array<Array<Inline>> = [[]];
  for (const inline of inlines) {
    if (inline.type === "break") lines.push([]);
    else lines.at(-1)?.push(inline);
  }
  return lines
    .map(trimmedEnds)
    .filter((line) => line.length > 0)
    .map((line) => ({ inlines: line, mark: markOf(line), paragraph }));
};

const unmarked = ([first, ...rest]: ReadonlyArray<Inline>): ReadonlyArray<Inline> =>
  first?.type === "text"
    ? trimmedEnds([{ ...first, text: first.text.replace(NUMBER, "").replace(BULLET, "") }, ...rest])
    : [];

/** How many lines from here on are the items of one list. */
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

/** Of adjacent paragraphs. */
const readLines = (lines: ReadonlyArray<Line>): ReadonlyArray<MarkdownBlock> => {
  const out: Array<MarkdownBlock> = [];
  let last: number | null = null;
  for (let at = 0; at < lines.length;) {
    const { inlines, mark, paragraph } = lines[at] as Line;
    const count = itemCount(lines, at);
    const before = out.at(-1);
    if (count > 0) {
      const items = lines
        .slice(at, at + count)
        .map((line): ReadonlyArray<MarkdownBlock> => [
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

/** All other blocks stay as they are. */
export const withTypedLists = (blocks: ReadonlyArray<MarkdownBlock>): ReadonlyArray<MarkdownBlock> => {
  const out: Array<MarkdownBlock> = [];
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
  return out;
};
