/** The short blocks around a page's heading, where author and date stand. Measured by bench/page-bylines.ts. Tests: PageByline.test.ts. */
import type { Block } from "../select/blocks/Blocks.ts";
import { headingLevel } from "../parse/PageTree.ts";
import { folded } from "../parse/PlainText.ts";

export const LINE_CHARS_MAX = 120;

export const isLine = ({ text }: Block): boolean => text.length <= LINE_CHARS_MAX;

export interface Line {
  readonly block: Block;
  readonly text: string;
  /** The text of the block before it, which may say what it is; empty if that is the heading or no line. */
  readonly label: string;
  /** Distance from the heading. */
  readonly cost: number;
  /** After the first paragraphs, where dates are part of the content. */
  readonly isInText: boolean;
}

/** How many blocks before and after the heading may contain the byline. */
const BEFORE = 6;
const AFTER = 20;
/** Menus and breadcrumbs come before the heading: a line there counts as this many after it. */
const BEFORE_COST = 3;
/** After this many paragraphs, the text has begun. */
const PARAGRAPHS_MAX = 3;

/** The position of the block with a title, a heading if possible; otherwise of the page's first heading, or 0. */
export const headingIndex = (blocks: ReadonlyArray<Block>, title: string): number => {
  const words = folded(title);
  const titled = blocks.filter(({ text }) => words !== "" && folded(text) === words);
  const heading =
    titled.find(({ box }) => headingLevel(box.element) !== null) ??
    titled[0] ??
    blocks.find(({ box }) => box.element.name === "h1");
  return heading === undefined ? 0 : blocks.indexOf(heading);
};

/** Before the heading and after it, each in the order of the page. */
export const linesAround = (
  blocks: ReadonlyArray<Block>,
  heading: number
): readonly [before: ReadonlyArray<Line>, after: ReadonlyArray<Line>] => {
  const end = heading + 1 + AFTER;
  const paragraphs = blocks.slice(heading + 1, end).filter((block) => block.isProse && !isLine(block));
  const text = paragraphs[PARAGRAPHS_MAX - 1];
  const textStart = text === undefined ? end : blocks.indexOf(text);
  const linesIn = (from: number, to: number): ReadonlyArray<Line> =>
    blocks.slice(from, to).flatMap((block, index): ReadonlyArray<Line> => {
      const at = from + index;
      const before = at - 1 === heading ? undefined : blocks[at - 1];
      const label = before !== undefined && isLine(before) ? before.text : "";
      const cost = at > heading ? at - heading : BEFORE_COST * (heading - at);
      return isLine(block) ? [{ block, text: block.text, label, cost, isInText: at > textStart }] : [];
    });
  return [linesIn(Math.max(0, heading - BEFORE), heading), linesIn(heading + 1, end)];
};
