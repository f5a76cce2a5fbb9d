/** Numbered parts of a page, such as the entries of a ranking or the steps of a process. */
import type { PageElement, PageNode } from "../tree/PageTree.ts";
import { trimmedEnds } from "./InlineRun.ts";
import type { KeptText } from "./KeptText.ts";
import type { Inline, MarkdownBlock } from "./MarkdownTree.ts";

/** The block consists only of its number. */
const NUMBER = /^\s*(?:#|№|nr\.?|no\.?)?\s*0*([1-9]\d{0,2})\s*[.):]?\s*$/i;
/** The number at the start of a paragraph, which the list marker replaces. */
const NUMBER_FIRST = /^\s*(?:#|№|nr\.?|no\.?)?\s*0*[1-9]\d{0,2}\s*[.):]?(?=\s|$)\s*/i;

/** Fewer are a coincidence. */
const PARTS_MIN = 3;

const PARTS: ReadonlySet<string> = new Set(["div", "section", "article", "a", "span", "tr"]);

/** Siblings with consecutive numbers. */
export interface CountedParts {
  readonly start: number;
  readonly parts: ReadonlyArray<PageElement>;
}

/** Longer parts are sections of the page rather than entries of a list. */
const PART_CHARS_MAX = 1_500;

const numberOf = (part: PageElement, kept: KeptText): number | null => {
  if (!PARTS.has(part.name)) return null;
  const [first, ...rest] = kept.blocksIn(part);
  if (first === undefined || rest.length === 0 || /^h[1-6]$/.test(first.box.element.name)) return null;
  const number = NUMBER.exec(first.text)?.[1];
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

type Written = MarkdownBlock & { readonly type: "paragraph" | "heading" };

const isWritten = (block: MarkdownBlock | undefined): block is Written =>
  block?.type === "paragraph" || block?.type === "heading";

/** If a link surrounds the whole part, the text after the number becomes the link. */
const linkedFirst = (
  [number]: ReadonlyArray<Inline>,
  blocks: ReadonlyArray<MarkdownBlock>
): ReadonlyArray<MarkdownBlock> => {
  const [first, ...rest] = blocks;
  if (number?.type !== "link" || !isWritten(first) || hasLink(first.children)) return blocks;
  return [{ ...first, children: [{ ...number, children: first.children }] }, ...rest];
};

const hasLink = (inlines: ReadonlyArray<Inline>): boolean =>
  inlines.some((inline) => inline.type === "link" || ("children" in inline && hasLink(inline.children)));

/** The content of a part without its number; all of it if the number is not first. */
export const withoutNumber = (blocks: ReadonlyArray<MarkdownBlock>): ReadonlyArray<MarkdownBlock> => {
  const [first, ...rest] = blocks;
  if (!isWritten(first)) return blocks;
  const children = trimmedEnds(withoutNumberFirst(first.children));
  return children.length === 0 ? linkedFirst(first.children, rest) : [{ ...first, children }, ...rest];
};
